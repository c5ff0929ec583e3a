// Package queuetest gives tests a database of Postgres.
//
// # Purpose
//
// Queues are tested with both databases of the service. SQLite needs no server. For Postgres this
// package starts Debian's server, with default settings, in a temporary folder:
//
//	func TestMain(m *testing.M) { os.Exit(queuetest.Main(m)) }
//
//	url := queuetest.Postgres(t)   // the URL of a new, empty database
//
// The first test that calls Postgres starts the server, which listens only on a socket in its
// folder, and ends with the tests. The server refuses to run as root, so for root it runs as the
// user nobody. On a machine without Postgres the tests are skipped, or fail if the variable
// TEST_POSTGRES is set.
//
// # Non-goals
//
// It never uses a server that is already running, since the data of that server might matter.
//
// # Cost
//
// Making and starting the server takes about a second, making a database 0.1 s.
package queuetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const variable = "TEST_POSTGRES"

// patience is the time limit of a start. It only ends a start that hangs.
const patience = 5 * time.Minute

type server struct {
	folder string
	cmd    *exec.Cmd
	ended  chan struct{}
	made   int // the number of databases made
}

var (
	mu      sync.Mutex
	running *server
)

// Main runs the tests and then ends the server, if there is one.
func Main(m *testing.M) (code int) {
	defer func() {
		mu.Lock()
		defer mu.Unlock()
		if running != nil {
			running.stop()
			running = nil
		}
	}()
	return m.Run()
}

// Postgres returns the URL of a new database. The package's TestMain must call Main.
func Postgres(t testing.TB) (url string) {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	if running == nil {
		bin, err := find()
		if err != nil && os.Getenv(variable) == "" {
			t.Skip(err)
		}
		if err == nil {
			running, err = start(bin)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	running.made++
	name := fmt.Sprintf("test%d", running.made)
	if err := running.do(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return running.url(name)
}

// find returns the folder with the programs of Postgres, which Debian keeps out of PATH.
func find() (folder string, err error) {
	if program, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(program), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.New("there is no Postgres on this machine (initdb is neither in PATH nor in /usr/lib/postgresql): install Debian's postgresql")
	}
	return filepath.Dir(found[len(found)-1]), nil
}

func start(bin string) (s *server, err error) {
	folder, err := os.MkdirTemp("", "pavage-pg")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(folder)
		}
	}()
	as, err := asUser(folder)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(folder, "data")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "pavage", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = folder, as
	if said, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, said)
	}
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "max_connections=200")
	cmd.Dir, cmd.SysProcAttr, cmd.Stdout, cmd.Stderr = folder, as, log, log
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s = &server{folder: folder, cmd: cmd, ended: make(chan struct{})}
	go func() { cmd.Wait(); close(s.ended) }()
	if err := s.ready(); err != nil {
		said, _ := os.ReadFile(log.Name())
		s.stop()
		return nil, fmt.Errorf("postgres: %w\n%s", err, said)
	}
	return s, nil
}

func (s *server) ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		err := s.do(ctx, "SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			return errors.New("it ended")
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *server) url(database string) string {
	return "postgres://pavage@/" + database + "?host=" + s.folder
}

func (s *server) do(ctx context.Context, text string) error {
	c, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	_, err = c.Exec(ctx, text)
	return err
}

func (s *server) stop() {
	s.cmd.Process.Signal(abort)
	<-s.ended
	os.RemoveAll(s.folder)
}
