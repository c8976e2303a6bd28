#include "protocol/openai/realtime/adapter.h"

#include <algorithm>
#include <span>

#include "tests/protocol/openai/realtime/script.h"

namespace protocol::openai::realtime {
namespace {

TEST(RealtimeAdapter, RefusesBadEventsAndGoesOn) {
  struct Row {
    std::string event;
    const char* code;
    const char* param;  // empty: null
  };
  const std::string update = R"({"type":"session.update","session":)";
  const std::string turns = update + R"({"audio":{"input":{"turn_detection":)";
  Script client;
  for (const Row& row : std::vector<Row>{
           {"", "invalid_event", ""},
           {"nothing", "invalid_event", ""},
           {"[]", "invalid_event", ""},
           {std::string(100, '['), "invalid_event", ""},
           {"{}", "invalid_event", "type"},
           {R"({"type":5})", "invalid_event", "type"},
           {R"({"type":"response.create"})", "invalid_value", "type"},
           {R"({"type":"conversation.item.create"})", "invalid_value", "type"},
           {R"({"type":"session.update"})", "invalid_value", "session"},
           {update + "5}", "invalid_value", "session"},
           {R"({"type":"input_audio_buffer.append"})", "invalid_value", "audio"},
           {R"({"type":"input_audio_buffer.append","audio":null})", "invalid_value", "audio"},
           {R"({"type":"input_audio_buffer.append","audio":"!!!!"})", "invalid_value", "audio"},
           {Script::append((15U << 20) + 6), "invalid_value", "audio"},
           {R"({"type":"input_audio_buffer.commit"})", "input_audio_buffer_commit_empty", ""},
           {R"({"type":"conversation.item.retrieve"})", "item_retrieve_invalid_item_id", "item_id"},
           {R"({"type":"conversation.item.delete","item_id":5})", "item_delete_invalid_item_id",
            "item_id"},
           {turns + R"({"threshold":1.5}}}}})", "invalid_value",
            "session.audio.input.turn_detection.threshold"}}) {
    const auto frames = Script::frames(client.adapter().receive_text(row.event));
    ASSERT_EQ(frames.size(), 1U) << row.event.substr(0, 80);
    EXPECT_EQ(frames[0]["type"], "error");
    const Json& error = frames[0]["error"];
    EXPECT_EQ(error["code"], row.code) << row.event.substr(0, 80);
    const Json param = *row.param ? Json(row.param) : Json();
    EXPECT_EQ(error["param"], param) << row.event.substr(0, 80);
    EXPECT_EQ(error["type"], "invalid_request_error");
    EXPECT_TRUE(error["event_id"].is_null());
  }
  const auto binary = Script::frames(client.adapter().receive_bytes("abc"));
  EXPECT_EQ(binary.at(0)["error"]["code"], "invalid_event");
  EXPECT_EQ(client.run("> sound 100\n"),
            "> sound 100\n= open base language= silence=500\n= sound 4800\n");
}

TEST(RealtimeAdapter, ALanguageThatTheModelLacksIsRefusedAndTheSessionGoesOn) {
  RealtimeSetup setup;
  setup.check_languages = [](const std::string&,
                             std::span<const std::string> codes) -> Result<void> {
    const auto unknown =
        std::ranges::find_if(codes, [](const std::string& code) { return code != "en"; });
    if (unknown == codes.end()) return {};
    return Error{"usage", "The model base does not support the language '" + *unknown + "'.",
                 "Use en."};
  };
  Script client(std::move(setup));
  const auto error_of = [&](const std::string& transcription) {
    const auto frames = Script::frames(client.adapter().receive_text(
        R"({"type":"session.update","session":{"audio":{"input":{"transcription":)" +
        transcription + "}}}}"));
    EXPECT_EQ(frames.size(), 1U);
    return frames.at(0).value("error", Json());
  };
  const Json error = error_of(R"({"language":"de"})");
  EXPECT_EQ(error["code"], "invalid_value");
  EXPECT_EQ(error["param"], "session.audio.input.transcription.language");
  EXPECT_EQ(error["message"], "The model base does not support the language 'de'. Use en.");
  EXPECT_EQ(error_of(R"({"languages":["en","fr"]})")["param"],
            "session.audio.input.transcription.languages");
  EXPECT_TRUE(error_of(R"({"language":"en"})").is_null());
  EXPECT_TRUE(error_of(R"({"language":"auto"})").is_null());
  EXPECT_EQ(client.run("> sound 100\n").substr(0, 12), "> sound 100\n");
}

TEST(RealtimeAdapter, AudioThatIsNoneEndsTheSession) {
  Script client;
  const auto actions = client.adapter().tell_undecodable(
      0, {"unsupported_format", "The audio is a stream of WebM.", "Send raw samples."});
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_EQ(Script::frames(actions).at(0)["error"]["message"],
            "The audio is a stream of WebM. Send raw samples.");
  EXPECT_EQ(std::get<live::Close>(actions[1]).code, 1007);
}

// Each error says what is wrong and what to do, in whole sentences.
TEST(RealtimeAdapter, ErrorsHaveBothHalves) {
  for (const std::string event :
       {"", "{", "[]", "{}", R"({"type":"response.create"})", R"({"type":"session.update"})",
        R"({"type":"session.update","session":5})", R"({"type":"input_audio_buffer.append"})",
        R"({"type":"input_audio_buffer.append","audio":"!!!!"})",
        R"({"type":"input_audio_buffer.commit"})", R"({"type":"conversation.item.retrieve"})",
        R"({"type":"conversation.item.delete"})"}) {
    Script client;
    const auto frames = Script::frames(client.adapter().receive_text(event));
    const std::string message = frames.at(0)["error"]["message"];
    EXPECT_TRUE(message.front() >= 'A' && message.front() <= 'Z') << message;
    EXPECT_TRUE(message.ends_with('.')) << message;
    const bool has_both =
        message.find(". ") != message.npos || message.find("must be") != message.npos;
    EXPECT_TRUE(has_both) << message;
  }
}

TEST(RealtimeAdapter, TakesLongSoundOfAllWritersOfJson) {
  const std::string bytes = [] {
    std::string all;
    for (int i = 0; i < 96'000; ++i) all.push_back(static_cast<char>(i % 251));
    return all;
  }();
  const std::string plain = encode_base64(bytes);
  const auto escaped = [&](char letter, const std::string& as) {
    std::string text;
    for (const char c : plain) text += c == letter ? as : std::string(1, c);
    return text;
  };
  const std::string type = R"("type":"input_audio_buffer.append")";
  for (const std::string& event :
       {"{" + type + R"(,"audio":")" + plain + "\"}",
        R"({ "audio" : ")" + plain + R"(" , )" + type + "}",
        "{" + type + R"(,"audio":")" + escaped('/', "\\/") + "\"}",
        "{" + type + R"(,"audio":")" + escaped('+', "\\u002B") + "\"}",
        R"({"x":["audio"],"y":"\"audio\":\"AAAA\"",)" + type + R"(,"audio":")" + plain + "\"}"}) {
    Script client;
    const auto actions = client.adapter().receive_text(event);
    ASSERT_EQ(actions.size(), 2U) << event.substr(0, 80);
    EXPECT_EQ(std::get<live::Sound>(actions[1]).bytes, bytes) << event.substr(0, 80);
  }
}

