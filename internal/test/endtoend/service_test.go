package endtoend

import (
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/cmd/pavage/command"
	"github.com/pavage/pavage/internal/test/queuetest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// program is the name of the test program when it runs as pavage: so the children that a service
// starts have this name.
const program = "pavage"

func TestMain(m *testing.M) {
	if os.Args[0] == program {
		os.Exit(command.Main(os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil { // they wait for processes more than they work
		panic(err)
	}
	os.Exit(queuetest.Main(m))
}

// pavage is a process that is not started yet. Of the tests' environment it has only the folder for
// temporary files.
func pavage(args ...string) *exec.Cmd {
	file, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(file, args...)
	cmd.Args[0] = program
	cmd.Env = []string{"TMPDIR=" + os.TempDir(), "HOME=" + os.TempDir(), "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = withParent()
	return cmd
}

// output runs a process that must succeed, and returns its standard output.
func output(t *testing.T, args ...string) string {
	t.Helper()
	out, err := pavage(args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("%q: %v: %s", args, err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// setup is how the processes of a service are started, and which were.
type setup struct {
	data     string
	database string // "": SQLite
	more     []string
	started  []*service
}

// fresh is a service in an empty folder that does not exist yet.
func fresh(t testing.TB, database string, more ...string) *setup {
	return &setup{data: filepath.Join(t.TempDir(), "data"), database: database, more: more}
}

func (s *setup) args(verb string) []string {
	args := []string{verb, "--data", s.data, "--log-format", "json", "--log-level", "debug", "--drain", "1h", "--threads", "2"}
	if verb == "serve" {
		args = append(args, "--listen", "127.0.0.1:0", "--rate", "0")
	}
	if s.database != "" {
		args = append(args, "--database", s.database)
	}
	if !strings.Contains(strings.Join(s.more, " "), "--memory") {
		args = append(args, "--memory", "1GiB")
	}
	return append(args, s.more...)
}

// service is a running pavage serve or pavage work.
type service struct {
	*setup
	t     testing.TB
	cmd   *exec.Cmd
	log   *record
	url   string // "" of pavage work
	http  *http.Client
	ended chan struct{}
	err   error // once ended

	killed bool
}

// serve starts pavage serve and waits until it is ready.
func (s *setup) serve(t testing.TB) *service {
	t.Helper()
	v := s.start(t, "serve")
	v.url = v.until(`serves at (http://\S+), `)[1]
	testkit.Until(t, "/readyz", func() bool { return v.get("/readyz") != "" || v.hasEnded() })
	return v
}

// work starts pavage work.
func (s *setup) work(t testing.TB) *service {
	t.Helper()
	v := s.start(t, "work")
	v.until(`pavage is ready for jobs`)
	return v
}

// start starts a process, which is killed at the end of the test at the latest.
func (s *setup) start(t testing.TB, verb string) *service {
	t.Helper()
	v := &service{setup: s, t: t, cmd: pavage(s.args(verb)...), log: newRecord(), ended: make(chan struct{})}
	v.http = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	v.cmd.Stderr, v.cmd.Stdout = v.log, v.log
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.started = append(s.started, v)
	go func() {
		v.err = v.cmd.Wait()
		close(v.ended)
	}()
	t.Cleanup(func() {
		v.kill()
		if t.Failed() && testing.Verbose() {
			t.Logf("log of %s %d:\n%.200000s", verb, v.cmd.Process.Pid, v.log)
		}
	})
	return v
}

// until waits until the process has written a match of the pattern.
func (v *service) until(pattern string) (match []string) {
	v.t.Helper()
	re := regexp.MustCompile(pattern)
	testkit.Until(v.t, pattern, func() bool {
		match = re.FindStringSubmatch(v.log.String())
		if match == nil && v.hasEnded() {
			v.t.Fatalf("it ended (%v) without %q:\n%.5000s", v.err, pattern, v.log)
		}
		return match != nil
	})
	return match
}

func (v *service) hasEnded() bool {
	select {
	case <-v.ended:
		return true
	default:
		return false
	}
}

// kill is kill -9, and waits for the end of this process alone.
func (v *service) kill() {
	v.killed = !v.hasEnded()
	_ = v.cmd.Process.Kill() // it may have ended
	<-v.ended
	v.http.CloseIdleConnections()
}

// stop sends the process a signal to end. It must end with code 0, and its children with it.
func (v *service) stop() {
	v.t.Helper()
	v.http.CloseIdleConnections()
	if err := v.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		v.t.Error(err)
	}
	<-v.ended
	if v.err != nil {
		v.t.Errorf("it ended with %v:\n%.5000s", v.err, v.log)
	}
}

func (v *service) client() *client.Client {
	v.t.Helper()
	c, err := client.New(v.url)
	if err != nil {
		v.t.Fatal(err)
	}
	c.HTTP = v.http
	return c
}

// get is the answer to a GET, "" if there is no good one.
func (v *service) get(path string) string {
	_, text := v.ask(path)
	return text
}

// ask is the status of a GET, and its text if that is good.
func (v *service) ask(path string, headers ...string) (status int, text string) {
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet, v.url+path, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := v.http.Do(r)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return answer.StatusCode, ""
	}
	return answer.StatusCode, string(body)
}

// record keeps the output of a process, and wakes the tests that wait for a number of lines.
type record struct {
	mu    sync.Mutex
	text  strings.Builder
	lines int
	at    map[int]chan struct{} // closed when the number of lines is the key
	read  int                   // bytes of text that jobs is made of
	jobs  []line                // those about jobs
}

func newRecord() *record { return &record{at: map[int]chan struct{}{}} }

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for range strings.Count(string(p), "\n") {
		r.lines++
		if c := r.at[r.lines]; c != nil {
			close(c)
			delete(r.at, r.lines)
		}
	}
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// after is closed when n more lines have come.
func (r *record) after(n int) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.at[r.lines+n]
	if c == nil {
		c = make(chan struct{})
		r.at[r.lines+n] = c
	}
	return c
}

// onBoth runs a test on both databases beside other tests, on Postgres in the long run alone:
// the tests of server/queue and server/worker have it in every run.
func onBoth(t *testing.T, test func(t *testing.T, database string)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, "")
	})
	t.Run("postgres", func(t *testing.T) {
		testkit.Long(t)
		t.Parallel()
		test(t, queuetest.Postgres(t))
	})
}
