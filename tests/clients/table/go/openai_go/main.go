// OpenAI's official library for Go: transcriptions in every format, streams, translations, models, errors.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"scribed.test/clients/rows"
)

type transcription = openai.AudioTranscriptionNewParams

var (
	ctx    = context.Background()
	client = openai.NewClient(option.WithBaseURL(rows.URL+"/v1"), option.WithAPIKey("none"), option.WithMaxRetries(0))
)

func transcribe(params transcription) (*openai.AudioTranscriptionNewResponseUnion, error) {
	if params.File == nil {
		params.File = rows.File()
	}
	if params.Model == "" {
		params.Model = "whisper-1"
	}
	return client.Audio.Transcriptions.New(ctx, params)
}

func textOf(params transcription) func() (string, error) {
	return func() (string, error) {
		answer, err := transcribe(params)
		if err != nil {
			return "", err
		}
		return rows.Heard(answer.Text, nil)
	}
}

// The package has no type for formats that are text: its documentation says to post into a string.
func plain(format string) func() (string, error) {
	return func() (string, error) {
		var text string
		params := transcription{File: rows.File(), Model: "whisper-1", ResponseFormat: openai.AudioResponseFormat(format)}
		err := client.Post(ctx, "audio/transcriptions", params, &text)
		return rows.Heard(text, err)
	}
}

func verbose() (string, error) {
	answer, err := transcribe(transcription{ResponseFormat: "verbose_json", TimestampGranularities: []string{"word", "segment"}})
	if err != nil {
		return "", err
	}
	whole := answer.AsTranscriptionVerbose()
	if err := rows.Want(len(whole.Words) > 0 && len(whole.Segments) > 0 && whole.Duration > 0, "%s", answer.RawJSON()); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d words, %d segments, %s", len(whole.Words), len(whole.Segments), whole.Language), nil
}

// The package has no type for speakers either.
func diarized() (string, error) {
	var answer struct {
		Segments []struct{ Speaker, Text string }
	}
	err := client.Post(ctx, "audio/transcriptions", transcription{File: rows.File(), Model: "gpt-4o-transcribe-diarize", ResponseFormat: "diarized_json",
		ChunkingStrategy: openai.AudioTranscriptionNewParamsChunkingStrategyUnion{OfAuto: "auto"}}, &answer)
	if err == nil && len(answer.Segments) == 0 {
		err = errors.New("no segments")
	}
	if err != nil {
		return "", err
	}
	return rows.Heard(answer.Segments[0].Speaker+": "+answer.Segments[0].Text, nil)
}

func stream(params transcription) func() (string, error) {
	return func() (string, error) {
		params.File = rows.File()
		events := client.Audio.Transcriptions.NewStreaming(ctx, params)
		text, usage := "", ""
		for events.Next() {
			event := events.Current()
			if event.Type == "transcript.text.done" {
				text, usage = event.Text, string(event.Usage.Type)
				if !event.Usage.JSON.InputTokens.Valid() {
					return "", fmt.Errorf("usage without input_tokens: %s", event.Usage.RawJSON())
				}
				if len(params.Include) > 0 && !event.JSON.Logprobs.Valid() {
					return "", errors.New("no logprobs")
				}
			}
		}
		text, err := rows.Heard(text, events.Err())
		return text + " (usage: " + usage + ")", err
	}
}

func languages() (string, error) {
	answer, err := transcribe(transcription{File: openai.File(rows.File(), "a.wav", "audio/wav"), Model: "gpt-transcribe",
		Keywords: []string{"Asterisk"}, Languages: []string{"en", "de"}})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("languages %v", answer.Languages), rows.Want(len(answer.Languages) > 0, "no languages: %s", answer.RawJSON())
}

func translation(format string) func() (string, error) {
	return func() (string, error) {
		answer, err := client.Audio.Translations.New(ctx, openai.AudioTranslationNewParams{
			File: rows.File(), Model: "whisper-1", ResponseFormat: openai.AudioTranslationNewParamsResponseFormat(format)})
		if err != nil {
			return "", err
		}
		return rows.Heard(answer.Text, nil)
	}
}

// A mistake has to arrive as the library's own error, with a status, a code and a sentence.
func refused(params transcription, status int, code string) func() (string, error) {
	return func() (string, error) {
		_, err := transcribe(params)
		var refusal *openai.Error
		if !errors.As(err, &refusal) {
			return "", fmt.Errorf("no error of the library: %v", err)
		}
		got := fmt.Sprintf("%d %s: %s", refusal.StatusCode, refusal.Code, refusal.Message)
		return got, rows.Want(refusal.StatusCode == status && refusal.Code == code, "%s", got)
	}
}

func models() (string, error) {
	list, err := client.Models.List(ctx)
	if err != nil {
		return "", err
	}
	model, err := client.Models.Get(ctx, "Systran/faster-whisper-base")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("a list; %s", model.ID), rows.Want(len(list.Data) > 0 && model.Object == "model", "%v", list.Data)
}

func main() {
	vad := openai.AudioTranscriptionNewParamsChunkingStrategyUnion{
		OfAudioTranscriptionNewsChunkingStrategyVadConfig: &openai.AudioTranscriptionNewParamsChunkingStrategyVadConfig{
			Type: "server_vad", Threshold: openai.Float(0.5)}}
	rows.Row("json", textOf(transcription{}))
	for _, format := range []string{"text", "srt", "vtt"} {
		rows.Row(format, plain(format))
	}
	rows.Row("verbose_json with words", verbose)
	rows.Row("diarized_json", diarized)
	rows.Row("json with timestamp granularities", textOf(transcription{Model: "gpt-4o-transcribe", TimestampGranularities: []string{"word"}}))
	rows.Row("chunking_strategy server_vad", textOf(transcription{ChunkingStrategy: vad}))
	rows.Row("language en-US", textOf(transcription{Language: openai.String("en-US")}))
	rows.Row("keywords and languages", languages)
	rows.Row("a reader without a name", textOf(transcription{File: bytes.NewReader(mustRead())}))
	rows.Row("stream", stream(transcription{Model: "gpt-4o-transcribe"}))
	rows.Row("stream with logprobs", stream(transcription{Model: "gpt-4o-transcribe", Include: []openai.TranscriptionInclude{"logprobs"}}))
	rows.Row("translation", translation("json"))
	rows.Row("translation verbose_json", translation("verbose_json"))
	rows.Row("unknown model", refused(transcription{Model: "gpt-9"}, 404, "model_not_found"))
	rows.Row("empty file", refused(transcription{File: strings.NewReader("")}, 400, "empty_input"))
	rows.Row("models, one with a slash", models)
}

func mustRead() []byte {
	var buffer bytes.Buffer
	if _, err := buffer.ReadFrom(rows.File()); err != nil {
		panic(err)
	}
	return buffer.Bytes()
}
