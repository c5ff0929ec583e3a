package command

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pavage/pavage/server/store"
)

// checked runs pavage store check.
func checked(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Main(append([]string{"store", "check"}, args...), Streams{In: strings.NewReader(""), Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// TestStoreCheck: a sound store, a store with a damaged file, and a store with the file moved
// aside.
func TestStoreCheck(t *testing.T) {
	data := t.TempDir()
	if code, out, errs := checked("--data", data); code != codeFailed || out != "" || strings.Count(errs, "\n") != 1 {
		t.Errorf("no store: %d, %q, %q", code, out, errs)
	}
	s, err := store.Open(filepath.Join(data, "store"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put := func() {
		t.Helper()
		err := s.Put(t.Context(), store.Answer, store.Key{7}, func(w io.Writer) error {
			_, err := io.WriteString(w, `{"count":"3"}`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put()
	if code, out, errs := checked("--data", data); code != codeDone || out != "answer   1 file, 190 bytes\ndamaged  0 files\n" || errs != "" {
		t.Errorf("sound: %d, %q, %q", code, out, errs)
	}
	path := filepath.Join(data, "store", "answer", "07", store.Key{7}.String())
	if err := os.Truncate(path, 70); err != nil {
		t.Fatal(err)
	}
	code, out, errs := checked("--data", data)
	if code != codeFailed || !strings.HasPrefix(out, path+": the file has changed since it was written: damaged file: ") || !strings.HasSuffix(out, "\ndamaged  1 file\n") || !strings.Contains(errs, "store has damaged files; ") {
		t.Errorf("damaged: %d, %q, %q", code, out, errs)
	}
	code, out, _ = checked("--json", "--data", data)
	var r storeReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != codeFailed || len(r.Damaged) != 1 || r.Damaged[0].Path != path || r.Damaged[0].Bytes != 70 {
		t.Errorf("as JSON: %d, %q, %v", code, out, err)
	}
	put()
	if code, out, _ := checked("--data", data); code != codeDone || !strings.Contains(out, "moved aside  1 file, 70 bytes\n") {
		t.Errorf("moved aside: %d, %q", code, out)
	}
}

// TestStoreUsage: the folder of the data, and arguments that are not accepted.
func TestStoreUsage(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_DATA_HOME", home)
	if _, _, errs := checked(); !strings.Contains(errs, filepath.Join(home, "pavage", "store")) {
		t.Errorf("%q does not name the user's folder", errs)
	}
	if code, _, _ := checked("x"); code != codeUsage {
		t.Errorf("code %d", code)
	}
	var o, e bytes.Buffer
	if code := Main([]string{"store"}, Streams{In: strings.NewReader(""), Out: &o, Err: &e}); code != codeUsage || !strings.Contains(e.String(), "expected pavage store check") {
		t.Errorf("%d, %q", code, e.String())
	}
}
