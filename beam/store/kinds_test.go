package store_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/pavage/pavage/beam/store"
)

func open(t *testing.T, where string) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// meddler stands before a server of objects and may spoil its answers.
type meddler struct {
	server http.Handler
	spoil  atomic.Pointer[func(w http.ResponseWriter, r *http.Request) http.ResponseWriter] // if it returns nil, the request is not passed on
}

func (m *meddler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if spoil := m.spoil.Load(); spoil != nil {
		w = (*spoil)(w, r)
	}
	if w != nil {
		m.server.ServeHTTP(w, r)
	}
}

// serve serves objects on this machine.
func serve(t *testing.T, objects http.Handler) (url string, m *meddler) {
	m = &meddler{server: objects}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	return server.URL, m
}

// amazon serves S3 on this machine, with a bucket "bucket".
func amazon(t *testing.T) *meddler {
	backend := s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	url, m := serve(t, gofakes3.New(backend).Server())
	for key, value := range map[string]string{
		"AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "here-1", "AWS_MAX_ATTEMPTS": "1",
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
	} {
		t.Setenv(key, value)
	}
	return m
}

// google serves Google Cloud Storage on this machine, with a bucket "bucket".
func google(t *testing.T) *meddler {
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true})
	if err != nil {
		t.Fatal(err)
	}
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "bucket"})
	url, m := serve(t, server.HTTPHandler())
	t.Setenv("STORAGE_EMULATOR_HOST", url)
	return m
}

// clouds has the stores of objects that have servers for tests.
var clouds = []struct {
	where string
	start func(*testing.T) *meddler
}{
	{"s3://bucket/a/folder", amazon},
	{"gs://bucket/a/folder/", google},
}

// TestKinds is one test for all kinds of stores.
func TestKinds(t *testing.T) {
	folder := t.TempDir()
	fresh := filepath.Base(filepath.Dir(folder)) // in a memory file system that all tests share
	for name, where := range map[string]string{"folder": filepath.Join(folder, "not", "there"), "memfs": "memfs://" + fresh, "seekable": "seekable://" + fresh} {
		t.Run(name, func(t *testing.T) { conform(t, func() store.Store { return open(t, where) }) })
	}
	for _, cloud := range clouds {
		t.Run(cloud.where, func(t *testing.T) {
			cloud.start(t)
			conform(t, func() store.Store { return open(t, cloud.where) })
		})
	}
}
