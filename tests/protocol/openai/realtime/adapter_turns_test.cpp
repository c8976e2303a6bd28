#include "tests/protocol/openai/realtime/script.h"

namespace protocol::openai::realtime {
namespace {

constexpr char no_turns[] =
    R"(> {"type":"session.update","session":{"audio":{"input":{"turn_detection":null}}}}
< session.updated
)";

// Speech that the session hears behind a commit is told of before the commit has its answer.
TEST(RealtimeTurns, CommitsInARowKeepTheirTurnsApart) {
  expect_script(no_turns + std::string(R"(> sound 1000
= open base language= silence=none
= sound 48000
> {"type":"input_audio_buffer.commit"}
= commit
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
> sound 1000
= sound 48000
! started 1 0.0
! started 2 1.0
> {"type":"input_audio_buffer.commit"}
= commit
< input_audio_buffer.committed A B
< conversation.item.added A B
< conversation.item.done A B
! ended 1 0.0 1.0 client "One."
< conversation.item.input_audio_transcription.completed A "One." {"type":"duration","seconds":1.0}
! words 2 1.3 " Two."
< conversation.item.input_audio_transcription.delta B "Two."
! ended 2 1.0 2.0 client "Two."
< conversation.item.input_audio_transcription.completed B "Two." {"type":"duration","seconds":1.0}
)"));
}

// The client's commit names the turn at hand; the silence that ends it was not heard yet.
TEST(RealtimeTurns, ATurnThatASilenceEndsBeforeACommitIsTheCommits) {
  expect_script(R"(
> sound 3000
= open base language= silence=500
= sound 144000
> {"type":"input_audio_buffer.commit"}
= commit
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
! started 1 0.2
! stopped 1 2.0
! ended 1 0.2 2.0 silence "Yes."
< conversation.item.input_audio_transcription.completed A "Yes." {"type":"duration","seconds":1.8}
! ended 2 2.0 3.0 client ""
> sound 1000
= sound 48000
> {"type":"input_audio_buffer.commit"}
= commit
< input_audio_buffer.committed A B
< conversation.item.added A B
< conversation.item.done A B
! ended 3 3.0 4.0 client "No."
< conversation.item.input_audio_transcription.completed B "No." {"type":"duration","seconds":1.0}
)");
}

TEST(RealtimeTurns, WhatWasClearedIsNotTold) {
  expect_script(R"(
> sound 1000
= open base language= silence=500
= sound 48000
! started 1 0.2
< input_audio_buffer.speech_started 200 A
> {"type":"input_audio_buffer.clear"}
= clear
< input_audio_buffer.cleared
! words 1 0.3 " Gone"
! started 2 0.6
! words 2 0.7 " too"
> sound 1000
= sound 48000
! started 3 1.1
< input_audio_buffer.speech_started 1100 B
! stopped 3 2.0
< input_audio_buffer.speech_stopped 2000 B
< input_audio_buffer.committed - B
< conversation.item.added - B
< conversation.item.done - B
! ended 3 1.1 2.0 silence "Here."
< conversation.item.input_audio_transcription.completed B "Here." {"type":"duration","seconds":0.9}
)");
}

TEST(RealtimeTurns, ATurnThatIsTooLongEndsWithoutAnybodysCommit) {
  expect_script(no_turns + std::string(R"(> sound 1000
= open base language= silence=none
= sound 48000
! words 1 0.3 " Long"
< conversation.item.input_audio_transcription.delta A "Long"
! ended 1 0.0 0.8 limit "Long"
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
< conversation.item.input_audio_transcription.completed A "Long" {"type":"duration","seconds":0.8}
> {"type":"input_audio_buffer.commit"}
= commit
< input_audio_buffer.committed A B
< conversation.item.added A B
< conversation.item.done A B
! ended 2 0.8 1.0 client "er"
< conversation.item.input_audio_transcription.completed B "er" {"type":"duration","seconds":0.2}
)"));
}

// A turn of server VAD that is too long has an end, too, although there was no silence.
TEST(RealtimeTurns, SpeechThatHasBegunAlwaysEnds) {
  expect_script(R"(
> sound 1000
= open base language= silence=500
= sound 48000
! started 1 0.0
< input_audio_buffer.speech_started 0 A
! started 2 0.8
< input_audio_buffer.speech_started 800 B
! ended 1 0.0 0.8 limit "Long"
< input_audio_buffer.speech_stopped 800 A
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
< conversation.item.input_audio_transcription.completed A "Long" {"type":"duration","seconds":0.8}
)");
}

TEST(RealtimeTurns, WhatAWorkerTakesAlongHasFailed) {
  expect_script(R"(
> sound 2000
= open base language= silence=500
= sound 96000
! started 1 0.1
< input_audio_buffer.speech_started 100 A
! stopped 1 1.0
< input_audio_buffer.speech_stopped 1000 A
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
! started 2 1.2
< input_audio_buffer.speech_started 1200 B
! fail
< conversation.item.input_audio_transcription.failed A "server_error"
< input_audio_buffer.committed A B
< conversation.item.added A B
< conversation.item.done A B
< conversation.item.input_audio_transcription.failed B "server_error"
< error "server_error" null
> sound 1000
= sound 48000
! started 3 2.1
< input_audio_buffer.speech_started 2100 C
> {"type":"input_audio_buffer.commit"}
= commit
< input_audio_buffer.committed B C
< conversation.item.added B C
< conversation.item.done B C
! ended 3 2.1 3.0 client "Again."
< conversation.item.input_audio_transcription.completed C "Again." {"type":"duration","seconds":0.9}
)");
}

TEST(RealtimeTurns, ASessionExpiresWhenItsLastTurnIsTold) {
  expect_script(R"(
! begin
< session.created
> sound 1000
= open base language= silence=500
= sound 48000
! started 1 0.1
< input_audio_buffer.speech_started 100 A
! tick 100 5
< error "session_expired" null
= finish
> sound 1000
! ended 1 0.1 1.0 end "Last."
< input_audio_buffer.speech_stopped 1000 A
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
< conversation.item.input_audio_transcription.completed A "Last." {"type":"duration","seconds":0.9}
! end
= close 1000
)",
                {.most_session_s = 100});
}

TEST(RealtimeTurns, AnIdleConnectionIsClosed) {
  expect_script(R"(
! begin
< session.created
! tick 59 59
! tick 1 60
= close 1000
)",
                {.most_silent_s = 60});
}

TEST(RealtimeTurns, AConnectionIsClosedWhereTheSessionDoesNotEnd) {
  expect_script(R"(
! begin
< session.created
> sound 1000
= open base language= silence=500
= sound 48000
! tick 60 60
= finish
! tick 29 89
! tick 1 90
= close 1000
)",
                {.most_silent_s = 60});
}

