// Command dist writes the files of a release to a folder. The command make dist runs it.
//
//	dist [-url URL] PROGRAMS SHARE FOLDER
//
// # Purpose
//
// internal/dist/programs has written programs to PROGRAMS, and cmd/pavage/share has written files
// to SHARE. For each program, dist makes a tree with these files and the README:
//
//	pavage_1.2.0_linux_amd64/bin/pavage
//	                         share/man/man1/pavage.1, …
//	                         share/bash-completion/…, zsh/…, fish/…
//	                         share/doc/pavage/LICENSE, licenses-page.md, licenses-modules.md, README.md
//
// FOLDER gets an archive of each tree (tar.gz, or zip for Windows), which can be unpacked to
// /usr/local. For Linux, nfpm also makes packages (deb and rpm), which install the tree in /usr.
// For each archive, a bill of materials (CycloneDX) lists the modules in the program and the npm
// packages in the page. URL is the folder on the web that will have the archives. If it is given,
// dist also writes a Homebrew formula and a Scoop manifest with URLs of the archives. SHA256SUMS
// has the checksums of all files.
//
// # The same bytes
//
// The same commit, version of Go and URL give the same files, in any folder of any machine. All
// times in the files are the time of the commit. The files have no names of users and no absolute
// paths. Entries of archives are sorted. Their modes do not depend on the umask.
//
// dist reads the version, the commit and its time from the program, into which the go command
// writes them. So dist needs a clone without changes: in a worktree of git, or without git,
// programs have no version.
//
// # References
//
// https://reproducible-builds.org/docs; https://cyclonedx.org/docs/1.6/json;
// https://nfpm.goreleaser.com.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"text/template"
	"time"
)

// nfpm is the program that makes the packages. It is not a dependency, since it needs 60 modules.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.1"

//go:embed formula.rb manifest.json
var templates embed.FS

// release has the values that the templates use.
type release struct {
	Version  string // without v: 1.2.0
	Homepage string
	URL      string // URL of the folder with the archives
	Archives []archive
}

type archive struct{ OS, Arch, File, Sum string }

func main() {
	url := flag.String("url", "", "`URL` of the folder that has the archives, for Homebrew and Scoop")
	flag.Parse()
	if flag.NArg() != 3 {
		fmt.Fprintln(os.Stderr, "dist: expected the folders of the programs, of the files beside them, and of the release")
		os.Exit(2)
	}
	if err := write(*url, flag.Arg(0), flag.Arg(1), flag.Arg(2)); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func write(url, programs, share, folder string) error {
	work, err := os.MkdirTemp("", "pavage-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	found, err := filepath.Glob(filepath.Join(programs, "*", "*", "pavage*"))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("no program in %s, expected at least one, such as linux/amd64/pavage", programs)
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err // the folder must be new, since SHA256SUMS lists all files in it
	}
	r := release{URL: strings.TrimSuffix(url, "/")}
	for _, program := range found {
		info, made, err := stamp(program)
		if err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		r.Version, r.Homepage = strings.TrimPrefix(info.Main.Version, "v"), "https://"+info.Main.Path
		from, file := filepath.Split(program)
		arch, goos := filepath.Base(from), filepath.Base(filepath.Dir(filepath.Clean(from)))
		tree := filepath.Join(work, goos+"_"+arch)
		doc := filepath.Join(tree, "share", "doc", "pavage")
		err = errors.Join(
			os.CopyFS(filepath.Join(tree, "share"), os.DirFS(share)),
			os.CopyFS(doc, os.DirFS(from)),
			os.Mkdir(filepath.Join(tree, "bin"), 0o777),
			os.Rename(filepath.Join(doc, file), filepath.Join(tree, "bin", file)))
		if err != nil {
			return err
		}
		readme, err := os.ReadFile("README.md")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(doc, "README.md"), readme, 0o666); err != nil {
			return err
		}

		name, format := "pavage_"+r.Version+"_"+goos+"_"+arch, ".tar.gz"
		if goos == "windows" {
			format = ".zip"
		}
		var packed bytes.Buffer
		if err := pack(&packed, format, name, os.DirFS(tree), made); err != nil {
			return err
		}
		bill, err := materials(info, name, made)
		if err != nil {
			return err
		}
		err = errors.Join(
			os.WriteFile(filepath.Join(folder, name+format), packed.Bytes(), 0o666),
			os.WriteFile(filepath.Join(folder, name+".cdx.json"), bill, 0o666))
		if err != nil {
			return err
		}
		r.Archives = append(r.Archives, archive{goos, arch, name + format, fmt.Sprintf("%x", sha256.Sum256(packed.Bytes()))})

		for _, packager := range []string{"deb", "rpm"} {
			if goos != "linux" {
				break
			}
			cmd := exec.Command("go", "run", nfpm, "package", "--config", "internal/dist/nfpm.yaml", "--packager", packager, "--target", folder)
			cmd.Env = append(os.Environ(), "TREE="+tree, "ARCH="+arch, "VERSION="+r.Version, fmt.Sprint("SOURCE_DATE_EPOCH=", made.Unix()))
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("nfpm: %w: %s", err, out)
			}
		}
	}

	for from, to := range map[string]string{"formula.rb": "pavage.rb", "manifest.json": "pavage.json"} {
		if url == "" {
			break
		}
		var filled bytes.Buffer
		if err := template.Must(template.ParseFS(templates, from)).Execute(&filled, r); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, to), filled.Bytes(), 0o666); err != nil {
			return err
		}
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), file.Name())
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(sums.String()), 0o666)
}

