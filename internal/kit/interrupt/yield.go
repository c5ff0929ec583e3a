//go:build !js

package interrupt

func yield() {}