// Returns the sound of an event that appends these bytes.
std::string heard_of(Script& client, const std::string& bytes) {
  std::string heard;
  const std::string event =
      R"({"type":"input_audio_buffer.append","audio":")" + encode_base64(bytes) + "\"}";
  for (const auto& action : client.adapter().receive_text(event)) {
    EXPECT_FALSE(std::holds_alternative<live::Send>(action));
    if (const auto* sound = std::get_if<live::Sound>(&action)) heard += sound->bytes;
  }
  return heard;
}

TEST(RealtimeAdapter, JoinsSoundThatIsCutWithinASample) {
  Script client;
  EXPECT_EQ(heard_of(client, "a"), "");
  EXPECT_EQ(heard_of(client, "bcd"), "abcd");
  EXPECT_EQ(heard_of(client, "efg"), "ef");
  client.adapter().receive_text(R"({"type":"input_audio_buffer.clear"})");
  EXPECT_EQ(heard_of(client, "hi"), "hi") << "another buffer begins with a whole sample";
  EXPECT_EQ(heard_of(client, std::string(9600, 'x') + "y").size(), 9600U);
  client.adapter().receive_text(R"({"type":"input_audio_buffer.commit"})");
  EXPECT_EQ(heard_of(client, "jk"), "jk");
}

