package store_test

import (
	"net/http/httptest"
	"path/filepath"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/beam/store/storetest"
)

// open opens a store.
func open(t *testing.T, where string) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// amazon serves S3 on this machine, with a bucket "bucket".
func amazon(t *testing.T) {
	backend := s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	for key, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "here-1",
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
	} {
		t.Setenv(key, value)
	}
}

// google serves Google Cloud Storage on this machine, with a bucket "bucket".
func google(t *testing.T) {
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{Scheme: "http", Host: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "bucket"})
	t.Setenv("STORAGE_EMULATOR_HOST", server.URL())
}

// TestKinds is one test for all kinds of stores.
func TestKinds(t *testing.T) {
	for _, kind := range []struct {
		name, where string
		start       func(*testing.T)
	}{
		{"folder", filepath.Join(t.TempDir(), "not", "there"), nil},
		{"memfs", "memfs://folder", nil},
		{"s3", "s3://bucket/a/folder", amazon},
		{"gs", "gs://bucket/a/folder/", google},
	} {
		t.Run(kind.name, func(t *testing.T) {
			if kind.start != nil {
				kind.start(t)
			}
			storetest.Conform(t, func() store.Store { return open(t, kind.where) })
		})
	}
}
