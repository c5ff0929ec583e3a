package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cloud.google.com/go/storage"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"google.golang.org/api/option"
)

func place(address string) (bucket, key string) {
	_, rest, _ := strings.Cut(address, "://")
	bucket, key, _ = strings.Cut(rest, "/")
	return bucket, key
}

func googleReader(ctx context.Context) (reader, error) {
	client, err := storage.NewClient(ctx, option.WithScopes(storage.ScopeReadOnly), storage.WithJSONReads()) // JSON reads are for emulators
	if err != nil {                                                                                          // if this error were ignored, Beam would continue without credentials, and every write would fail
		return nil, fmt.Errorf("there are no credentials, expected credentials from the command 'gcloud auth application-default login': %w", err)
	}
	client.SetRetry(storage.WithPolicy(storage.RetryNever)) // otherwise the client would repeat a failed call until the context ends
	return func(ctx context.Context, address string, from, length int64, version string) (io.ReadCloser, string, error) {
		bucket, key := place(address)
		object := client.Bucket(bucket).Object(key)
		if generation, err := strconv.ParseInt(version, 10, 64); err == nil {
			object = object.Generation(generation)
		}
		r, err := object.NewRangeReader(ctx, from, length)
		if err != nil {
			return nil, version, err
		}
		return r, strconv.FormatInt(r.Attrs.Generation, 10), nil
	}, nil
}

func amazonReader(ctx context.Context) (reader, error) {
	settings, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := settings.Credentials.Retrieve(ctx); err != nil {
		return nil, fmt.Errorf("there are no credentials, expected AWS_ACCESS_KEY_ID in the environment, or credentials from the command 'aws configure': %w", err)
	}
	client := s3.NewFromConfig(settings)
	return func(ctx context.Context, address string, from, length int64, version string) (io.ReadCloser, string, error) {
		bucket, key := place(address)
		in := &s3.GetObjectInput{Bucket: &bucket, Key: &key}
		if length >= 0 {
			in.Range = aws.String(fmt.Sprintf("bytes=%d-%d", from, from+length-1))
		}
		out, err := client.GetObject(ctx, in)
		if err != nil {
			return nil, version, err
		}
		if err := sent(out, from, length, version); err != nil {
			return nil, version, errors.Join(err, out.Body.Close())
		}
		return out.Body, aws.ToString(out.ETag), nil
	}, nil
}

// sent checks the range and version in an answer, since some S3 servers ignore ranges or If-Match.
func sent(out *s3.GetObjectOutput, from, length int64, version string) error {
	got := aws.ToString(out.ContentRange)
	switch {
	case length >= 0 && !strings.HasPrefix(got, fmt.Sprintf("bytes %d-", from)):
		return fmt.Errorf("%w: the server sent the range %q, expected bytes from byte %d on", ErrPlace, got, from)
	case version != "" && version != aws.ToString(out.ETag):
		return fmt.Errorf("%w: the file was replaced while it was read", ErrPlace)
	}
	return nil
}

func (o *objects) beamReader(ctx context.Context, address string, from, _ int64, _ string) (io.ReadCloser, string, error) {
	r, err := o.fs.OpenRead(ctx, address)
	if err != nil {
		return nil, "", err
	}
	if seeker, ok := r.(io.Seeker); ok {
		_, err = seeker.Seek(from, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, r, from)
	}
	if errors.Is(err, io.EOF) {
		err = nil // the file ends before the offset, so each read from r returns io.EOF
	}
	if err != nil {
		return nil, "", errors.Join(err, r.Close())
	}
	return r, "", nil
}
