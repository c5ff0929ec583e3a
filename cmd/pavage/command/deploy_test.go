package command

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/internal/kit/human"
)

// deployFolder has the files for people who run the service.
const deployFolder = root + "doc/deploy/"

// started describes how one of the files starts the program.
type started struct {
	file, name  string // file, and name of the container or unit
	args        []string
	environment map[string]string
	grace       time.Duration // time until a kill, without the wait before the first signal
	memory      int64         // memory limit in bytes of all its processes; 0: no limit
	folders     []string      // folders that are mounted
}

// object is a mapping of a YAML file.
type object = map[string]any

// at follows keys through nested mappings. It returns nil if a key is missing.
func at(v any, keys ...string) any {
	for _, k := range keys {
		o, _ := v.(object)
		v = o[k]
	}
	return v
}

// list returns the objects of a list.
func list(v any) (found []object) {
	all, _ := v.([]any)
	for _, x := range all {
		if o, ok := x.(object); ok {
			found = append(found, o)
		}
	}
	return found
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// documents returns the YAML documents of all files of a folder and its subfolders.
func documents(t *testing.T, folder string) map[string][]object {
	t.Helper()
	found := map[string][]object{}
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".yaml" && err == nil {
			found[strings.TrimPrefix(path, deployFolder)], err = decode(path)
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%d files, %v", len(found), err)
	}
	return found
}

func decode(path string) (found []object, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for d := yaml.NewDecoder(bytes.NewReader(b)); ; {
		var o object
		err := d.Decode(&o)
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, errors.Join(errors.New(path), err)
		}
		found = append(found, o)
	}
}

// pods returns the containers of the Kubernetes manifests, with the settings of their config map.
func pods(t *testing.T) (found []started) {
	t.Helper()
	shared := map[string]string{}
	for file, objects := range documents(t, deployFolder+"kubernetes") {
		for _, o := range objects {
			data, _ := o["data"].(object)
			for name, v := range data {
				shared[name] = text(v)
			}
			for _, c := range list(at(o, "spec", "template", "spec", "containers")) {
				found = append(found, pod(file, at(o, "spec", "template", "spec"), c))
			}
		}
	}
	for _, s := range found {
		for name, v := range shared {
			s.environment[name] = v
		}
	}
	return found
}

func pod(file string, spec any, container object) started {
	s := started{file: file, name: text(container["name"]), environment: map[string]string{}}
	s.memory, _ = quantity(text(at(container, "resources", "limits", "memory")))
	for _, e := range list(container["env"]) {
		s.environment[text(e["name"])] = text(e["value"])
	}
	for _, a := range container["args"].([]any) {
		s.args = append(s.args, text(a))
	}
	for _, m := range list(container["volumeMounts"]) {
		s.folders = append(s.folders, text(m["mountPath"]))
	}
	grace, _ := at(spec, "terminationGracePeriodSeconds").(int)
	wait, _ := at(container, "lifecycle", "preStop", "sleep", "seconds").(int)
	s.grace = time.Duration(grace-wait) * time.Second
	return s
}

// quantity parses a size of Kubernetes or compose, such as 4Gi or 2g.
func quantity(size string) (int64, error) {
	size = strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(size), "B"), "I")
	b, err := human.ParseBytes(size + "iB")
	return int64(b), err
}

// composed returns the containers of the compose file that run this program.
func composed(t *testing.T) (found []started) {
	t.Helper()
	for file, objects := range documents(t, deployFolder) {
		services, _ := objects[0]["services"].(object)
		for name, v := range services {
			if text(at(v, "image")) != "pavage" {
				continue
			}
			s := started{file: file, name: name, environment: map[string]string{}, folders: []string{"/data", "/run/secrets"}}
			environment, _ := at(v, "environment").(object)
			for name, v := range environment {
				s.environment[name] = regexp.MustCompile(`\$\{[^}]*\}`).ReplaceAllString(text(v), "x")
			}
			for _, a := range at(v, "command").([]any) {
				s.args = append(s.args, text(a))
			}
			s.grace, _ = time.ParseDuration(text(at(v, "stop_grace_period")))
			s.memory, _ = quantity(text(at(v, "mem_limit")))
			maps.Copy(s.environment, without(imageSettings(t), s.environment))
			found = append(found, s)
		}
	}
	return found
}

