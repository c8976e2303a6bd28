// The official library of MCP for Go, over HTTP: tools, progress, resources, prompts, cancellation.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"scribed.test/clients/rows"
)

var ctx = context.Background()

func call(session *mcp.ClientSession, tool string, arguments map[string]any) (map[string]any, error) {
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken("progress-" + tool)
	answer, err := session.CallTool(ctx, params)
	if err != nil {
		return nil, err
	}
	if answer.IsError {
		text, _ := json.Marshal(answer.Content)
		return nil, errors.New(string(text))
	}
	data, _ := answer.StructuredContent.(map[string]any)
	return data, rows.Want(data != nil, "no structured content")
}

func main() {
	var steps atomic.Int32
	client := mcp.NewClient(&mcp.Implementation{Name: "scribed-tests", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { steps.Add(1) }})
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: rows.URL + "/mcp"}, nil)
	rows.Row("connect", func() (string, error) {
		if err != nil {
			return "", err
		}
		return "protocol " + session.InitializeResult().ProtocolVersion, nil
	})
	if err != nil {
		return
	}
	job := ""
	rows.Row("list of tools", func() (string, error) {
		count := 0
		for _, err := range session.Tools(ctx, nil) {
			if err != nil {
				return "", err
			}
			count++
		}
		return fmt.Sprintf("%d tools", count), rows.Want(count > 5, "%d tools", count)
	})
	rows.Row("transcribe with progress", func() (string, error) {
		data, err := call(session, "transcribe", map[string]any{"path": rows.Wav, "segments": true, "timestamps": "word"})
		if err != nil {
			return "", err
		}
		job, _ = data["job"].(string)
		text, _ := data["text"].(string)
		if err := rows.Want(steps.Load() > 0, "no progress"); err != nil {
			return "", err
		}
		return rows.Heard(text, nil)
	})
	rows.Row("read transcript as srt and docx", func() (string, error) {
		srt, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "transcript://" + job + ".srt"})
		if err != nil {
			return "", err
		}
		docx, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "transcript://" + job + ".docx"})
		if err != nil {
			return "", err
		}
		_, err = rows.Heard(srt.Contents[0].Text, nil)
		return "both", errors.Join(err, rows.Want(len(docx.Contents[0].Blob) > 1000, "a short document"))
	})
	rows.Row("unknown resource and tool", func() (string, error) {
		_, first := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "transcript://nope"})
		_, second := session.CallTool(ctx, &mcp.CallToolParams{Name: "nope"})
		return "two errors", rows.Want(first != nil && second != nil, "%v, %v", first, second)
	})
	rows.Row("path that is not allowed", func() (string, error) {
		_, err := call(session, "transcribe", map[string]any{"path": "/etc/shadow"})
		return "an error", rows.Want(err != nil, "the path was taken")
	})
	rows.Row("prompts and completion", func() (string, error) {
		if _, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "meeting_minutes", Arguments: map[string]string{"job": job}}); err != nil {
			return "", err
		}
		_, err := session.Complete(ctx, &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "meeting_minutes"},
			Argument: mcp.CompleteParamsArgument{Name: "job", Value: ""}})
		return "both", err
	})
	rows.Row("cancel a long call", func() (string, error) {
		short, stop := context.WithTimeout(ctx, 1500*time.Millisecond)
		defer stop()
		if _, err := session.CallTool(short, &mcp.CallToolParams{Name: "transcribe", Arguments: map[string]any{"path": rows.Long}}); err == nil {
			return "", errors.New("the call was too short to be cancelled")
		}
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
			data, err := call(session, "list_jobs", map[string]any{"limit": 1})
			if err != nil {
				return "", err
			}
			jobs, _ := data["jobs"].([]any)
			if len(jobs) > 0 && jobs[0].(map[string]any)["state"] == "cancelled" {
				return "the job is canceled", nil
			}
		}
		return "", errors.New("the job goes on")
	})
	rows.Row("ping", func() (string, error) { return "an answer", session.Ping(ctx, nil) })
	rows.Row("close", func() (string, error) { return "closed", session.Close() })
}
