package job

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// keyVersion is in every key: a change of what answers hold, or of what keys are made of, changes
// it, and old answers are not found any more.
const keyVersion = 1

// Key is a digest of a request, for a store of answers: requests with the same key have equal answers,
// but for the title, which [Retitle] sets. shared is false if the answer is another one each time, as
// that of a sample without a seed: then there is no key.
func Key(r Request) (digest [32]byte, shared bool, err error) {
	if err := r.Check(); err != nil {
		return digest, false, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return digest, false, err
	}
	return sha256.Sum256(fmt.Appendf(nil, "pavage %d %s %s", keyVersion, r.Kind(), text)), fresh(r) == "", nil
}

// fresh says why the answer to a request is another one each time, "" if it is not.
func fresh(r Request) string {
	switch r := r.(type) {
	case *Sample:
		if r.Seed == nil {
			return "there is no seed"
		}
	case *Verify:
		if r.Seed == nil {
			return "there is no seed"
		}
	case *Solve, *Check:
		return "it depends on more than the request"
	}
	return ""
}

// DecodeAnswer reads an answer of a kind from JSON.
func DecodeAnswer(kind Kind, data []byte) (Answer, error) {
	for _, k := range kinds {
		if k.kind == kind {
			a := k.answer()
			return a, json.Unmarshal(data, a)
		}
	}
	return nil, bad("kind is %.40q, want one of %q", string(kind), Kinds())
}

// Retitle sets the title of an answer that has one.
func Retitle(a Answer, title string) {
	switch a := a.(type) {
	case *Counted:
		a.Title = title
	case *ResiduesCounted:
		a.Title = title
	case *Estimation:
		a.Title = title
	case *Sampled:
		a.Title = title
	case *Listed:
		a.Title = title
	case *Verified:
		a.Title = title
	case *Converted:
		a.Title = title
	case *Shown:
		a.Title = title
	}
}
