#include "tests/protocol/openai/realtime/script.h"

// What this server adds to OpenAI's events: text that may still change, and sessions that are kept.
namespace protocol::openai::realtime {
namespace {

constexpr char with_tail[] = R"(> {"type":"session.update","session":{"include":["scribed.tail"]}}
< session.updated
)";

TEST(RealtimeTail, IsToldOfTheTurnAtHandToWhoAsksForIt) {
  expect_script(with_tail + std::string(R"(> sound 1000
= open base language= silence=500
= sound 48000
! silence 0.1
< scribed.tail - "" 0.1
! started 1 0.1
< input_audio_buffer.speech_started 100 A
! look 0.5 " If"
< scribed.tail A " If" 0.5
! words 1 0.1 " If"
< conversation.item.input_audio_transcription.delta A "If"
! look 0.75 " you want"
< scribed.tail A " you want" 0.75
! look 0.9 ""
< scribed.tail A "" 0.9
! silence 1.0
! ended 1 0.1 1.0 silence "If"
< input_audio_buffer.speech_stopped 1000 A
< input_audio_buffer.committed - A
< conversation.item.added - A
< conversation.item.done - A
< conversation.item.input_audio_transcription.completed A "If" {"type":"duration","seconds":0.9}
)"));
}

TEST(RealtimeTail, OfATurnThatIsGoneIsEmpty) {
  expect_script(with_tail + std::string(R"(> sound 1000
= open base language= silence=500
= sound 48000
! started 1 0.1
< input_audio_buffer.speech_started 100 A
! look 0.5 " If"
< scribed.tail A " If" 0.5
> {"type":"input_audio_buffer.clear"}
= clear
< input_audio_buffer.cleared
! look 0.6 " If you"
< scribed.tail - "" 0.6
)"));
}

TEST(RealtimeTail, IsNotToldToOthers) {
  expect_script(R"(
> sound 1000
= open base language= silence=500
= sound 48000
! started 1 0.1
< input_audio_buffer.speech_started 100 A
! look 0.5 " If"
)");
}

TEST(RealtimeTail, ReplacesAnEarlierOneThatWaits) {
  Script client({.config = {.include_tail = true}});
  client.run("> sound 1000\n! started 1 0.1\n");
  const auto actions = client.adapter().tell(0, LiveText{0.5, "", " If"});
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(std::get<live::Send>(actions[0]).replaces, "scribed.tail");
}

TEST(RealtimeTail, IsPartOfTheSessionAsItIsTold) {
  Script client({.config = {.include_logprobs = true, .include_tail = true}});
  const Json session = Script::frames(client.adapter().begin()).at(0)["session"];
  EXPECT_EQ(session["include"].dump(),
            R"(["item.input_audio_transcription.logprobs","scribed.tail"])");
}

TEST(RealtimeKeep, MakesTheSessionAJobOnce) {
  expect_script(R"(
> {"type":"scribed.keep","title":"Talk"}
= keep base "Talk"
> {"type":"scribed.keep","title":"Another"}
! kept
< scribed.kept "job_1"
> {"type":"scribed.keep"}
< scribed.kept "job_1"
> sound 100
= open base language= silence=500
= sound 4800
)");
}

TEST(RealtimeKeep, MayComeWhenSoundHasCome) {
  expect_script(R"(
> sound 100
= open base language= silence=500
= sound 4800
> {"type":"scribed.keep"}
= keep base ""
! kept
< scribed.kept "job_1"
)");
}

TEST(RealtimeKeep, IsRefusedByAnErrorThatNamesItsEvent) {
  expect_script(R"(
> {"type":"scribed.keep","event_id":"k"}
= keep base ""
! unkept
< error "out_of_disk" "k"
> {"type":"scribed.keep","title":5,"event_id":"l"}
< error "invalid_value" "l"
> {"type":"scribed.keep"}
= keep base ""
)");
}

TEST(RealtimeKeep, LeavesTheModelAsTheJobNamesIt) {
  Script client;
  client.run("> {\"type\":\"scribed.keep\"}\n");
  const auto frames = Script::frames(client.adapter().receive_text(
      R"({"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"other","language":"de"}}}}})"));
  const Json& transcription = frames.at(0)["session"]["audio"]["input"]["transcription"];
  EXPECT_EQ(transcription["model"], "base");
  EXPECT_EQ(transcription["language"], "de");
}

TEST(RealtimeKeep, TitlesHaveABound) {
  Script client;
  const auto frames = Script::frames(client.adapter().receive_text(
      R"({"type":"scribed.keep","title":")" + std::string(1025, 'a') + "\"}"));
  EXPECT_EQ(frames.at(0)["error"]["param"], "title");
}

}  // namespace
}  // namespace protocol::openai::realtime
