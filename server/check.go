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

// CheckStore checks every file of the store in a data folder, and passes its Finding to the
// function each. It returns the folder of the store. A service may use the store at the same time.
func CheckStore(ctx context.Context, data string, each func(store.Finding)) (folder string, err error) {
	if data, err = DataFolder(data); err != nil {
		return "", err
	}
	folder = filepath.Join(data, storeFolder)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no folder %s, so %s is not the data folder of a service: expected another --data DIR", folder, data)
	}
	return folder, store.Check(ctx, folder, each)
}
