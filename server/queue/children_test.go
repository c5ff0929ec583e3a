package queue

import "os"

// childVariable is set in processes that tests start to kill them.
const childVariable = "QUEUE_TEST_CHILD"

func beChild() { os.Exit(0) }
