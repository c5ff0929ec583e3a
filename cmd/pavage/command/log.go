package command

import (
	"io"
	"os"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/term"

	"github.com/pavage/pavage/config"
)

// newLog opens the log on w. Its level and format have been validated.
func newLog(w io.Writer, c config.Log) zerolog.Logger {
	if c.Format == "text" {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly, NoColor: !colored("auto", w)}
	}
	level := zerolog.Disabled // what the setting calls off
	if c.Level != "off" {
		level, _ = zerolog.ParseLevel(c.Level)
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}

// wanted decides auto, always, never for something that only makes sense on
// a terminal.
func wanted(when string, w io.Writer) bool {
	switch when {
	case "always":
		return true
	case "never":
		return false
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored is wanted for colours, which https://no-color.org can switch off.
func colored(when string, w io.Writer) bool {
	return wanted(when, w) && (when == "always" || os.Getenv("NO_COLOR") == "")
}