TEST(RealtimeTurns, TheServersEndClosesWhenAllIsTold) {
  expect_script(R"(
! begin
< session.created
! shutdown
= close 1001
)");
  expect_script(R"(
> sound 1000
= open base language= silence=500
= sound 48000
! begin
< session.created
! shutdown
! end
= close 1001
)");
}

TEST(RealtimeTurns, WhoMayHaveNoMoreSoundIsToldAndClosedWhenAllIsTold) {
  expect_script(R"(
! begin
< session.created
! limit
< error "too_much_sound" null
= close 1008
)");
  expect_script(R"(
> sound 1000
= open base language= silence=500
= sound 48000
! begin
< session.created
! limit
< error "too_much_sound" null
! end
= close 1008
)");
}

TEST(RealtimeTurns, AcceptsWhatIsNoTurnWithoutAWord) {
  expect_script(R"(
> sound 1000
= open base language= silence=500
= sound 48000
! words 1 0.1 ""
! ended 1 0.5 0.5 end ""
> {"type":"input_audio_buffer.commit","event_id":"e"}
= commit
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
)");
}

TEST(RealtimeTurns, TheModelThatTellsSpeakersHasSegments) {
  expect_script(R"(
! begin
< session.created
> {"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"gpt-4o-transcribe-diarize"}}}}}
< session.updated
> sound 1000
= open default language= silence=500
= sound 48000
! started 1 0.5
< input_audio_buffer.speech_started 500 A
! stopped 1 1.5
< input_audio_buffer.speech_stopped 1500 A
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
! ended 1 0.5 1.5 silence "Hi." B
< conversation.item.input_audio_transcription.segment A "seg_1" 0.5 1.5 "Hi." "B"
< conversation.item.input_audio_transcription.completed A "Hi." {"type":"duration","seconds":1.0}
! started 2 2.0
< input_audio_buffer.speech_started 2000 B
! stopped 2 3.0
< input_audio_buffer.speech_stopped 3000 B
< input_audio_buffer.committed A B
< conversation.item.added A B
< conversation.item.done A B
! ended 2 2.0 3.0 silence "Who?"
< conversation.item.input_audio_transcription.completed B "Who?" {"type":"duration","seconds":1.0}
)");
}

}  // namespace
}  // namespace protocol::openai::realtime
