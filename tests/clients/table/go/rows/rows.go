// Package rows prints what a client did and got: a JSON object per line, which run.py reads.
package rows

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// What run.py hands over in the environment.
var (
	URL   = os.Getenv("CLIENT_URL")
	Wav   = os.Getenv("CLIENT_WAV")
	Long  = os.Getenv("CLIENT_LONG")
	Pcm16 = os.Getenv("CLIENT_PCM16")
	word  = os.Getenv("CLIENT_WORD")
)

// Row runs an action and prints its outcome. An error, or a panic, is a fault.
func Row(did string, act func() (string, error)) {
	got, err := guarded(act)
	if err != nil {
		got = err.Error()
	}
	line, _ := json.Marshal(map[string]any{"did": did, "got": got, "ok": err == nil})
	fmt.Println(string(line))
}

func guarded(act func() (string, error)) (got string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return act()
}

// Heard returns the text if it is a transcript of the recording, else an error.
func Heard(text string, err error) (string, error) {
	if err == nil && !strings.Contains(strings.ToLower(text), word) {
		err = fmt.Errorf("not the recording's text: %q", text)
	}
	return strings.TrimSpace(text), err
}

// Want returns an error unless a condition holds.
func Want(condition bool, format string, arguments ...any) error {
	if condition {
		return nil
	}
	return fmt.Errorf(format, arguments...)
}

// File opens the recording, for a program that has nothing else to do without it.
func File() *os.File {
	file, err := os.Open(Wav)
	if err != nil {
		panic(err)
	}
	return file
}
