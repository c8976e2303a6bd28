//! async-openai: transcriptions in every format, streams, translations, models, errors. Its types are strict:
//! an answer without a field that OpenAI's documentation requires is an error.

use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::audio::*;
use async_openai::Client;
use clients::{given, heard, row, want, Got};
use futures::StreamExt;

fn client() -> Client<OpenAIConfig> {
    let config = OpenAIConfig::new().with_api_base(given("URL") + "/v1").with_api_key("none");
    Client::with_config(config)
}

fn request(model: &str) -> CreateTranscriptionRequestArgs {
    let mut request = CreateTranscriptionRequestArgs::default();
    request.file(given("WAV")).model(model);
    request
}

async fn json(request: CreateTranscriptionRequestArgs) -> Got {
    heard(client().audio().transcription().create(request.build()?).await?.text)
}

async fn raw(format: AudioResponseFormat) -> Got {
    let request = request("whisper-1").response_format(format).build()?;
    heard(String::from_utf8(client().audio().transcription().create_raw(request).await?.to_vec())?)
}

async fn verbose() -> Got {
    let request = request("whisper-1")
        .response_format(AudioResponseFormat::VerboseJson)
        .timestamp_granularities(vec![TimestampGranularity::Word, TimestampGranularity::Segment])
        .build()?;
    let answer = client().audio().transcription().create_verbose_json(request).await?;
    let (words, segments) = (answer.words.unwrap_or_default().len(), answer.segments.unwrap_or_default().len());
    want(words > 0 && segments > 0, "no words or segments")?;
    Ok(format!("{words} words, {segments} segments, {}", answer.language))
}

async fn diarized() -> Got {
    let request = request("gpt-4o-transcribe-diarize")
        .response_format(AudioResponseFormat::DiarizedJson)
        .chunking_strategy(TranscriptionChunkingStrategy::Auto)
        .build()?;
    let answer = client().audio().transcription().create_diarized_json(request).await?;
    heard(format!("{}: {}", answer.segments[0].speaker, answer.segments[0].text))
}

async fn stream(request: CreateTranscriptionRequestArgs) -> Got {
    let mut events = client().audio().transcription().create_stream(request.build()?).await?;
    let mut text = String::new();
    while let Some(event) = events.next().await {
        match event? {
            CreateTranscriptionResponseStreamEvent::TranscriptTextDone(done) => text = done.text,
            CreateTranscriptionResponseStreamEvent::TranscriptTextSegment(segment) => text += &segment.text,
            _ => {}
        }
    }
    heard(text)
}

async fn translation() -> Got {
    let request = CreateTranslationRequestArgs::default().file(given("WAV")).model("whisper-1").build()?;
    heard(client().audio().translation().create(request).await?.text)
}

async fn translation_verbose() -> Got {
    let request = CreateTranslationRequestArgs::default().file(given("WAV")).model("whisper-1")
        .response_format(TranslationResponseFormat::VerboseJson).build()?;
    heard(client().audio().translation().create_verbose_json(request).await?.text)
}

async fn refused(request: CreateTranscriptionRequestArgs, code: &str) -> Got {
    match client().audio().transcription().create(request.build()?).await {
        Err(OpenAIError::ApiError(error)) => {
            let text = format!("{error:?}");
            want(text.contains(code), text)?;
            Ok(error.to_string())
        }
        other => Err(format!("no error of the API: {other:?}").into()),
    }
}

async fn models() -> Got {
    want(!client().models().list().await?.data.is_empty(), "no models")?;
    Ok(client().models().retrieve("Systran/faster-whisper-base").await?.id)
}

#[tokio::main]
async fn main() {
    row("json", json(request("whisper-1"))).await;
    row("text", raw(AudioResponseFormat::Text)).await;
    row("srt", raw(AudioResponseFormat::Srt)).await;
    row("vtt", raw(AudioResponseFormat::Vtt)).await;
    row("verbose_json with words", verbose()).await;
    row("diarized_json", diarized()).await;
    let mut words = request("gpt-4o-transcribe");
    words.timestamp_granularities(vec![TimestampGranularity::Word]);
    row("json with timestamp granularities", json(words)).await;
    let mut locale = request("whisper-1");
    locale.language("en-US");
    row("language en-US", json(locale)).await;
    row("stream", stream(request("gpt-4o-transcribe"))).await;
    let mut logprobs = request("gpt-4o-transcribe");
    logprobs.include(vec![TranscriptionInclude::Logprobs]);
    row("stream with logprobs", stream(logprobs)).await;
    let mut speakers = request("gpt-4o-transcribe-diarize");
    speakers.response_format(AudioResponseFormat::DiarizedJson).chunking_strategy(TranscriptionChunkingStrategy::Auto);
    row("stream of speakers", stream(speakers)).await;
    row("translation", translation()).await;
    row("translation verbose_json", translation_verbose()).await;
    row("unknown model", refused(request("gpt-9"), "model_not_found")).await;
    let mut empty = request("whisper-1");
    empty.file(AudioInput::from_vec_u8("a.wav".into(), vec![]));
    row("empty file", refused(empty, "empty_input")).await;
    row("models, one with a slash", models()).await;
}
