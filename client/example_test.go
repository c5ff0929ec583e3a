package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// service returns a substitute for pavage serve.
func service() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"title":"","count":"12988816","engine":"sweep","items":65,"options":112}`)
	}))
}

func Example() {
	s := service()
	defer s.Close()

	c, err := client.New(s.URL) // such as http://localhost:8080
	if err != nil {
		fmt.Println(err)
		return
	}
	counted, err := c.Count(context.Background(), &job.Count{
		Puzzle: job.Puzzle{Board: "8x8", Pieces: []string{"domino=any"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(counted.Count)
	// Output: 12988816
}
