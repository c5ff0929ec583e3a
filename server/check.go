package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pavage/pavage/server/store"
)

// CheckStore reads all files of the store in a data folder, and calls each with the finding of
// every file. data is the folder, as in Config.Data. A service may use the store at the same time.
// CheckStore returns the folder of the store.
func CheckStore(ctx context.Context, data string, each func(store.Finding)) (folder string, err error) {
	if data, err = DataFolder(data); err != nil {
		return "", err
	}
	folder = filepath.Join(data, storeFolder)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: no such folder, expected the data folder of a service: --data DIR", folder)
	}
	return folder, store.Check(ctx, folder, each)
}
