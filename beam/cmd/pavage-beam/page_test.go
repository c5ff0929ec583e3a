package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// page is the guide, which the tests of the other module do not run, since they lack this program.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../doc/many-machines.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var shown = regexp.MustCompile("(?s)```console\n\\$ (pavage-beam [^\n]*)\n(.*?)```")

// TestPageCommands: the commands of the guide write the output that it shows. Commands that are
// interrupted there are not run.
func TestPageCommands(t *testing.T) {
	done := 0
	for _, m := range shown.FindAllStringSubmatch(page(t), -1) {
		if strings.Contains(m[2], "^C") {
			continue
		}
		args := strings.Fields(m[1])
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = t.TempDir()
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != m[2] {
			t.Errorf("%s\n got %s%v\nwant %s", m[1], out, err, m[2])
		}
		done++
	}
	if done == 0 {
		t.Error("no command was found")
	}
}

// notOf are flags of other programs that the guide names.
var notOf = strings.Fields("--checkpoint --net --flink-master --spark-master-url --job_port --artifacts-dir --recursive")

var flagName = regexp.MustCompile("--[a-z][a-z_-]+")

// TestPageFlags: all flags that the guide names exist, but for the flags that it names as refused.
func TestPageFlags(t *testing.T) {
	var there strings.Builder
	for _, args := range [][]string{{"count", "--help"}, {"engines"}} {
		out, err := exec.Command("pavage-beam", args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		there.Write(out)
	}
	known := map[string]bool{"--async": true, "--update": true, "--help": true}
	for _, name := range append(flagName.FindAllString(there.String(), -1), notOf...) {
		known[name] = true
	}
	for _, name := range flagName.FindAllString(page(t), -1) {
		if !known[name] {
			t.Errorf("there is no flag %s", name)
		}
	}
}
