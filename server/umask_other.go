//go:build !unix

package server

func alone() {} // on systems other than Unix, files inherit the rights of their folder
