package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/pavage/pavage/job"
)

const maxQuery = 2000 // limit in bytes; a count with a longer query is submitted as a job

// query returns the URL query of a count. ok is false if the URL is too long or the puzzle binary.
func query(r *job.Count) (q url.Values, ok bool) {
	q = url.Values{}
	p := r.Puzzle
	set(q, "puzzle", p.Text)
	set(q, "from", p.From)
	set(q, "problem", p.Problem)
	if p.Example != "" {
		q.Set("puzzle", job.ExamplePrefix+p.Example)
	}
	set(q, "board", p.Board)
	set(q, "lattice", p.Lattice)
	set(q, "wrap", p.Wrap)
	set(q, "cover", p.Cover)
	set(q, "motions", p.Motions)
	for _, piece := range p.Pieces {
		q.Add("piece", piece)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Values)) {
		q.Add("set", name+"="+p.Values[name])
	}
	text, _ := json.Marshal(r) // cannot fail; except the puzzle, the fields are strings, booleans, and lists of strings
	var fields map[string]any
	_ = json.Unmarshal(text, &fields)
	delete(fields, "puzzle")
	for name, value := range fields {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, one := range list {
			q.Add(name, fmt.Sprint(one))
		}
	}
	return q, len(p.Data) == 0 && len(q.Encode()) <= maxQuery
}

// Count counts the tilings of a puzzle. It waits for the end of the count.
func (c *Client) Count(ctx context.Context, r *job.Count) (*job.Counted, error) {
	q, short := query(r)
	if !short || r.Explain || r.Formula {
		return c.work(ctx, r)
	}
	return answer[job.Counted](ctx, c, call{method: http.MethodGet, path: "/v1/count", query: q, again: true})
}

func (c *Client) work(ctx context.Context, r *job.Count) (*job.Counted, error) {
	j, err := c.Submit(ctx, r, Limits{}, pollTime)
	if err == nil && !j.State.Ended() {
		j, err = c.Wait(ctx, j.ID)
	}
	if err != nil {
		return nil, err
	}
	return AnswerOf[job.Counted](j)
}

func answer[A any](ctx context.Context, c *Client, k call) (*A, error) {
	body, by, err := c.make(ctx, k)
	if err != nil {
		return nil, err
	}
	if by != nil {
		return AnswerOf[A](by)
	}
	defer func() { _ = body.Close() }()
	a := new(A)
	return a, json.NewDecoder(body).Decode(a)
}

func (c *Client) make(ctx context.Context, k call) (body io.ReadCloser, by *Job, err error) {
	sent, err := c.send(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	if sent.Request.URL.Path == c.base.Path+k.path {
		return sent.Body, nil, nil
	}
	by = new(Job)
	err = json.NewDecoder(sent.Body).Decode(by)
	_ = sent.Body.Close()
	if err == nil && !by.State.Ended() {
		by, err = c.Wait(ctx, by.ID)
	}
	if err == nil {
		_, err = AnswerOf[json.RawMessage](by)
	}
	return nil, by, err
}

func (c *Client) lines(ctx context.Context, k call) (io.ReadCloser, error) {
	body, by, err := c.make(ctx, k)
	if err != nil || by == nil {
		return body, err
	}
	return c.Output(ctx, by.ID)
}

// Samples draws tilings and yields each as a line of JSON, see render.TilingJSON. The sequence ends
// with an error if the answer is cut off. If the caller is slow, the service draws slowly.
func (c *Client) Samples(ctx context.Context, r *job.Sample) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		_, body, err := fieldsOf(r)
		if err != nil {
			yield(nil, err)
			return
		}
		sent, err := c.lines(ctx, call{method: http.MethodPost, path: "/v1/samples", accept: "application/jsonl", again: true, body: body})
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = sent.Close() }()
		lines := bufio.NewReaderSize(sent, 1<<16)
		for {
			line, err := lines.ReadBytes('\n')
			switch {
			case err == io.EOF && len(line) == 0:
				return
			case err != nil:
				yield(nil, fmt.Errorf("the stream of tilings was cut off: %w", err))
				return
			case !yield(bytes.TrimRight(line, "\n"), nil):
				return
			}
		}
	}
}

