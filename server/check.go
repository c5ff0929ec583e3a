package server

import (
	"context"
	"path/filepath"

	"github.com/pavage/pavage/server/store"
)

// CheckStore reads all files of the store in a data folder, which is named as [Config] has it, and
// tells each of them what it found. A service may use the store meanwhile. It returns where the
// store is.
func CheckStore(ctx context.Context, data string, each func(store.Finding)) (folder string, err error) {
	if data, err = dataFolder(data); err != nil {
		return "", err
	}
	folder = filepath.Join(data, storeFolder)
	return folder, store.Check(ctx, folder, each)
}
