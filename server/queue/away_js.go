package queue

func isAway(error) bool { return false }
