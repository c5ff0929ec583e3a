//go:build !unix

package server

func alone() {} // there, folders pass their rights on to what is in them
