package band

// Notice is something that happened to the files of a run.
type Notice struct {
	Event Event
	File  string // in the store
	Task  Task   // that read the file, or makes it
	Err   error  // the damage of the file; nil for Repeated
}

// Event is a kind of notice.
type Event int

const (
	Repeated   Event = iota // a task was to be done again; it had its receipt
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