// stamp returns the build information of a program, and the time of its commit.
func stamp(program string) (*debug.BuildInfo, time.Time, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, time.Time{}, err
	}
	values := map[string]string{}
	for _, s := range info.Settings {
		values[s.Key] = s.Value
	}
	if values["vcs.modified"] == "true" {
		return nil, time.Time{}, errors.New("the program was built from files that differ from the commit: commit or undo the changes")
	}
	made, err := time.Parse(time.RFC3339, values["vcs.time"])
	if err != nil {
		return nil, time.Time{}, errors.New("the program has no version: build it in a git clone, not in a worktree")
	}
	return info, made, nil
}

// pack writes an archive of the files of a tree. In the archive they are in the folder top.
func pack(w io.Writer, format, top string, tree fs.FS, made time.Time) error {
	var add func(name string, mode fs.FileMode, size int64) (io.Writer, error)
	var finish func() error
	if format == ".zip" {
		z := zip.NewWriter(w)
		add = func(name string, mode fs.FileMode, _ int64) (io.Writer, error) {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made}
			h.SetMode(mode)
			return z.CreateHeader(h)
		}
		finish = z.Close
	} else {
		g := gzip.NewWriter(w)
		t := tar.NewWriter(g)
		add = func(name string, mode fs.FileMode, size int64) (io.Writer, error) {
			return t, t.WriteHeader(&tar.Header{Name: name, Mode: int64(mode), Size: size, ModTime: made})
		}
		finish = func() error { return errors.Join(t.Close(), g.Close()) }
	}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(name, "bin/") {
			mode = 0o755
		}
		file, err := add(top+"/"+name, mode, int64(len(content)))
		if err != nil {
			return err
		}
		_, err = file.Write(content)
		return err
	})
	return errors.Join(err, finish())
}

// materials returns a CycloneDX document: Go's library, the modules in a program, and the packages
// of web/package-lock.json, except those that are only for development.
func materials(info *debug.BuildInfo, name string, made time.Time) ([]byte, error) {
	type component struct {
		Type    string `json:"type"`
		Ref     string `json:"bom-ref"`
		Name    string `json:"name"`
		Version string `json:"version"`
		URL     string `json:"purl"`
	}
	newComponent := func(kind, ecosystem, name, version string) component {
		url := "pkg:" + ecosystem + "/" + strings.ReplaceAll(name, "@", "%40") + "@" + strings.ReplaceAll(version, "+", "%2B")
		return component{kind, url, name, version, url}
	}
	parts := []component{newComponent("library", "golang", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		parts = append(parts, newComponent("library", "golang", m.Path, m.Version))
	}
	lock, err := os.ReadFile("web/package-lock.json")
	if err != nil {
		return nil, err
	}
	var page struct {
		Packages map[string]struct {
			Version string
			Dev     bool
		}
	}
	if err := json.Unmarshal(lock, &page); err != nil {
		return nil, err
	}
	for _, folder := range slices.Sorted(maps.Keys(page.Packages)) {
		p := page.Packages[folder]
		if _, name, ok := strings.Cut(folder, "node_modules/"); ok && !p.Dev {
			parts = append(parts, newComponent("library", "npm", name, p.Version))
		}
	}
	document := map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{
			"timestamp":  made.UTC().Format(time.RFC3339),
			"component":  newComponent("application", "golang", info.Main.Path, info.Main.Version),
			"properties": []map[string]string{{"name": "archive", "value": name}},
		},
		"components": parts,
	}
	text, err := json.MarshalIndent(document, "", "  ")
	return append(text, '\n'), err
}