TEST(RealtimeAdapter, TellsAFailureWithWhatToDoAboutIt) {
  Script client;
  client.run("> sound 100\n");
  const auto frames =
      Script::frames(client.adapter().tell_failure(0, {"no_model", "it is not there", "Get it."}));
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames.back()["error"]["message"], "It is not there. Get it.");
}

TEST(RealtimeAdapter, RefusesLongEventsThatAreNoSound) {
  const std::string long_text(300'000, 'A');
  const std::string append = R"({"type":"input_audio_buffer.append",)";
  for (const auto& [event, code] : std::vector<std::pair<std::string, std::string>>{
           {append + R"("audio":")" + long_text + "!\"}", "invalid_value"},
           {append + R"("audio":")" + long_text + R"(\n"})", "invalid_value"},
           {append + R"("audio":")" + long_text + R"(\u00e9"})", "invalid_value"},
           {append + R"("audio":")" + long_text, "invalid_event"},
           {append + R"("sound":")" + long_text + "\"}", "invalid_event"},
           {append + R"("x":{"audio":")" + long_text + "\"}}", "invalid_value"}}) {
    Script client;
    const auto frames = Script::frames(client.adapter().receive_text(event));
    ASSERT_EQ(frames.size(), 1U) << event.substr(0, 60);
    EXPECT_EQ(frames[0]["error"]["code"], code) << event.substr(0, 60);
  }
}

TEST(RealtimeAdapter, ALimitIsToldAsOverHttp) {
  Script client;
  const auto frames =
      Script::frames(client.adapter().tell_limit({"too_much_sound", "It is used up", "Wait."}));
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0]["error"]["type"], "rate_limit_error");
  EXPECT_EQ(frames[0]["error"]["code"], "too_much_sound");
  EXPECT_EQ(frames[0]["error"]["message"], "It is used up. Wait.");
}

TEST(RealtimeAdapter, SaysHowLittleSoundACommitHas) {
  Script client;
  client.run("> sound 50\n");
  const auto frames = Script::frames(
      client.adapter().receive_text(R"({"type":"input_audio_buffer.commit","event_id":"e 1"})"));
  EXPECT_EQ(frames.at(0)["error"]["message"],
            "The buffer is too small. Expected at least 100ms of audio, but the buffer only has "
            "50.00ms of audio. Append more before you commit.");
  EXPECT_EQ(frames.at(0)["error"]["event_id"], "e 1");
}

TEST(RealtimeAdapter, RefusesAModelThatIsNotThere) {
  Script client;
  const auto frames = Script::frames(client.adapter().receive_text(
      R"({"type":"session.update","event_id":"e 1","session":{"audio":{"input":{"transcription":{"model":"bsae","language":"de"}}}}})"));
  EXPECT_EQ(frames.at(0)["error"]["code"], "model_not_found");
  EXPECT_EQ(frames.at(0)["error"]["message"], "There is no model named 'bsae'. Use base.");
  EXPECT_EQ(frames.at(0)["error"]["param"], "session.audio.input.transcription.model");
  EXPECT_EQ(frames.at(0)["error"]["event_id"], "e 1");
  const auto next =
      Script::frames(client.adapter().receive_text(R"({"type":"session.update","session":{}})"));
  const Json& transcription = next.at(0)["session"]["audio"]["input"]["transcription"];
  EXPECT_EQ(transcription["model"], "base") << "nothing of that update holds";
  EXPECT_EQ(transcription["language"], nullptr);
}

