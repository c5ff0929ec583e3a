package client_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// jobs returns a service with one job. The job is queued, and becomes done when a client follows it.
func jobs() *httptest.Server {
	const (
		queued = `{"id":"abc","kind":"list","state":"queued","version":1}`
		done   = `{"id":"abc","kind":"list","state":"done","version":3,"answer":{"listed":"3"},"output":"/v1/jobs/abc/output"}`
		lines  = `{"rank":"0"}` + "\n" + `{"rank":"1"}` + "\n" + `{"rank":"2"}` + "\n"
	)
	mux := http.NewServeMux()
	for path, text := range map[string]string{
		"POST /v1/jobs":           queued,
		"GET /v1/jobs/abc":        done,
		"GET /v1/jobs/abc/events": "id: 1\nevent: job\ndata: " + queued + "\n\nid: 3\nevent: job\ndata: " + done + "\n\nid: 3\nevent: end\ndata: {}\n\n",
		"GET /v1/jobs/abc/output": lines,
		"POST /v1/samples":        lines,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
	}
	return httptest.NewServer(mux)
}

// connect is a client of a service such as http://localhost:8080.
func connect(address string) *client.Client {
	c, err := client.New(address)
	if err != nil {
		log.Fatal(err)
	}
	return c
}

var board = job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}

// A client submits a job, waits for its end, and reads its answer.
func ExampleClient_Submit() {
	s := jobs()
	defer s.Close()
	ctx, c := context.Background(), connect(s.URL)

	j, err := c.Submit(ctx, &job.List{Puzzle: board}, client.Limits{Memory: "512MiB"}, 0)
	if err != nil {
		log.Fatal(err)
	}
	if j, err = c.Wait(ctx, j.ID); err != nil {
		log.Fatal(err)
	}
	listed, err := client.AnswerOf[job.Listed](j)
	if err != nil {
		log.Fatal(err) // for example, the job failed
	}
	fmt.Println(listed.Listed, "tilings")
	// Output: 3 tilings
}

// Samples draws random tilings. The same seed draws the same tilings.
func ExampleClient_Samples() {
	s := jobs()
	defer s.Close()
	c := connect(s.URL)

	for tiling, err := range c.Samples(context.Background(), &job.Sample{Puzzle: board, Number: 3, Seed: new(job.Whole(7))}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(tiling))
	}
	// Output:
	// {"rank":"0"}
	// {"rank":"1"}
	// {"rank":"2"}
}

func ExampleClient_Events() {
	s := jobs()
	defer s.Close()
	c := connect(s.URL)

	for j, err := range c.Events(context.Background(), "abc") {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(j.State)
		if p := j.Progress; p != nil {
			fmt.Printf("%s: %.0f %%\n", p.Doing, 100*p.Fraction)
		}
	}
	// Output:
	// queued
	// done
}

// Output returns the output of a job as a stream.
func ExampleClient_Output() {
	s := jobs()
	defer s.Close()
	c := connect(s.URL)

	output, err := c.Output(context.Background(), "abc")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = output.Close() }()
	text, err := io.ReadAll(output)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(text), "bytes")
	// Output: 39 bytes
}

// AnswerOf returns an error with the reason if a job has no answer.
func ExampleAnswerOf() {
	_, err := client.AnswerOf[job.Counted](&client.Job{ID: "abc", State: client.Running})
	fmt.Println(err)
	_, err = client.AnswerOf[job.Counted](&client.Job{State: client.Failed, Error: &client.Problem{Detail: "the timeout was reached"}})
	fmt.Println(err)
	// Output:
	// the job abc is running
	// the timeout was reached
}
