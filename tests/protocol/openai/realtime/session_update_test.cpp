#include "protocol/openai/realtime/session_update.h"

#include <gtest/gtest.h>

#include "protocol/openai/realtime/session_json.h"

namespace protocol::openai::realtime {
namespace {

using Given = nlohmann::json;

SessionConfig config_of(const std::string& session, const SessionConfig& before = {}) {
  const auto next = updated(before, Given::parse(session));
  EXPECT_TRUE(next) << session << ": " << (next ? "" : next.error().message);
  return next ? *next : SessionConfig{};
}

std::string input(const std::string& fields) {
  return R"({"audio":{"input":{)" + fields + "}}}";
}

TEST(RealtimeSession, IsReadInTheReleasedShape) {
  const auto config = config_of(R"({"type":"transcription","audio":{"input":{
      "format":{"type":"audio/pcm","rate":16000},
      "transcription":{"model":"gpt-transcribe","language":"en-US","prompt":"Ada","keywords":["a","b"],"delay":"low"},
      "turn_detection":{"type":"server_vad","threshold":0.6,"prefix_padding_ms":100,"silence_duration_ms":200.0,"idle_timeout_ms":null},
      "noise_reduction":{"type":"far_field","strength":0.5}}},
      "include":["item.input_audio_transcription.logprobs","more"]})");
  EXPECT_EQ(config.format, (live::SoundFormat{live::SampleType::s16le, 16'000, 1}));
  EXPECT_EQ(config.model, "gpt-transcribe");
  EXPECT_EQ(config.language, "en");
  EXPECT_TRUE(config.include_logprobs);
  const auto settings = live_settings(config, {});
  EXPECT_EQ(settings.initial_prompt, "Ada");
  EXPECT_EQ(settings.hotwords, "a, b");
  TurnDetection expected;
  expected.threshold = 0.6;
  expected.prefix_padding_ms = 100;
  expected.silence_duration_ms = 200;
  EXPECT_EQ(settings.live.turn_detection, expected);
}

TEST(RealtimeSession, MayHaveAnyLanguage) {
  const SessionConfig german{.language = "de"};
  const std::string words = R"("transcription":)";
  EXPECT_EQ(config_of(input(words + R"({"language":"auto"})"), german).language, "auto");
  EXPECT_EQ(config_of(input(words + R"({"language":""})"), german).language, "");
  const auto several = config_of(input(words + R"({"languages":["de","auto"]})"));
  EXPECT_TRUE(several.languages.empty());
}

TEST(RealtimeSession, IsReadInTheShapeOfTheBeta) {
  const char* text =
      R"({"input_audio_format":"g711_ulaw","input_audio_transcription":{"model":"whisper-1","language":"de","prompt":"Ada"},"turn_detection":null})";
  EXPECT_TRUE(is_flat(Given::parse(text)));
  const auto config = config_of(text);
  EXPECT_EQ(config.format, (live::SoundFormat{live::SampleType::mulaw, 8'000, 1}));
  EXPECT_EQ(config.language, "de");
  EXPECT_EQ(live_settings(config, {}).live.turn_detection, std::nullopt);
}

TEST(RealtimeSession, KeepsWhatIsAbsent) {
  const auto first = config_of(input(
      R"("transcription":{"model":"base","language":"en"},"turn_detection":{"type":"server_vad","threshold":0.7})"));
  EXPECT_EQ(config_of("{}", first), first);
  const auto second = config_of(input(R"("turn_detection":{"silence_duration_ms":700})"), first);
  const auto turns = std::get<TurnDetection>(*second.turns);
  EXPECT_EQ(turns.threshold, 0.7);
  EXPECT_EQ(turns.silence_duration_ms, 700);
  EXPECT_EQ(second.language, "en");
  const auto third = config_of(input(R"("transcription":null,"turn_detection":null)"), second);
  EXPECT_EQ(third.language, "");
  EXPECT_EQ(third.model, "base");
  EXPECT_TRUE(std::holds_alternative<NoTurnDetection>(turns_of(third)));
  const auto fourth = config_of(input(R"("turn_detection":{"type":"server_vad"})"), third);
  EXPECT_EQ(turns_of(fourth), TurnChoice(TurnDetection{}));
}

TEST(RealtimeSession, HasTheTurnsOfItsModel) {
  EXPECT_EQ(turns_of({.model = "whisper-1"}), TurnChoice(TurnDetection{}));
  EXPECT_EQ(turns_of({.model = "gpt-4o-transcribe"}), TurnChoice(TurnDetection{}));
  EXPECT_EQ(turns_of({.model = "gpt-live-transcribe"}), TurnChoice(NoTurnDetection{}));
  EXPECT_EQ(turns_of({.model = "gpt-realtime-whisper"}), TurnChoice(NoTurnDetection{}));
  EXPECT_EQ(turns_of({.model = "gpt-realtime-whisper", .turns = SemanticVad{}}),
            TurnChoice(SemanticVad{}));
}

TEST(RealtimeSession, WaitsAsLongAsItsEagernessSays) {
  struct Row {
    const char* eagerness;
    int silence_ms;
    int unfinished_ms;
  };
  for (const Row& row : {Row{"low", 1000, 3200}, Row{"medium", 500, 1600}, Row{"auto", 500, 1600},
                         Row{"high", 250, 800}}) {
    const auto config = config_of(input(R"("turn_detection":{"type":"semantic_vad","eagerness":")" +
                                        std::string(row.eagerness) + "\"}"));
    const auto turns = live_settings(config, {}).live.turn_detection;
    ASSERT_TRUE(turns);
    EXPECT_EQ(turns->silence_duration_ms, row.silence_ms) << row.eagerness;
    EXPECT_EQ(turns->unfinished_silence_ms, row.unfinished_ms) << row.eagerness;
  }
}

TEST(RealtimeSession, ChangesNothingWhereAnythingIsWrong) {
  struct Row {
    std::string session;
    const char* param;
  };
  const std::string turns = R"("turn_detection":)", words = R"("transcription":)";
  for (const Row& row : std::vector<Row>{
           {"5", "session"},
           {R"({"audio":5})", "session.audio"},
           {R"({"audio":{"input":[]}})", "session.audio.input"},
           {input(R"("format":"pcm16")"), "session.audio.input.format"},
           {input(R"("format":{"type":"audio/mp3"})"), "session.audio.input.format.type"},
           {input(R"("format":{"rate":7999})"), "session.audio.input.format.rate"},
           {input(R"("format":{"type":"audio/pcm","rate":96000})"),
            "session.audio.input.format.rate"},
           {input(R"("format":{"rate":"24000"})"), "session.audio.input.format.rate"},
           {input(words + "5"), "session.audio.input.transcription"},
           {input(words + R"({"model":5})"), "session.audio.input.transcription.model"},
           {input(words + R"({"language":"klingon"})"),
            "session.audio.input.transcription.language"},
           {input(words + R"({"languages":["en","xx"]})"),
            "session.audio.input.transcription.languages[1]"},
           {input(words + R"({"languages":"en"})"), "session.audio.input.transcription.languages"},
           {input(words + R"({"prompt":")" + std::string(9000, 'x') + "\"}"),
            "session.audio.input.transcription.prompt"},
           {input(words + R"({"keywords":[5]})"), "session.audio.input.transcription.keywords[0]"},
           {input(turns + "5"), "session.audio.input.turn_detection"},
           {input(turns + R"({"type":"other"})"), "session.audio.input.turn_detection.type"},
           {input(turns + R"({"type":5})"), "session.audio.input.turn_detection.type"},
           {input(turns + R"({"threshold":-0.1})"), "session.audio.input.turn_detection.threshold"},
           {input(turns + R"({"threshold":"0.5"})"),
            "session.audio.input.turn_detection.threshold"},
           {input(turns + R"({"prefix_padding_ms":10001})"),
            "session.audio.input.turn_detection.prefix_padding_ms"},
           {input(turns + R"({"silence_duration_ms":0.5})"),
            "session.audio.input.turn_detection.silence_duration_ms"},
           {input(turns + R"({"silence_duration_ms":-1})"),
            "session.audio.input.turn_detection.silence_duration_ms"},
           {input(turns + R"({"type":"semantic_vad","eagerness":"much"})"),
            "session.audio.input.turn_detection.eagerness"},
           {R"({"include":"logprobs"})", "session.include"},
           {R"({"input_audio_format":"mp3"})", "session.input_audio_format"},
           {R"({"input_audio_transcription":{"language":5}})",
            "session.input_audio_transcription.language"},
           {R"({"turn_detection":{"threshold":2}})", "session.turn_detection.threshold"}}) {
    const auto next = updated({}, Given::parse(row.session));
    ASSERT_FALSE(next) << row.session.substr(0, 80);
    EXPECT_EQ(next.error().param, row.param) << row.session.substr(0, 80);
    EXPECT_EQ(next.error().code, "invalid_value");
  }
}

TEST(RealtimeSession, TakesDefaultsOfTheServerWhereTheClientSaysNothing) {
  TranscribeOptions defaults;
  defaults.language = "fr";
  defaults.initial_prompt = "Ada";
  defaults.beam_size = 1;
  EXPECT_EQ(live_settings({}, defaults).language, "fr");
  EXPECT_EQ(live_settings({.language = "de"}, defaults).language, "de");
  EXPECT_EQ(live_settings({.languages = {"de"}}, defaults).language, "de");
  EXPECT_EQ(live_settings({.language = "auto"}, defaults).language, "") << "it is to be heard";
  EXPECT_EQ(live_settings({.prompt = "Bob"}, defaults).initial_prompt, "Bob");
  const auto options = transcribe_options({.languages = {"de", "en"}}, defaults);
  EXPECT_EQ(options.languages, (std::vector<std::string>{"de", "en"}));
  EXPECT_EQ(options.language, "") << "it is to be detected among these";
  EXPECT_EQ(options.beam_size, 1);
  EXPECT_FALSE(options.diarize);
  EXPECT_TRUE(transcribe_options({.model = "gpt-4o-transcribe-diarize"}, {}).diarize);
}

TEST(RealtimeSession, PrintsWhatItHasRead) {
  const auto config = config_of(input(
      R"("format":{"type":"audio/pcma"},"transcription":{"model":"m","languages":["en","de"],"keywords":["k"]},"turn_detection":{"type":"semantic_vad","eagerness":"high"},"noise_reduction":{"type":"near_field"})"));
  const Json session = nested_session(config, {"sess_1", 5});
  EXPECT_EQ(
      session["audio"]["input"].dump(),
      R"({"format":{"type":"audio/pcma"},"transcription":{"model":"m","language":null,"prompt":"","languages":["en","de"],"keywords":["k"]},"noise_reduction":null,"turn_detection":{"type":"semantic_vad","eagerness":"high"}})");
  EXPECT_EQ(flat_session(config, {})["input_audio_format"], "g711_alaw");
}

// A client secret keeps its session so.
TEST(RealtimeSession, IsReadAgainAsItWasStored) {
  for (
      const std::string& session :
      {std::string("{}"), input(R"("transcription":{"model":"base","language":"de","prompt":"Ada",
                              "keywords":["a","b"]},"turn_detection":null)"),
       input(
           R"("format":{"type":"audio/pcmu"},"turn_detection":{"type":"semantic_vad","eagerness":"low"})"),
       input(
           R"("transcription":{"languages":["de","en"]},"turn_detection":{"type":"server_vad","threshold":0.7})"),
       std::string(R"({"include":["item.input_audio_transcription.logprobs","scribed.tail"]})"),
       std::string(R"({"input_audio_format":"g711_alaw","turn_detection":null})")}) {
    const auto config = config_of(session);
    EXPECT_EQ(config_of(stored_session(config)), config) << stored_session(config);
  }
}

}  // namespace
}  // namespace protocol::openai::realtime