// without returns the variables of all that others does not set.
func without(all, others map[string]string) map[string]string {
	maps.DeleteFunc(all, func(name, _ string) bool { _, ok := others[name]; return ok })
	return all
}

// imageSettings returns the variables that the Dockerfile sets.
func imageSettings(t *testing.T) map[string]string {
	t.Helper()
	b, err := os.ReadFile(root + "Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)(?:^ENV| ) *([A-Z_]+)=(\S+)(?: \\)?$`).FindAllStringSubmatch(string(b), -1) {
		found[m[1]] = m[2]
	}
	return found
}

// units returns the services of systemd.
func units(t *testing.T) (found []started) {
	t.Helper()
	for _, file := range []string{"pavage.service", "pavage-work.service"} {
		s := started{file: file, environment: map[string]string{}, folders: []string{"/etc/pavage"}}
		for _, line := range unitLines(t, file) {
			key, value, _ := strings.Cut(line, "=")
			switch key {
			case "ExecStart":
				s.args = strings.Fields(value)[1:]
			case "Environment":
				for _, assignment := range strings.Fields(value) {
					name, value, _ := strings.Cut(assignment, "=")
					s.environment[name] = value
				}
			case "StateDirectory":
				s.folders = append(s.folders, "%S/"+value)
			case "CacheDirectory":
				s.folders = append(s.folders, "%C/"+value)
			case "ReadWritePaths":
				s.folders = append(s.folders, value)
			case "TimeoutStopSec":
				seconds, _ := strconv.Atoi(value)
				s.grace = time.Duration(seconds) * time.Second
			}
		}
		found = append(found, s)
	}
	return found
}

func unitLines(t *testing.T, file string) (lines []string) {
	t.Helper()
	b, err := os.ReadFile(deployFolder + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); strings.Contains(line, "=") && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestDeploy: the files of doc/deploy run this program with existing verbs, flags and settings, and with
// valid values. They give it the time to end, the memory and the folders that the settings require.
func TestDeploy(t *testing.T) {
	all := slices.Concat(pods(t), composed(t), units(t))
	if len(all) != 6 {
		t.Fatalf("%d are started, want a server and a worker in each of three ways", len(all))
	}
	for _, s := range all {
		t.Run(s.file+" "+s.name, func(t *testing.T) {
			cmd, args, err := newRoot(&Call{}).Find(s.args)
			if err != nil || cmd.ParseFlags(args) != nil || !slices.Contains([]string{"serve", "work"}, cmd.Name()) {
				t.Fatalf("%q is no verb of a service: %v", s.args, err)
			}
			c := s.settings(t)
			if s.grace <= c.Drain+5*time.Second {
				t.Errorf("killed after %v, too soon for a drain of %v", s.grace, c.Drain)
			}
			if s.memory > 0 && (c.Memory == 0 || int64(c.Memory) > s.memory*9/10) {
				t.Errorf("PAVAGE_MEMORY is %v of a limit of %d, want a tenth less", c.Memory, s.memory)
			}
			if _, shares := s.environment["PAVAGE_DATABASE_FILE"]; cmd.Name() == "work" && c.Database == "" && !shares {
				t.Error("a worker shares no database")
			}
			for _, path := range []string{c.Data, c.Tokens, c.Disk, s.environment["TMPDIR"], s.environment["PAVAGE_DATABASE_FILE"]} {
				if path != "" && !strings.HasPrefix(path, "%d/") && !slices.ContainsFunc(s.folders, func(f string) bool { return strings.HasPrefix(path+"/", f+"/") }) {
					t.Errorf("%s is in none of %v", path, s.folders)
				}
			}
		})
	}
}

// settings returns the settings of the environment, which package config must accept.
func (s started) settings(t *testing.T) config.Config {
	t.Helper()
	for name, value := range s.environment {
		if said := config.Unknown([]string{name + "=" + value}); said != nil {
			t.Error(said)
		}
		if name != "PAVAGE_DATABASE_FILE" { // the file is on another machine
			t.Setenv(name, value)
		}
	}
	c, err := config.Load(pflag.NewFlagSet("", pflag.ContinueOnError))
	if err != nil {
		t.Error(err)
	}
	return c
}

// TestDeployPorts: the service listens at the ports of a pod. Health checks use one of these ports, and
// an existing path.
func TestDeployPorts(t *testing.T) {
	asked := 0
	for file, objects := range documents(t, deployFolder+"kubernetes") {
		for _, o := range objects {
			for _, c := range list(at(o, "spec", "template", "spec", "containers")) {
				for _, p := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
					ask := at(c, p, "httpGet")
					if path := text(at(ask, "path")); path != "/healthz" && path != "/readyz" || text(at(ask, "port")) != "health" {
						t.Errorf("%s: %s asks %v", file, p, ask)
					}
					asked++
				}
				for _, p := range list(c["ports"]) {
					of := map[string]string{"http": ":8080", "health": ":8081"}[text(p["name"])]
					if _, port, err := net.SplitHostPort(of); err != nil || strconv.Itoa(p["containerPort"].(int)) != port {
						t.Errorf("%s: port %v", file, p)
					}
				}
			}
		}
	}
	if asked != 6 {
		t.Errorf("%d probes, want three for each of two", asked)
	}
	for _, s := range pods(t) {
		if c := s.settings(t); c.Health != ":8081" || s.args[0] == "serve" && c.Listen != ":8080" {
			t.Errorf("%s listens at %q and %q", s.file, c.Listen, c.Health)
		}
	}
}

