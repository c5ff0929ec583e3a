//go:build !unix

package server

func alone() {} // on other systems, files inherit the rights of their folder
