package child

import (
	"bytes"
	"io"
	"runtime"
	"syscall/js"
	"testing"

	"github.com/pavage/pavage/internal/kit/jsbytes"
)

// TestWorkerWaits: a child waits while its parent does not read, and no byte is lost.
func TestWorkerWaits(t *testing.T) {
	js.Global().Call("eval", `{
		const to = globalThis
		to.said = []
		to.say = (output) => to.said.push(...output)
		to.hear = (input, taken) => { to.taken = taken }
	}`)
	said := js.Global().Get("said")
	_, out := pipes()
	want := make([]byte, 3*pipe+5)
	for i := range want {
		want[i] = byte(i % 251)
	}
	over := make(chan error)
	go func() {
		_, err := out.Write(want[:pipe/2])
		if err == nil {
			_, err = out.Write(want[pipe/2:])
		}
		over <- err
	}()
	for acknowledged := 0; acknowledged < len(want); {
		for range 100 { // there is only one thread, so the writer waits
			runtime.Gosched()
		}
		if on := said.Length() - acknowledged; on == 0 || on > pipe {
			t.Fatalf("%d bytes are on the way, want at most %d", on, pipe)
		}
		n := said.Length() - acknowledged
		acknowledged += n
		js.Global().Call("taken", n)
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
	if got := jsbytes.From(js.Global().Get("Uint8Array").Call("from", said)); !bytes.Equal(got, want) {
		t.Errorf("%d bytes came, want %d, or they differ", len(got), len(want))
	}
}

// TestParentAcknowledges: a parent acknowledges only bytes that it has read.
func TestParentAcknowledges(t *testing.T) {
	js.Global().Call("eval", `{
		const to = globalThis
		to.acknowledged = 0
		to.startChild = (output, error, end) => {
			to.push = (n) => output(new Uint8Array(n))
			to.close = () => end("ended")
			return { post() {}, end() {}, taken(n) { to.acknowledged += n } }
		}
	}`)
	acknowledged := func() int { return js.Global().Get("acknowledged").Int() }
	p, err := newProcess(Options{}, &Task{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.remove()
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		js.Global().Call("push", 100)
	}
	n, err := p.out.Read(make([]byte, 250))
	if n != 250 || err != nil || acknowledged() != n {
		t.Errorf("%d bytes were read and %d acknowledged, %v", n, acknowledged(), err)
	}
	js.Global().Call("close")
	if rest, err := io.ReadAll(p.out); len(rest) != 50 || err != nil || acknowledged() != 300 {
		t.Errorf("the rest has %d bytes, %d are acknowledged, %v", len(rest), acknowledged(), err)
	}
}
