// Command programs builds pavage for some platforms. The command make programs runs it.
//
//	programs FOLDER OS/ARCH...
//
// For each platform, FOLDER/OS/ARCH gets the program, without symbols, and the licenses of its
// parts:
//
//	pavage              or pavage.exe; it has the page of web/dist, if npm has built the page
//	LICENSE
//	licenses-modules.md license texts that Go and the modules in the program require
//	licenses-page.md    license texts that the parts of the page require
//
// dist makes archives and packages from these files, and python/wheel.py makes wheels. The same
// commit and version of Go give the same files, because this command sets the environment variables
// that change the code for amd64 and arm64. It cannot unset GOEXPERIMENT, since an empty variable
// does not replace a value that go env -w has set. So such a value is an error.
//
// # Cost
//
// Six platforms need 7 minutes of CPU time, or 22 s if the packages are in the cache of the go
// command.
package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "programs: expected a folder and one or more OS/ARCH, such as linux/amd64")
		os.Exit(2)
	}
	for _, platform := range os.Args[2:] {
		if err := write(os.Args[1], platform); err != nil {
			fmt.Fprintln(os.Stderr, "programs:", err)
			os.Exit(1)
		}
	}
}

// write builds the program of a platform and adds the licenses.
func write(folder, platform string) error {
	goos, arch, ok := strings.Cut(platform, "/")
	if !ok {
		return fmt.Errorf("%q is not a platform, expected OS/ARCH, such as linux/amd64", platform)
	}
	folder = filepath.Join(folder, goos, arch)
	program := filepath.Join(folder, "pavage")
	if goos == "windows" {
		program += ".exe"
	}
	_, err := run([]string{"GOOS=" + goos, "GOARCH=" + arch},
		"build", "-buildvcs=auto", "-ldflags=-s -w", "-o", program, "./cmd/pavage")
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	for _, s := range info.Settings {
		if s.Key == "GOEXPERIMENT" {
			return fmt.Errorf(`"go env -w" has set GOEXPERIMENT=%s, expected no experiment: run "go env -u GOEXPERIMENT"`, s.Value)
		}
	}
	modules, err := licenses(info)
	if err != nil {
		return err
	}
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	texts := map[string][]byte{"LICENSE": own, "licenses-modules.md": modules}
	switch page, err := os.ReadFile("web/dist/licenses.md"); {
	case err == nil:
		texts["licenses-page.md"] = page
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// licenses returns the license texts of Go and of the modules in a program.
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

// run returns the output of the go command with additional environment variables.
func run(variables []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(),
		"CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off", "GOFLAGS=-trimpath", "GOWORK=off")
	cmd.Env = append(cmd.Env, variables...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return string(out), nil
}