TEST(RealtimeAdapter, KeepsTheFormatAndTheModelWhenSoundHasCome) {
  Script client;
  client.run("> sound 100\n");
  const auto refused = Script::frames(client.adapter().receive_text(
      R"({"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/pcmu"}}}}})"));
  EXPECT_EQ(refused.at(0)["error"]["param"], "session.audio.input.format");
  const auto taken = Script::frames(client.adapter().receive_text(
      R"({"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/pcm","rate":24000},"transcription":{"model":"other","prompt":"Ada"}}}}})"));
  const Json& transcription = taken.at(0)["session"]["audio"]["input"]["transcription"];
  EXPECT_EQ(transcription["model"], "base");
  EXPECT_EQ(transcription["prompt"], "Ada");
}

TEST(RealtimeAdapter, TellsHowProbableWordsAreWhereThatIsAskedFor) {
  Script client({.config = {.include_logprobs = true}});
  client.run("> sound 100\n");
  const std::vector<Word> words{{0, 0.1, " Añ", 0.5, 1}, {0.1, 0.2, "o", 0, 1}};
  const auto delta = Script::frames(client.adapter().tell(0, LiveWords{1, words}));
  EXPECT_EQ(delta.at(0)["delta"], "Año");
  EXPECT_EQ(delta.at(0)["logprobs"].dump(),
            R"([{"token":" Añ","logprob":-0.6931,"bytes":[32,65,195,177]}])");
  TurnEnded ended{.turn = 1,
                  .start_s = 0,
                  .end_s = 0.1,
                  .text = "Año",
                  .words = words,
                  .language = "es",
                  .cause = TurnCause::limit};
  const auto frames = Script::frames(client.adapter().tell(0, ended));
  EXPECT_EQ(frames.back()["logprobs"].size(), 1U);
  EXPECT_EQ(frames.back()["languages"].dump(), R"([{"code":"es"}])");
}

TEST(RealtimeAdapter, WritesEventsWithTheFieldsOfTheApi) {
  Script client;
  const auto created = Script::frames(client.adapter().begin());
  EXPECT_EQ(
      created.at(0).dump(),
      R"({"event_id":"event_test00000000000000002","type":"session.created","session":{"type":"transcription","object":"realtime.transcription_session","id":"sess_test00000000000000001","expires_at":1014400,"audio":{"input":{"format":{"type":"audio/pcm","rate":24000},"transcription":{"model":"base","language":null,"prompt":""},"noise_reduction":null,"turn_detection":{"type":"server_vad","threshold":0.5,"prefix_padding_ms":300,"silence_duration_ms":500}}},"include":null}})");
  client.run("> sound 1000\n! started 1 0.1\n");
  const auto stopped = Script::frames(client.adapter().tell(0, SpeechStopped{1, 0.9}));
  EXPECT_EQ(
      stopped.at(2).dump(),
      R"({"event_id":"event_test00000000000000007","type":"conversation.item.added","previous_item_id":null,"item":{"id":"item_test00000000000000003","type":"message","status":"completed","role":"user","content":[{"type":"input_audio","transcript":null}]}})");
}

TEST(RealtimeAdapter, WritesTheFlatSessionOfTheBeta) {
  Script client({.revision = Revision::beta});
  const Json session = Script::frames(client.adapter().begin()).at(0)["session"];
  EXPECT_EQ(
      session.dump(),
      R"({"object":"realtime.transcription_session","id":"sess_test00000000000000001","expires_at":1014400,"input_audio_format":"pcm16","input_audio_transcription":{"model":"base","language":null,"prompt":""},"input_audio_noise_reduction":null,"turn_detection":{"type":"server_vad","threshold":0.5,"prefix_padding_ms":300,"silence_duration_ms":500},"include":null,"client_secret":null})");
}

TEST(RealtimeAdapter, KeepsOnlySoManyItems) {
  Script client;
  client.run("> sound 1000\n! started 1 0.1\n! stopped 1 0.9\n");
  for (int turn = 2; turn <= 300; ++turn) {
    client.adapter().tell(0, SpeechStarted{turn, turn * 1.0});
    client.adapter().tell(0, SpeechStopped{turn, turn + 0.5});
    client.adapter().tell(0, TurnEnded{.turn = turn, .text = "x"});
  }
  EXPECT_NE(client.run("> {\"type\":\"conversation.item.retrieve\",\"item_id\":\"{A}\"}\n")
                .find("item_retrieve_invalid_item_id"),
            std::string::npos);
}

}  // namespace
}  // namespace protocol::openai::realtime
