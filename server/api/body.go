package api

import (
	"compress/gzip"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/server/access"
)

const jsonType = "application/json"

var yamlTypes = []string{"application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"}

type body struct {
	text []byte
	yaml bool
}

func (s *service) body(w http.ResponseWriter, r *http.Request) (b body, p *client.Problem) {
	empty := wrong("body", "the body is empty, expected JSON such as %s, with Content-Type: %s",
		s.document.Paths[r.URL.Path].Post.RequestBody.Content[jsonType].Example, jsonType)
	large := access.NewProblem(http.StatusRequestEntityTooLarge, "the body has more than %d bytes, expected a smaller body", s.o.MaxBody)
	if r.ContentLength == 0 {
		return b, empty
	}
	header := r.Header.Get("Content-Type")
	given, params, err := mime.ParseMediaType(header)
	b.yaml = slices.Contains(yamlTypes, given)
	charset := strings.ToLower(params["charset"])
	if err != nil || !b.yaml && given != jsonType || charset != "" && charset != "utf-8" {
		return b, access.NewProblem(http.StatusUnsupportedMediaType,
			"the Content-Type is %.80q, expected %s, or %s for the text of a puzzle; curl has the flag --json", header, jsonType, yamlTypes[0])
	}
	if r.ContentLength > s.o.MaxBody {
		return b, large
	}
	// The error is ignored, since the writers of some tests support no time limit.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.o.BodyTime))
	// A gzip stream of any length may unpack to no bytes, so the compressed bytes are limited too.
	packed := &io.LimitedReader{R: r.Body, N: s.o.MaxBody + 1}
	from := io.Reader(packed)
	switch coding := strings.ToLower(r.Header.Get("Content-Encoding")); coding {
	case "", "identity":
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return b, wrong("body", "the body is not gzip: %v", err)
		}
		from = unpacked
	default:
		return b, access.NewProblem(http.StatusUnsupportedMediaType, "the Content-Encoding is %.40q, expected gzip, or no Content-Encoding", coding)
	}
	b.text, err = io.ReadAll(io.LimitReader(from, s.o.MaxBody+1))
	var timeout interface{ Timeout() bool }
	switch {
	case int64(len(b.text)) > s.o.MaxBody, packed.N == 0:
		return b, large
	case errors.As(err, &timeout) && timeout.Timeout():
		return b, access.NewProblem(http.StatusRequestTimeout, "the body did not arrive within %v", s.o.BodyTime)
	case err != nil:
		return b, wrong("body", "the body cannot be read: %v", err)
	}
	w.Header().Del("Connection") // removes "close": the whole body was read, so the connection can stay open
	switch {
	case len(b.text) == 0:
		return b, empty
	case !utf8.Valid(b.text):
		return b, wrong("body", "the body is not UTF-8")
	}
	return b, scanDigits("body", string(b.text))
}

// maxDigits is the greatest number of digits of a number in a request. Parsing more digits is slow.
const maxDigits = 1000

func scanDigits(location, text string) *client.Problem {
	digits := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < '0' || c > '9' {
			digits = 0
			continue
		}
		if digits++; digits > maxDigits {
			return wrong(location, "a number has more than %d digits, expected fewer digits", maxDigits)
		}
	}
	return nil
}
