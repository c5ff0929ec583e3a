package band

// Notice describes an event in the files of a run.
type Notice struct {
	Event Event
	File  string // name of the file in the store
	Task  Task   // task that reads or makes the file
	Err   error  // describes the damage of the file; nil for the event Repeated
}

// Event is the kind of a notice.
type Event int

const (
	Repeated   Event = iota // a task was not done again, since it had a receipt
	PassedOver              // a level or receipt is damaged, and counts as missing
	MadeAgain               // a slab is damaged or missing, and is made again
)

func (e Event) String() string {
	return [...]string{"done already", "damaged, passed over", "damaged or missing, made again"}[e]
}

func (r *Run) tell(n Notice) {
	if r.Notice != nil {
		r.Notice(n)
	}
}