// Tiling returns a tiling as a line of JSON. Ranks are "first", "last", and decimal numbers from 0.
func (c *Client) Tiling(ctx context.Context, p job.Puzzle, rank string) (json.RawMessage, error) {
	return c.Unrank(ctx, p, job.Conditions{}, rank)
}

// Unrank is like Tiling, but the rank is among the tilings that satisfy the conditions.
func (c *Client) Unrank(ctx context.Context, p job.Puzzle, given job.Conditions, rank string) (line json.RawMessage, err error) {
	body := TilingRequest{Puzzle: puzzleJSON(p), Rank: rank, Conditions: given}
	sent, err := c.lines(ctx, call{method: http.MethodPost, path: "/v1/tilings", again: true, body: body})
	if err != nil {
		return nil, err
	}
	defer func() { _ = sent.Close() }()
	return line, json.NewDecoder(sent).Decode(&line)
}

// Picture returns an SVG of n uniformly random tilings.
func (c *Client) Picture(ctx context.Context, p job.Puzzle, n int, seed job.Whole) ([]byte, error) {
	return c.picture(ctx, p, n, seed, "image/svg+xml")
}

// PNG returns a PNG picture of n uniformly random tilings.
func (c *Client) PNG(ctx context.Context, p job.Puzzle, n int, seed job.Whole) ([]byte, error) {
	return c.picture(ctx, p, n, seed, "image/png")
}

func (c *Client) picture(ctx context.Context, p job.Puzzle, n int, seed job.Whole, kind string) ([]byte, error) {
	_, fields, err := fieldsOf(&job.Sample{Puzzle: p, Number: job.Whole(n), Seed: &seed})
	if err != nil {
		return nil, err
	}
	k := call{method: http.MethodPost, path: "/v1/samples", accept: kind, again: true, body: fields}
	const tries = 3 // a limit, since a full store may remove the output of each job before it is read
	for range tries {
		body, by, err := c.make(ctx, k)
		if err != nil {
			return nil, err
		}
		if by != nil { // a job has drawn and stored the tilings
			continue
		}
		defer func() { _ = body.Close() }()
		return io.ReadAll(body)
	}
	return nil, errors.New("the service has not kept the tilings that the job has drawn")
}

// Check returns the puzzle as the service reads it, or the mistakes in it.
func (c *Client) Check(ctx context.Context, p job.Puzzle) (*Checked, error) {
	seen := new(Checked)
	return seen, c.into(ctx, call{method: http.MethodPost, path: "/v1/puzzles:check", body: puzzleJSON(p), again: true}, seen)
}

// Estimate returns a forecast of the time and memory of a count.
func (c *Client) Estimate(ctx context.Context, p job.Puzzle) (*job.Estimation, error) {
	return answer[job.Estimation](ctx, c, call{method: http.MethodPost, path: "/v1/puzzles:estimate", body: puzzleJSON(p), again: true})
}

// Clues returns puzzles with exactly one tiling. It may have to wait for the end of a job.
func (c *Client) Clues(ctx context.Context, r *job.Clues) (*job.Clued, error) {
	_, body, err := fieldsOf(r)
	if err != nil {
		return nil, err
	}
	return answer[job.Clued](ctx, c, call{method: http.MethodPost, path: "/v1/clues", body: body, again: true})
}

// Examples returns the bundled puzzles with this word in their name or title, or all if word is "".
func (c *Client) Examples(ctx context.Context, word string) (*job.Bundled, error) {
	q := url.Values{}
	set(q, "word", word)
	bundled := new(job.Bundled)
	return bundled, c.into(ctx, get("/v1/examples", q), bundled)
}

// Version returns the version of the service.
func (c *Client) Version(ctx context.Context) (*Version, error) {
	v := new(Version)
	return v, c.into(ctx, get("/v1/version", nil), v)
}