// TestDeployImage: the image runs the service as the manifests do, checks the health without a shell, and
// keeps the data in the volume.
func TestDeployImage(t *testing.T) {
	image := started{file: "Dockerfile", environment: imageSettings(t)}
	if c := image.settings(t); c.Data != "/data" || c.Listen != ":8080" || c.Health == "" || image.environment["TMPDIR"] != "/data/tmp" {
		t.Errorf("the settings of the image are %v", image.environment)
	}
	b, err := os.ReadFile(root + "Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"FROM scratch\n", "\nUSER 65532:65532\n", "\nVOLUME /data\n", "\nEXPOSE 8080\n", `CMD ["/pavage", "health"]`, "\nENTRYPOINT [\"/pavage\"]\n", "--chown=65532:65532 /out/data /data\n"} {
		if !strings.Contains(string(b), line) {
			t.Errorf("the Dockerfile has no %q", line)
		}
	}
	for file, objects := range documents(t, deployFolder+"kubernetes") {
		for _, o := range objects {
			spec := at(o, "spec", "template", "spec")
			if user := at(spec, "securityContext", "runAsUser"); spec != nil && (user != 65532 || at(spec, "securityContext", "fsGroup") != user) {
				t.Errorf("%s: the user is %v", file, user)
			}
		}
	}
}

// TestDeployUnits: a worker has no more rights than a server.
func TestDeployUnits(t *testing.T) {
	fence := regexp.MustCompile(`^(Protect|Private|Restrict|System|NoNew|Capab|Ambient|Device|Remove|Keyring|Lock|MemoryDeny|OOM|Kill|UMask|User|Group)`)
	fences := func(file string) (found []string) {
		for _, line := range unitLines(t, file) {
			if fence.MatchString(line) {
				found = append(found, line)
			}
		}
		return found
	}
	if serve, work := fences("pavage.service"), fences("pavage-work.service"); !slices.Equal(serve, work) || len(serve) < 30 {
		t.Errorf("the server has\n%q\nthe worker\n%q", serve, work)
	}
}

// TestDeployAlerts: each alert uses existing metrics.
func TestDeployAlerts(t *testing.T) {
	sources, err := filepath.Glob(root + "server/metrics/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatal(err)
	}
	var known []byte
	for _, file := range sources {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		known = append(known, b...)
	}
	b, err := os.ReadFile(deployFolder + "prometheus/alerts.yaml")
	names := regexp.MustCompile(`pavage_[a-z_]+`).FindAllString(string(b), -1)
	if err != nil || len(names) < 5 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		if !bytes.Contains(known, []byte("//\t"+name+"{")) {
			t.Errorf("%s is no metric", name)
		}
	}
}

// TestDeployPage: the page describes each file.
func TestDeployPage(t *testing.T) {
	page, err := os.ReadFile(deployFolder + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"", "kubernetes/", "prometheus/", "proxy/"} {
		files, err := os.ReadDir(deployFolder + folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if name := folder + f.Name(); f.Name() != "README.md" && !f.IsDir() && !bytes.Contains(page, []byte("]("+name+")")) {
				t.Errorf("README.md does not speak of %s", name)
			}
		}
	}
}
