package job_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
)

// Requests and answers are structs.
func Example() {
	limits := job.Resolve(0, 0, job.NoDisk) // called once in a process
	count := &job.Count{
		Puzzle:   job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}},
		Distinct: job.DistinctUsual,
	}
	counted, err := job.Do(context.Background(), count, limits, job.Watch{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s tilings, %s up to %s\n", counted.Count, counted.Distinct.Count, counted.Distinct.UpTo)
	// Output:
	// 3 tilings, 2 up to rotations and reflections of the board (group D2 of order 4)
}

// A request from outside is decoded strictly: an unknown field is an error. The tilings are
// received one by one.
func ExampleDecode() {
	request, err := job.Decode("list", []byte(`{"puzzle": {"board": "2x3", "pieces": ["domino=any"]}, "number": "2"}`))
	if err != nil {
		fmt.Println(err, job.KindOf(err) == job.BadInput)
		return
	}
	answer, err := job.Run(context.Background(), request, job.Limits{}, job.Watch{
		Tiling: func(t render.Tiling) error {
			fmt.Println(len(t.Placements), "dominoes, cursor", t.Cursor)
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := json.Marshal(answer)
	fmt.Println(string(text))
	// Output:
	// 3 dominoes, cursor 0.2.6
	// 3 dominoes, cursor 1.3.4
	// {"title":"","listed":"2","cursor":"1.3.4","limited":true}
}
