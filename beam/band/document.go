package band

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/internal/kit/strict"
)

// version changes with the format of slabs. The name of a run's folder depends on it.
const version = 2

var (
	// ErrDamaged is wrapped by errors for a file that has changed since it was written.
	ErrDamaged = errors.New("damaged file")
	// ErrDisagree is wrapped by errors for two numbers that differ but must be equal.
	ErrDisagree = errors.New("a check disagrees")
)

const (
	mostBytes   = 1 << 28
	mostReceipt = 1 << 20
)

// most returns the limit in bytes for a file of the given kind. The file of a level with 100,000
// slabs has 60 MB. Receipts have a smaller limit, since many of them are in memory at once.
func most(kind string) int64 {
	if kind == receiptKind {
		return mostReceipt
	}
	return mostBytes
}

// seal returns a line and then the JSON of a document. The line has the kind of the document, the
// version and the SHA-256 of the JSON.
//
//	pavage level 2 7d86…
//	{…}
func seal(kind string, document any) ([]byte, error) {
	body, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	body = append(body, '\n')
	return append(headOf(kind, body), body...), nil
}

func headOf(kind string, body []byte) []byte {
	return fmt.Appendf(nil, "pavage %s %d %x\n", kind, version, sha256.Sum256(body))
}

func unseal(kind string, data []byte, document any) error {
	head, body, found := bytes.Cut(data, []byte("\n"))
	if !found || !bytes.Equal(append(head, '\n'), headOf(kind, body)) {
		return fmt.Errorf("%w: the checksum or the version in the first line does not match this %s", ErrDamaged, kind)
	}
	if err := strict.Decode(body, document); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

func read(ctx context.Context, s store.Store, name, kind string, document any) error {
	data, err := s.Read(ctx, name, most(kind))
	if err == nil {
		err = unseal(kind, data, document)
	}
	if errors.Is(err, store.ErrLarge) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func write(ctx context.Context, s store.Store, name, kind string, document any) error {
	data, err := seal(kind, document)
	if err == nil && int64(len(data)) > most(kind) {
		err = fmt.Errorf("%w: the %s has %d bytes, expected at most %d bytes", store.ErrLarge, kind, len(data), most(kind))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return store.Write(ctx, s, name, data)
}

// digest returns the SHA-256 of the JSON of a value. It panics if JSON cannot represent the value.
func digest(value any) string {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
