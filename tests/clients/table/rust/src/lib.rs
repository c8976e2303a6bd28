//! Prints what a client did and got: a JSON object per line, which run.py reads.

use std::error::Error;
use std::future::Future;

pub type Got = Result<String, Box<dyn Error>>;

/// What run.py hands over in the environment.
pub fn given(name: &str) -> String {
    std::env::var(format!("CLIENT_{name}")).unwrap_or_default()
}

/// Runs an action, and prints its outcome. An error is a fault.
pub async fn row(did: &str, act: impl Future<Output = Got>) {
    let limit = std::time::Duration::from_secs(120);
    let outcome = tokio::time::timeout(limit, act)
        .await
        .unwrap_or_else(|_| Err("nothing within two minutes".into()));
    let ok = outcome.is_ok();
    let got = outcome.unwrap_or_else(|error| error.to_string());
    println!("{}", serde_json::json!({"did": did, "got": got, "ok": ok}));
}

/// The text, if it is a transcript of the recording.
pub fn heard(text: impl AsRef<str>) -> Got {
    let text = text.as_ref();
    if !text.to_lowercase().contains(&given("WORD")) {
        return Err(format!("not the recording's text: {text:?}").into());
    }
    Ok(text.trim().to_string())
}

pub fn want(condition: bool, otherwise: impl Into<String>) -> Result<(), Box<dyn Error>> {
    if condition { Ok(()) } else { Err(otherwise.into().into()) }
}
