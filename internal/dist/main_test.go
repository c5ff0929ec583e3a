package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"text/template"
	"time"
)

// TestTemplates: the formula has the archives of all systems but windows, the manifest the archives
// of windows.
func TestTemplates(t *testing.T) {
	r := release{Version: "1.2.0", Homepage: "https://example.org", URL: "https://example.org/files"}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			r.Archives = append(r.Archives, archive{system, arch, system + "_" + arch, "sum of " + system + "_" + arch})
		}
	}
	fill := func(name string) string {
		var filled bytes.Buffer
		if err := template.Must(template.ParseFS(templates, name)).Execute(&filled, r); err != nil {
			t.Fatal(err)
		}
		return filled.String()
	}

	formula := strings.Join(strings.Fields(fill("formula.rb")), " ")
	for _, want := range []string{
		`on_linux do on_intel do url "https://example.org/files/linux_amd64" sha256 "sum of linux_amd64" end end`,
		`on_linux do on_arm do url "https://example.org/files/linux_arm64" sha256 "sum of linux_arm64" end end`,
		`on_macos do on_intel do url "https://example.org/files/darwin_amd64" sha256 "sum of darwin_amd64" end end`,
		`on_macos do on_arm do url "https://example.org/files/darwin_arm64" sha256 "sum of darwin_arm64" end end`,
	} {
		if !strings.Contains(formula, want) {
			t.Errorf("no %s in %s", want, formula)
		}
	}

	type source struct {
		URL, Hash string
		Folder    string `json:"extract_dir"`
	}
	var manifest struct{ Architecture map[string]source }
	if err := json.Unmarshal([]byte(fill("manifest.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	for arch, want := range map[string]source{
		"64bit": {"https://example.org/files/windows_amd64", "sum of windows_amd64", "pavage_1.2.0_windows_amd64"},
		"arm64": {"https://example.org/files/windows_arm64", "sum of windows_arm64", "pavage_1.2.0_windows_arm64"},
	} {
		if manifest.Architecture[arch] != want {
			t.Errorf("%s: got %v, want %v", arch, manifest.Architecture[arch], want)
		}
	}
	if len(manifest.Architecture) != 2 {
		t.Errorf("got %v", manifest.Architecture)
	}
}

// TestNoProgram: a folder without programs makes no release.
func TestNoProgram(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "dist")
	if err := write("", t.TempDir(), t.TempDir(), folder); err == nil || !strings.Contains(err.Error(), "no program in") {
		t.Error(err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Error("there is a folder", err)
	}
}

// TestPack: an archive does not depend on the modes and times of the files. The archive for windows
// has the same names, modes and times as test.sh checks for the other.
func TestPack(t *testing.T) {
	made := time.Date(2026, 11, 29, 9, 30, 28, 0, time.UTC)
	for _, format := range []string{".tar.gz", ".zip"} {
		var one, two bytes.Buffer
		err := pack(&one, format, "top", fstest.MapFS{
			"share/a": {Data: []byte("a"), Mode: 0o600, ModTime: made.AddDate(1, 0, 0)}, "bin/pavage": {Data: []byte("program")},
		}, made)
		if err != nil {
			t.Fatal(err)
		}
		err = pack(&two, format, "top", fstest.MapFS{"bin/pavage": {Data: []byte("program"), Mode: 0o700}, "share/a": {Data: []byte("a")}}, made)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Bytes(), two.Bytes()) {
			t.Errorf("%s: the bytes depend on modes or times", format)
		}
		if format != ".zip" {
			continue
		}
		z, err := zip.NewReader(bytes.NewReader(one.Bytes()), int64(one.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range z.File {
			got = append(got, f.Name+" "+f.Mode().String()+" "+f.Modified.UTC().Format(time.TimeOnly))
		}
		if list := strings.Join(got, ", "); list != "top/bin/pavage -rwxr-xr-x 09:30:28, top/share/a -rw-r--r-- 09:30:28" {
			t.Errorf("the zip has %s", list)
		}
	}
}
