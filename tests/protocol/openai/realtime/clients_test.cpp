#include "tests/protocol/openai/realtime/script.h"

// What each client of the field sends, in its order, and what it gets.
namespace protocol::openai::realtime {
namespace {

// openai-python, client.realtime.connect().
TEST(RealtimeClients, OpenAisPythonClientGetsTurnsOfServerVad) {
  expect_script(R"(
! begin
< session.created
> {"type":"session.update","session":{"type":"transcription","audio":{"input":{"transcription":{"model":"gpt-4o-transcribe","language":"en"}}}}}
< session.updated
> sound 500
= open default language=en silence=500
= sound 24000
! started 1 0.2
< input_audio_buffer.speech_started 200 A
! words 1 0.5 " Hello"
< conversation.item.input_audio_transcription.delta A "Hello"
> sound 1500
= sound 72000
! words 1 0.9 " there."
< conversation.item.input_audio_transcription.delta A " there."
! stopped 1 1.8
< input_audio_buffer.speech_stopped 1800 A
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
! ended 1 0.2 1.8 silence "Hello there."
< conversation.item.input_audio_transcription.completed A "Hello there." {"type":"duration","seconds":1.6}
! started 2 2.5
< input_audio_buffer.speech_started 2500 B
! stopped 2 4.0
< input_audio_buffer.speech_stopped 4000 B
< input_audio_buffer.committed A B
< conversation.item.added A B
< conversation.item.done A B
! ended 2 2.5 4.0 silence ""
< conversation.item.input_audio_transcription.completed B "" {"type":"duration","seconds":1.5}
)");
}

// openai-python, client.beta.realtime: its header says that it is the beta.
TEST(RealtimeClients, TheBetaHasItsOwnNames) {
  expect_script(R"(
! begin
< transcription_session.created
> {"type":"transcription_session.update","session":{"input_audio_format":"pcm16","input_audio_transcription":{"model":"whisper-1"},"turn_detection":{"type":"server_vad","silence_duration_ms":300}}}
< transcription_session.updated
> sound 1000
= open default language= silence=300
= sound 48000
! started 1 0.1
< input_audio_buffer.speech_started 100 A
! stopped 1 1.0
< input_audio_buffer.speech_stopped 1000 A
< input_audio_buffer.committed - A
< conversation.item.created - A
! ended 1 0.1 1.0 silence "Yes."
< conversation.item.input_audio_transcription.completed A "Yes." {"type":"duration","seconds":0.9}
)",
                {.revision = Revision::beta});
}

TEST(RealtimeClients, AFlatSessionMakesAConnectionOneOfTheBeta) {
  expect_script(R"(
! begin
< session.created
> {"type":"session.update","session":{"input_audio_transcription":{"model":"base","language":"de"}}}
< transcription_session.updated
> sound 100
= open base language=de silence=500
= sound 4800
)");
}

// openai-agents: it ends with a commit and a clear at once, and goes when both were answered.
TEST(RealtimeClients, AgentsEndWithACommitAndAClear) {
  expect_script(R"(
! begin
< session.created
> {"type":"session.update","session":{"type":"transcription","audio":{"input":{"format":{"type":"audio/pcm","rate":24000},"transcription":{"model":"gpt-4o-transcribe"},"turn_detection":{"type":"semantic_vad"}}}}}
< session.updated
> sound 2000
= open default language= silence=500/1600
= sound 96000
! started 1 0.3
< input_audio_buffer.speech_started 300 A
> {"type":"input_audio_buffer.commit","event_id":"last"}
= commit
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
> {"type":"input_audio_buffer.clear"}
= clear
! words 1 0.5 " Good"
< conversation.item.input_audio_transcription.delta A "Good"
! ended 1 0.3 2.0 client "Good bye."
< conversation.item.input_audio_transcription.completed A "Good bye." {"type":"duration","seconds":1.7}
< input_audio_buffer.cleared
)");
}

// Sound from a file comes faster than it is heard.
TEST(RealtimeClients, AgentsHearOfTurnsThatWereNotHeardWhenTheyCommitted) {
  expect_script(R"(
> sound 6000
= open base language= silence=500
= sound 288000
> {"type":"input_audio_buffer.commit","event_id":"last"}
= commit
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
> {"type":"input_audio_buffer.clear"}
= clear
! started 1 0.3
! stopped 1 2.0
! started 2 2.5
< input_audio_buffer.speech_started 2500 B
! ended 1 0.3 2.0 silence "One."
< conversation.item.input_audio_transcription.completed A "One." {"type":"duration","seconds":1.7}
! stopped 2 4.0
< input_audio_buffer.speech_stopped 4000 B
< input_audio_buffer.committed A B
< conversation.item.added A B
< conversation.item.done A B
! started 3 4.5
< input_audio_buffer.speech_started 4500 C
! ended 2 2.5 4.0 silence "Two."
< conversation.item.input_audio_transcription.completed B "Two." {"type":"duration","seconds":1.5}
! ended 3 4.5 6.0 client "Three."
< input_audio_buffer.speech_stopped 6000 C
< input_audio_buffer.committed B C
< conversation.item.added B C
< conversation.item.done B C
< conversation.item.input_audio_transcription.completed C "Three." {"type":"duration","seconds":1.5}
< input_audio_buffer.cleared
)");
}

TEST(RealtimeClients, AgentsAreToldThatNothingIsLeftToCommit) {
  expect_script(R"(
> sound 1000
= open base language= silence=500
= sound 48000
! started 1 0.1
< input_audio_buffer.speech_started 100 A
! stopped 1 1.0
< input_audio_buffer.speech_stopped 1000 A
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
> {"type":"input_audio_buffer.commit","event_id":"last"}
< error "input_audio_buffer_commit_empty" "last"
> {"type":"input_audio_buffer.clear"}
= clear
< input_audio_buffer.cleared
! ended 1 0.1 1.0 silence "Bye."
< conversation.item.input_audio_transcription.completed A "Bye." {"type":"duration","seconds":0.9}
)");
}

// livekit-plugins-openai, with the model's own turns …
TEST(RealtimeClients, LiveKitSetsServerVad) {
  expect_script(R"(
! begin
< session.created
> {"type":"session.update","session":{"type":"transcription","audio":{"input":{"format":{"type":"audio/pcm","rate":24000},"transcription":{"model":"gpt-4o-mini-transcribe","language":"en"},"turn_detection":{"type":"server_vad","threshold":0.5,"prefix_padding_ms":600,"silence_duration_ms":350}}}}}
< session.updated
> sound 50
= open default language=en silence=350
= sound 2400
)");
}

// … and where it ends turns itself, for which it leaves turn_detection out.
TEST(RealtimeClients, LiveKitEndsTurnsOfModelsWithoutTurnDetection) {
  expect_script(R"(
! begin
< session.created
> {"type":"session.update","session":{"type":"transcription","audio":{"input":{"transcription":{"model":"gpt-realtime-whisper","language":"en"}}}}}
< session.updated
> sound 1000
= open default language=en silence=none
= sound 48000
! started 1 0.0
! words 1 0.4 " One"
< conversation.item.input_audio_transcription.delta A "One"
> {"type":"input_audio_buffer.commit"}
= commit
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
! words 1 0.6 " two."
< conversation.item.input_audio_transcription.delta A " two."
! ended 1 0.0 1.0 client "One two."
< conversation.item.input_audio_transcription.completed A "One two." {"type":"duration","seconds":1.0}
)");
}

// pipecat: sound may come before the update, and its own VAD commits.
TEST(RealtimeClients, PipecatCommitsItself) {
  expect_script(R"(
! begin
< session.created
> sound 200
= open base language= silence=500
= sound 9600
> {"type":"session.update","session":{"type":"transcription","audio":{"input":{"format":{"type":"audio/pcm","rate":24000},"transcription":{"model":"gpt-4o-transcribe","language":"en"},"turn_detection":null,"noise_reduction":{"type":"near_field"}}}}}
= configure language=en silence=none
< session.updated
> sound 800
= sound 38400
> {"type":"input_audio_buffer.commit"}
= commit
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
> sound 500
= sound 24000
> {"type":"input_audio_buffer.commit"}
= commit
< input_audio_buffer.committed A B
< conversation.item.added A B
< conversation.item.done A B
! words 1 0.3 " First."
< conversation.item.input_audio_transcription.delta A "First."
! ended 1 0.0 1.0 client "First."
< conversation.item.input_audio_transcription.completed A "First." {"type":"duration","seconds":1.0}
! words 2 1.2 " Second."
< conversation.item.input_audio_transcription.delta B "Second."
! ended 2 1.0 1.5 client "Second."
< conversation.item.input_audio_transcription.completed B "Second." {"type":"duration","seconds":0.5}
)");
}

// A page with a WebSocket and subprotocols, which asks for items.
TEST(RealtimeClients, APageRetrievesAndDeletesItems) {
  expect_script(R"(
! begin
< session.created
> sound 1000
= open base language= silence=500
= sound 48000
! started 1 0.1
< input_audio_buffer.speech_started 100 A
! stopped 1 1.0
< input_audio_buffer.speech_stopped 1000 A
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
! ended 1 0.1 1.0 silence "Yes."
< conversation.item.input_audio_transcription.completed A "Yes." {"type":"duration","seconds":0.9}
> {"type":"conversation.item.retrieve","item_id":"{A}"}
< conversation.item.retrieved A
> {"type":"conversation.item.delete","item_id":"{A}"}
< conversation.item.deleted A
> {"type":"conversation.item.retrieve","item_id":"{A}","event_id":"e"}
< error "item_retrieve_invalid_item_id" "e"
> {"type":"conversation.item.delete","item_id":"{A}"}
< error "item_delete_invalid_item_id" null
)");
}

// @openai/agents-realtime: a client of conversations, whose sessions are of another type.
TEST(RealtimeClients, AClientOfConversationsGetsItsTranscripts) {
  expect_script(R"(
! begin
< session.created
> {"type":"session.update","session":{"type":"realtime","instructions":"Be kind.","output_modalities":["audio"],"audio":{"input":{"transcription":{"model":"gpt-4o-mini-transcribe"},"turn_detection":{"type":"semantic_vad","eagerness":"low","create_response":true}},"output":{"voice":"ash"}}}}
< session.updated
> sound 100
= open default language= silence=1000/3200
= sound 4800
)",
                {.config = {.model = "gpt-realtime"}});
}

}  // namespace
}  // namespace protocol::openai::realtime
