// The library for Go that is older than OpenAI's own: transcriptions, translations, models, errors.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	openai "github.com/sashabaranov/go-openai"

	"scribed.test/clients/rows"
)

var ctx = context.Background()

func newClient() *openai.Client {
	config := openai.DefaultConfig("none")
	config.BaseURL = rows.URL + "/v1"
	return openai.NewClientWithConfig(config)
}

func main() {
	client := newClient()
	text := func(request openai.AudioRequest) func() (string, error) {
		return func() (string, error) {
			if request.Model == "" {
				request.Model = openai.Whisper1
			}
			if request.FilePath == "" {
				request.FilePath = rows.Wav
			}
			answer, err := client.CreateTranscription(ctx, request)
			return rows.Heard(answer.Text, err)
		}
	}
	refused := func(request openai.AudioRequest, status int, code string) func() (string, error) {
		return func() (string, error) {
			_, err := client.CreateTranscription(ctx, request)
			var refusal *openai.APIError
			if !errors.As(err, &refusal) {
				return "", fmt.Errorf("no error of the library: %v", err)
			}
			got := fmt.Sprintf("%d %v: %s", refusal.HTTPStatusCode, refusal.Code, refusal.Message)
			return got, rows.Want(refusal.HTTPStatusCode == status && refusal.Code == code, "%s", got)
		}
	}
	for _, format := range []openai.AudioResponseFormat{"json", "text", "srt", "vtt"} {
		rows.Row(string(format), text(openai.AudioRequest{Format: format}))
	}
	rows.Row("verbose_json with words", func() (string, error) {
		answer, err := client.CreateTranscription(ctx, openai.AudioRequest{Model: openai.Whisper1, FilePath: rows.Wav,
			Format: openai.AudioResponseFormatVerboseJSON,
			TimestampGranularities: []openai.TranscriptionTimestampGranularity{
				openai.TranscriptionTimestampGranularityWord, openai.TranscriptionTimestampGranularitySegment}})
		if err == nil {
			err = rows.Want(len(answer.Words) > 0 && len(answer.Segments) > 0, "%+v", answer)
		}
		return fmt.Sprintf("%d words, %d segments, %s", len(answer.Words), len(answer.Segments), answer.Language), err
	})
	rows.Row("diarize", text(openai.AudioRequest{Model: openai.GPT4oTranscribeDiarize, ChunkingStrategy: "auto"}))
	rows.Row("json with timestamp granularities", text(openai.AudioRequest{Model: openai.GPT4oTranscribe,
		TimestampGranularities: []openai.TranscriptionTimestampGranularity{openai.TranscriptionTimestampGranularityWord}}))
	rows.Row("chunking_strategy server_vad", text(openai.AudioRequest{Model: openai.GPT4oTranscribe,
		ChunkingStrategy: openai.TranscriptionChunkingStrategy{Type: "server_vad", Threshold: 0.5}}))
	rows.Row("language en-GB", text(openai.AudioRequest{Language: "en-GB"}))
	rows.Row("a reader", func() (string, error) {
		var sound bytes.Buffer
		if _, err := sound.ReadFrom(rows.File()); err != nil {
			return "", err
		}
		return text(openai.AudioRequest{FilePath: "recording.wav", Reader: &sound})()
	})
	for _, format := range []openai.AudioResponseFormat{"json", "verbose_json", "srt"} {
		rows.Row("translation "+string(format), func() (string, error) {
			answer, err := client.CreateTranslation(ctx, openai.AudioRequest{Model: openai.Whisper1, FilePath: rows.Wav, Format: format})
			return rows.Heard(answer.Text, err)
		})
	}
	rows.Row("unknown model", refused(openai.AudioRequest{Model: "gpt-9", FilePath: rows.Wav}, 404, "model_not_found"))
	rows.Row("empty file", refused(openai.AudioRequest{Model: openai.Whisper1, FilePath: "e.wav", Reader: bytes.NewReader(nil)}, 400, "empty_input"))
	rows.Row("models", func() (string, error) {
		list, err := client.ListModels(ctx)
		return "a list", errors.Join(err, rows.Want(len(list.Models) > 0, "no models"))
	})
}
