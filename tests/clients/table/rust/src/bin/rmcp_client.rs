//! rmcp, the official library of MCP for Rust, over HTTP: tools, resources, prompts, a call that is dropped.

use clients::{given, heard, row, want, Got};
use rmcp::model::*;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{RoleClient, ServiceExt, service::RunningService};
use serde_json::{json, Value};
use std::time::Duration;

type Session = RunningService<RoleClient, ()>;

async fn call(session: &Session, tool: &'static str, arguments: Value) -> Result<Value, Box<dyn std::error::Error>> {
    let params = CallToolRequestParams::new(tool).with_arguments(arguments.as_object().cloned().unwrap_or_default());
    let answer = session.call_tool(params).await?;
    if answer.is_error == Some(true) {
        return Err(serde_json::to_string(&answer.content)?.into());
    }
    answer.structured_content.ok_or_else(|| "no structured content".into())
}

async fn resource(session: &Session, job: &str) -> Got {
    let answer = session.read_resource(ReadResourceRequestParams::new(format!("transcript://{job}.srt"))).await?;
    let contents = serde_json::to_value(&answer.contents)?;
    heard(contents[0]["text"].as_str().unwrap_or_default())
}

async fn dropped(session: &Session) -> Got {
    let long = call(session, "transcribe", json!({"path": given("LONG")}));
    want(tokio::time::timeout(Duration::from_millis(1500), long).await.is_err(), "the call was too short")?;
    for _ in 0..100 {
        let jobs = call(session, "list_jobs", json!({"limit": 1})).await?;
        if jobs["jobs"][0]["state"] == "cancelled" {
            return Ok("the job is canceled".into());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Err("the job goes on".into())
}

#[tokio::main]
async fn main() {
    let transport = StreamableHttpClientTransport::from_uri(given("URL") + "/mcp");
    let session = match ().serve(transport).await {
        Ok(session) => session,
        Err(error) => return row("connect", async { Err(error.to_string().into()) }).await,
    };
    row("connect", async { Ok("connected".into()) }).await;
    row("list of tools", async { Ok(format!("{} tools", session.list_all_tools().await?.len())) }).await;
    let mut job = String::new();
    row("transcribe", async {
        let data = call(&session, "transcribe", json!({"path": given("WAV"), "segments": true, "timestamps": "word"})).await?;
        job = data["job"].as_str().unwrap_or_default().to_string();
        heard(data["text"].as_str().unwrap_or_default())
    }).await;
    row("read transcript as srt", resource(&session, &job)).await;
    row("prompts", async { Ok(format!("{} prompts", session.list_all_prompts().await?.len())) }).await;
    row("path that is not allowed", async {
        let refused = call(&session, "transcribe", json!({"path": "/etc/shadow"})).await;
        want(refused.is_err(), "the path was taken")?;
        Ok("a tool error".into())
    }).await;
    row("a call that is dropped", dropped(&session)).await;
    row("close", async { session.cancel().await?; Ok("closed".into()) }).await;
}
