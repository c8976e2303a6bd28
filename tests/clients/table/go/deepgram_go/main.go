// Deepgram's library for Go: files, their subtitles, live streams, errors.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	api "github.com/deepgram/deepgram-go-sdk/v3/pkg/api/listen/v1/rest"
	messages "github.com/deepgram/deepgram-go-sdk/v3/pkg/api/listen/v1/websocket/interfaces"
	"github.com/deepgram/deepgram-go-sdk/v3/pkg/client/interfaces"
	"github.com/deepgram/deepgram-go-sdk/v3/pkg/client/listen"

	"scribed.test/clients/rows"
)

const piece = 3200 // bytes: 100 ms

var ctx = context.Background()

// live collects what a stream sends; the library calls it from threads of its own.
type live struct {
	mutex            sync.Mutex
	text             []string
	interims, errors int
	finalized        bool
	metadata         bool
}

func (l *live) Message(message *messages.MessageResponse) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.finalized = l.finalized || message.FromFinalize
	if !message.IsFinal {
		l.interims++
	} else if text := message.Channel.Alternatives[0].Transcript; text != "" {
		l.text = append(l.text, text)
	}
	return nil
}
func (l *live) Metadata(*messages.MetadataResponse) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.metadata = true
	return nil
}
func (l *live) Error(*messages.ErrorResponse) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.errors++
	return nil
}
func (l *live) Open(*messages.OpenResponse) error                   { return nil }
func (l *live) SpeechStarted(*messages.SpeechStartedResponse) error { return nil }
func (l *live) UtteranceEnd(*messages.UtteranceEndResponse) error   { return nil }
func (l *live) Close(*messages.CloseResponse) error                 { return nil }
func (l *live) UnhandledEvent([]byte) error                         { return nil }

func (l *live) until(condition func() bool) error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		l.mutex.Lock()
		done := condition()
		l.mutex.Unlock()
		if done {
			return nil
		}
	}
	return errors.New("nothing within a minute")
}

// The host is given with its scheme, as the SDK documents for servers of one's own.
func stream(url string) func() (string, error) {
	return func() (string, error) {
		heard := &live{}
		options := &interfaces.LiveTranscriptionOptions{Model: "nova-3", Language: "en-US", Punctuate: true, SmartFormat: true,
			InterimResults: true, UtteranceEndMs: "1000", VadEvents: true, Encoding: "linear16", Channels: 1, SampleRate: 16000}
		socket, err := listen.NewWSUsingCallback(ctx, os.Getenv("CLIENT_KEY"), &interfaces.ClientOptions{
			Host: strings.Replace(url, "http", "ws", 1), EnableKeepAlive: true}, options, heard)
		if err != nil {
			return "", err
		}
		if !socket.Connect() {
			return "", errors.New("the socket does not open")
		}
		pcm, err := os.ReadFile(rows.Pcm16)
		if err != nil {
			return "", err
		}
		for len(pcm) > 0 {
			size := min(piece, len(pcm))
			if _, err := socket.Write(pcm[:size]); err != nil {
				return "", err
			}
			pcm = pcm[size:]
		}
		if err := socket.Finalize(); err != nil {
			return "", err
		}
		if err := heard.until(func() bool { return heard.finalized }); err != nil {
			return "", err
		}
		socket.Stop()
		heard.mutex.Lock()
		defer heard.mutex.Unlock()
		text, err := rows.Heard(strings.Join(heard.text, " "), nil)
		return text, errors.Join(err, rows.Want(heard.interims > 0 && heard.errors == 0, "%d interims, %d errors", heard.interims, heard.errors))
	}
}

func main() {
	listen.Init(listen.InitLib{LogLevel: listen.LogLevelErrorOnly})
	files := api.New(listen.NewREST("none", &interfaces.ClientOptions{Host: rows.URL}))
	rows.Row("a file with utterances and paragraphs", func() (string, error) {
		answer, err := files.FromFile(ctx, rows.Wav, &interfaces.PreRecordedTranscriptionOptions{Model: "nova-3", Language: "en-US",
			Punctuate: true, Paragraphs: true, SmartFormat: true, Utterances: true, Keyterm: []string{"Asterisk"}})
		if err != nil {
			return "", err
		}
		first := answer.Results.Channels[0].Alternatives[0]
		if err := rows.Want(first.Paragraphs != nil && len(answer.Results.Utterances) > 0, "no paragraphs or utterances"); err != nil {
			return "", err
		}
		if _, err := answer.ToWebVTT(); err != nil {
			return "", err
		}
		return rows.Heard(first.Transcript, nil)
	})
	fromBytes := func(sound []byte, model string) (string, error) {
		answer, err := files.FromStream(ctx, bytes.NewReader(sound), &interfaces.PreRecordedTranscriptionOptions{Model: model})
		if err != nil {
			return "", err
		}
		return answer.Results.Channels[0].Alternatives[0].Transcript, nil
	}
	wav, err := os.ReadFile(rows.Wav)
	if err != nil {
		panic(err)
	}
	rows.Row("a stream of a file", func() (string, error) { return rows.Heard(fromBytes(wav, "nova-3")) })
	refused := func(sound []byte, model string) func() (string, error) {
		return func() (string, error) {
			_, err := fromBytes(sound, model)
			var refusal *interfaces.StatusError
			if !errors.As(err, &refusal) || refusal.DeepgramError == nil {
				return "", fmt.Errorf("no error with a text: %v", err)
			}
			return refusal.DeepgramError.ErrCode + ": " + refusal.DeepgramError.ErrMsg, nil
		}
	}
	rows.Row("empty body", refused(nil, "nova-3"))
	rows.Row("unknown model", refused(wav, "no-such"))
	rows.Row("live, server without keys", stream(rows.URL))
	rows.Row("live, server with keys", stream(os.Getenv("CLIENT_KEYED_URL")))
}
