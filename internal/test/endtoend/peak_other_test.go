//go:build !linux

package endtoend

func (*service) forgetPeak()      {}
func (*service) peak() int64      { return 0 }
func (*service) descriptors() int { return 0 }
