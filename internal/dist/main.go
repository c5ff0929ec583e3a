// Command dist writes the files of a release to a folder: make dist.
//
//	dist [-url URL] FOLDER OS/ARCH...
//
// # Purpose
//
// For each platform dist builds pavage, with the page that is in web/dist, and adds the files of
// cmd/pavage/share, the licenses and the README:
//
//	pavage_1.2.0_linux_amd64/bin/pavage
//	                         share/man/man1/pavage.1, …
//	                         share/bash-completion/…, zsh/…, fish/…
//	                         share/doc/pavage/LICENSE, licenses-page.md, licenses-modules.md, README.md
//
// This tree is an archive (tar.gz, for windows zip), which can be unpacked to /usr/local. On linux
// the tree below /usr is also a package (deb and rpm, by nfpm). Beside each archive is its bill of
// materials (CycloneDX): the modules in the program and the npm packages in the page. A Homebrew
// formula and a Scoop manifest name the archives by URL, and SHA256SUMS has all files.
//
// # The same bytes
//
// The same commit, version of Go and arguments give the same files, in any folder of any machine.
// No file has a time but the commit's, a user, or a path. Entries are sorted. Variables of the
// environment that change code are set here. Modes do not depend on the umask.
//
// The version, the commit and its time are the values that the go command puts into the program. So
// dist needs a clone: in a worktree of git, or without git, programs have no version.
//
// # Cost
//
// Six platforms: 7 minutes of CPU, and 22 s if the go command has compiled the packages before.
//
// # References
//
// https://reproducible-builds.org/docs; https://cyclonedx.org/docs/1.6/json; https://nfpm.goreleaser.com.
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
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"text/template"
	"time"
)

// nfpm makes the packages. It is run and not imported, since its go.mod has 60 modules.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.1"

//go:embed formula.rb manifest.json
var templates embed.FS

// release has the names that the templates use.
type release struct {
	Version  string // without v: 1.2.0
	Homepage string
	URL      string // of the folder that has the archives
	Archives []archive
}

type archive struct{ OS, Arch, File, Sum string }

func main() {
	url := flag.String("url", "BASE_URL", "`URL` of the folder that has the archives, for Homebrew and Scoop")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "dist: expected a folder and one or more OS/ARCH, such as linux/amd64")
		os.Exit(2)
	}
	if err := write(flag.Arg(0), *url, flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func write(folder, url string, platforms []string) error {
	work, err := os.MkdirTemp("", "pavage-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	share := filepath.Join(work, "share")
	if _, err := run([]string{"CGO_ENABLED=0"}, "run", "-trimpath", "./cmd/pavage/share", share); err != nil {
		return err
	}
	doc := filepath.Join(share, "doc", "pavage")
	if err := errors.Join(os.MkdirAll(doc, 0o777), os.MkdirAll(folder, 0o777)); err != nil {
		return err
	}
	for from, to := range map[string]string{"LICENSE": "LICENSE", "README.md": "README.md", "web/dist/licenses.md": "licenses-page.md"} {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(doc, to), text, 0o666); err != nil {
			return err
		}
	}

	r := release{URL: strings.TrimSuffix(url, "/")}
	for _, platform := range platforms {
		goos, arch, _ := strings.Cut(platform, "/")
		tree := filepath.Join(work, goos+"_"+arch)
		if err := os.MkdirAll(filepath.Join(tree, "bin"), 0o777); err != nil {
			return err
		}
		program, format := filepath.Join(tree, "bin", "pavage"), ".tar.gz"
		if goos == "windows" {
			program, format = program+".exe", ".zip"
		}
		_, err := run([]string{"GOOS=" + goos, "GOARCH=" + arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT="},
			"build", "-trimpath", "-buildvcs=auto", "-ldflags=-s -w", "-o", program, "./cmd/pavage")
		if err != nil {
			return err
		}
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return err
		}
		stamp := map[string]string{}
		for _, s := range info.Settings {
			stamp[s.Key] = s.Value
		}
		made, err := time.Parse(time.RFC3339, stamp["vcs.time"])
		if err != nil {
			return errors.New("the program has no version: use a clone with git, not a worktree")
		}
		r.Version, r.Homepage = strings.TrimPrefix(info.Main.Version, "v"), "https://"+info.Main.Path

		texts, err := licenses(info)
		if err != nil {
			return err
		}
		err = errors.Join(
			os.WriteFile(filepath.Join(doc, "licenses-modules.md"), texts, 0o666),
			os.CopyFS(filepath.Join(tree, "share"), os.DirFS(share)))
		if err != nil {
			return err
		}
		name := "pavage_" + r.Version + "_" + goos + "_" + arch
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

		if goos != "linux" {
			continue
		}
		names := []string{"TREE=" + tree, "ARCH=" + arch, "VERSION=" + r.Version, fmt.Sprint("SOURCE_DATE_EPOCH=", made.Unix())}
		for _, packager := range []string{"deb", "rpm"} {
			_, err := run(names, "run", nfpm, "package", "--config", "internal/dist/nfpm.yaml", "--packager", packager, "--target", folder)
			if err != nil {
				return err
			}
		}
	}

	for from, to := range map[string]string{"formula.rb": "pavage.rb", "manifest.json": "pavage.json"} {
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

// pack writes the files of a tree to an archive, below the folder top.
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

// licenses returns the texts that the licenses of Go and of the modules in a program ask for.
func licenses(info *debug.BuildInfo) ([]byte, error) {
	root, err := run(nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	paths := []string{"list", "-m", "-f", "{{.Path}} {{.Version}}\t{{.Dir}}"}
	for _, m := range info.Deps {
		paths = append(paths, m.Path)
	}
	modules, err := run(nil, paths...)
	if err != nil {
		return nil, err
	}
	isLicense := regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|notice)`)
	var texts bytes.Buffer
	for line := range strings.Lines(info.GoVersion + "\t" + root + modules) {
		module, folder, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&texts, "# %s\n\n", module)
		found := false
		for _, file := range files {
			if file.IsDir() || !isLicense.MatchString(file.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, file.Name()))
			if err != nil {
				return nil, err
			}
			found = true
			fmt.Fprintf(&texts, "%s\n\n", bytes.TrimSpace(text))
		}
		if !found {
			return nil, fmt.Errorf("%s: found no license in %s", module, folder)
		}
	}
	return texts.Bytes(), nil
}

// materials returns a CycloneDX document: Go, the modules in a program, and the npm packages of the
// page: all of web/package-lock.json but those for development.
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

// run returns the output of the go command with additional variables. GOFLAGS may change code, so it is
// empty.
func run(variables []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(append(os.Environ(), "GOFLAGS="), variables...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, out) // nfpm writes its errors to stdout
	}
	return string(out), nil
}
