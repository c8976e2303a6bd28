#include "protocol/wyoming/wyoming_adapter.h"

#include <gtest/gtest.h>

#include <variant>
#include <vector>

namespace protocol::wyoming {
namespace {

using live::Actions;
using nlohmann::json;

Settings usual_settings() {
  Settings settings;
  settings.info = {.version = "0.1.0",
                   .models = {{.name = "base", .languages = {"en", "de"}},
                              {.name = "tiny.en", .languages = {"en"}}}};
  settings.options.initial_prompt = "House.";
  return settings;
}

Settings server_finds_the_end() {
  Settings settings = usual_settings();
  settings.info.requires_external_vad = false;
  return settings;
}

template <class T>
std::vector<T> all_of(const Actions& actions) {
  std::vector<T> found;
  for (const auto& action : actions) {
    if (const auto* one = std::get_if<T>(&action)) found.push_back(*one);
  }
  return found;
}

std::vector<Message> messages_of(const Actions& actions) {
  MessageReader reader;
  for (const auto& send : all_of<live::Send>(actions)) reader.append(send.bytes);
  std::vector<Message> messages;
  while (auto message = reader.next().value()) messages.push_back(*std::move(message));
  return messages;
}

std::vector<std::string> types_of(const Actions& actions) {
  std::vector<std::string> types;
  for (const auto& message : messages_of(actions)) types.push_back(message.type);
  return types;
}

// A client, with the server's side of its sessions played by the test.
class WyomingClient {
 public:
  explicit WyomingClient(Settings settings = usual_settings()) : adapter(std::move(settings)) {}

  Actions send(const std::string& type, json data = json::object(), std::string payload = {}) {
    return adapter.receive_bytes(
        encode({.type = type, .data = std::move(data), .payload = std::move(payload)}));
  }
  Actions start() { return send("audio-start", {{"rate", 16000}, {"width", 2}, {"channels", 1}}); }
  Actions chunk(std::size_t bytes = 3200) {
    return send("audio-chunk", {{"rate", 16000}, {"width", 2}, {"channels", 1}},
                std::string(bytes, 'x'));
  }
  Actions turn(int session, const std::string& text, TurnCause cause = TurnCause::end) {
    return adapter.tell(session,
                        TurnEnded{.turn = 1, .text = text, .language = "en", .cause = cause});
  }

  WyomingAdapter adapter;
};

TEST(WyomingAdapter, TellsWhatThereIsWithoutASession) {
  WyomingClient client;
  const auto actions = client.send("describe");
  ASSERT_EQ(actions.size(), 1U);
  const Message info = messages_of(actions).at(0);
  EXPECT_EQ(info.type, "info");
  EXPECT_EQ(info.data, json::parse(R"({"asr": [{
    "name": "scribed", "description": "Speech to text with Whisper",
    "attribution": {"name": "scribed", "url": ""}, "installed": true, "version": "0.1.0",
    "supports_transcript_streaming": true, "requires_external_vad": true,
    "models": [
      {"name": "base", "description": "Whisper base", "installed": true, "version": null,
       "attribution": {"name": "OpenAI", "url": "https://github.com/openai/whisper"},
       "languages": ["en", "de"]},
      {"name": "tiny.en", "description": "Whisper tiny.en", "installed": true, "version": null,
       "attribution": {"name": "OpenAI", "url": "https://github.com/openai/whisper"},
       "languages": ["en"]}]}]})"));
}

TEST(WyomingAdapter, AnUtteranceIsASession) {
  WyomingClient client;
  EXPECT_TRUE(client.send("transcribe", {{"language", "de-AT"}, {"name", "tiny.en"}}).empty());
  EXPECT_TRUE(client.start().empty());
  const auto first = client.chunk();
  ASSERT_EQ(all_of<live::Open>(first).size(), 1U);
  const auto open = all_of<live::Open>(first).at(0);
  EXPECT_EQ(open.model, "tiny.en");
  EXPECT_EQ(open.settings.language, "de");
  EXPECT_EQ(open.settings.initial_prompt, "House.");
  EXPECT_FALSE(open.settings.live.turn_detection);
  EXPECT_EQ(all_of<live::Sound>(first).at(0).format, live::SoundFormat{});
  EXPECT_EQ(client.chunk().size(), 1U);
  EXPECT_EQ(all_of<live::Finish>(client.send("audio-stop")).at(0).session, open.session);

  client.turn(open.session, "Turn on the lights.");
  const auto told = messages_of(client.adapter.tell_end(open.session));
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0].type, "transcript-start");
  EXPECT_EQ(told[1].type, "transcript");
  EXPECT_EQ(told[1].data, (json{{"text", "Turn on the lights."}, {"language", "en"}}));
  EXPECT_EQ(told[2].type, "transcript-stop");
}

TEST(WyomingAdapter, WordsAreToldAsTheyAreSure) {
  WyomingClient client;
  client.chunk();
  const auto first = messages_of(
      client.adapter.tell(0, LiveWords{.turn = 1, .words = {{.word = " Turn"}, {.word = " on"}}}));
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].type, "transcript-start");
  EXPECT_EQ(first[1].data["text"], "Turn on");
  const auto next =
      messages_of(client.adapter.tell(0, LiveWords{.turn = 1, .words = {{.word = " it."}}}));
  ASSERT_EQ(next.size(), 1U);
  EXPECT_EQ(next[0].data["text"], " it.");
  EXPECT_EQ(types_of(client.adapter.tell_end(0)),
            (std::vector<std::string>{"transcript", "transcript-stop"}));
}

TEST(WyomingAdapter, TheTextOfSeveralTurnsIsJoined) {
  WyomingClient client;
  client.chunk();
  client.turn(0, "One.", TurnCause::limit);
  client.turn(0, "Two.");
  EXPECT_EQ(messages_of(client.adapter.tell_end(0)).at(1).data["text"], "One. Two.");
}

TEST(WyomingAdapter, AConnectionHasSeveralUtterances) {
  WyomingClient client;
  client.send("transcribe", {{"language", "de"}});
  client.chunk();
  client.send("audio-stop");
  const auto second = client.chunk();
  ASSERT_EQ(all_of<live::Open>(second).size(), 1U) << "the begin is implied";
  EXPECT_EQ(all_of<live::Open>(second).at(0).session, 1);
  EXPECT_EQ(all_of<live::Open>(second).at(0).settings.language, "") << "wishes hold for one";
  client.turn(0, "One.");
  EXPECT_EQ(messages_of(client.adapter.tell_end(0)).at(1).data["text"], "One.");
  client.send("audio-stop");
  EXPECT_EQ(messages_of(client.adapter.tell_end(1)).at(1).data["text"], "");
}

TEST(WyomingAdapter, ANewBeginForgetsTheUtteranceBeforeIt) {
  WyomingClient client;
  client.chunk();
  const auto again = client.start();
  EXPECT_EQ(all_of<live::Clear>(again).at(0).session, 0);
  EXPECT_EQ(all_of<live::Finish>(again).at(0).session, 0);
  EXPECT_TRUE(client.turn(0, "Forgotten.").empty());
  EXPECT_TRUE(client.adapter.tell_end(0).empty());
  EXPECT_EQ(all_of<live::Open>(client.chunk()).at(0).session, 0) << "which has ended";
}

TEST(WyomingAdapter, NumbersOfSessionsAreUsedAgain) {
  WyomingClient client;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(all_of<live::Open>(client.chunk()).at(0).session, 0);
    client.send("audio-stop");
    client.adapter.tell_end(0);
  }
  client.chunk();
  client.start();
  EXPECT_EQ(all_of<live::Open>(client.chunk()).at(0).session, 1) << "0 has not ended yet";
}

TEST(WyomingAdapter, AnUtteranceWithoutSoundHasAnEmptyTextAtOnce) {
  WyomingClient client;
  client.start();
  const auto told = messages_of(client.send("audio-stop"));
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[1].data["text"], "");
}

TEST(WyomingAdapter, NamesComeBeforeTermsAmongTheHotwords) {
  WyomingClient client;
  client.send("transcribe", {{"transcript_terms", json::array({"heat pump"})},
                             {"transcript_names", {"Fritz", 7, "Ada"}}});
  EXPECT_EQ(all_of<live::Open>(client.chunk()).at(0).settings.hotwords, "Fritz, Ada, heat pump");
}

TEST(WyomingAdapter, ALanguageThatIsNotThereIsLeftOutAndAModelIsNot) {
  WyomingClient client;
  client.send("transcribe", {{"name", "an alias"}, {"language", "tlh"}});
  const auto open = all_of<live::Open>(client.chunk()).at(0);
  EXPECT_EQ(open.model, "an alias") << "the server knows which names there are";
  EXPECT_EQ(open.settings.language, "");
}

TEST(WyomingAdapter, TheFormatOfAChunkComesBeforeThatOfTheBegin) {
  WyomingClient client;
  client.send("audio-start", {{"rate", 48000}, {"width", 4}, {"channels", 2}});
  const auto usual = client.send("audio-chunk", json::object(), std::string(17, 'x'));
  EXPECT_EQ(all_of<live::Sound>(usual).at(0).format,
            (live::SoundFormat{live::SampleType::s32le, 48000, 2}));
  EXPECT_EQ(all_of<live::Sound>(usual).at(0).bytes.size(), 16U) << "the rest may come";
  const auto other =
      client.send("audio-chunk", {{"rate", 8000}, {"width", 1}, {"channels", 1}}, "x");
  EXPECT_EQ(all_of<live::Sound>(other).at(0).format,
            (live::SoundFormat{live::SampleType::s8, 8000, 1}));
}

TEST(WyomingAdapter, JoinsSamplesThatChunksCut) {
  WyomingClient client;
  client.start();
  std::string heard;
  for (const char* payload : {"a", "bcd", "efg", "h"}) {
    for (const auto& sound : all_of<live::Sound>(
             client.send("audio-chunk", {{"rate", 16000}, {"width", 2}, {"channels", 1}}, payload)))
      heard += sound.bytes;
  }
  EXPECT_EQ(heard, "abcdefgh");
  client.chunk(3);
  client.send("audio-stop");
  EXPECT_EQ(all_of<live::Sound>(client.chunk(4)).at(0).bytes.size(), 4U)
      << "half a sample at the end of an utterance is dropped";
}

TEST(WyomingAdapter, SoundThatCannotBeEndsTheConnection) {
  for (const auto& wrong :
       {json{{"rate", 3999}}, json{{"rate", 16000.5}}, json{{"width", 5}}, json{{"channels", 0}}}) {
    WyomingClient client;
    const auto refused = client.send("audio-chunk", wrong, "xx");
    EXPECT_EQ(types_of(refused), std::vector<std::string>{"error"}) << wrong;
    EXPECT_EQ(all_of<live::Close>(refused).size(), 1U);
    EXPECT_TRUE(client.send("describe").empty()) << "nothing is read behind the end";
  }
}

TEST(WyomingAdapter, WhatIsNoMessageEndsTheConnection) {
  WyomingClient client;
  const auto actions = client.adapter.receive_bytes("GET /\n");
  ASSERT_EQ(actions.size(), 2U) << "the reason comes before the end";
  const auto& event = std::get<live::Send>(actions[0]).bytes;
  EXPECT_NE(event.find(R"("type":"error")"), event.npos) << event;
  EXPECT_NE(event.find("This is not JSON: byte 1, in line 1"), event.npos) << event;
  EXPECT_NE(event.find("Send a line of JSON with a type"), event.npos) << event;
  EXPECT_TRUE(std::holds_alternative<live::Close>(actions[1]));
  EXPECT_TRUE(client.adapter.receive_bytes("{}\n").empty());
}

TEST(WyomingAdapter, APingIsAnsweredWithItsText) {
  WyomingClient client;
  const auto pong = messages_of(client.send("ping", {{"text", "there?"}})).at(0);
  EXPECT_EQ(pong, (Message{.type = "pong", .data = {{"text", "there?"}}}));
  EXPECT_TRUE(client.send("select-program", {{"name", "scribed"}}).empty());
  EXPECT_TRUE(client.send("run-satellite").empty());
}

TEST(WyomingAdapter, TheServerFindsTheEndOfACommandWhereItIsAskedTo) {
  WyomingClient client(server_finds_the_end());
  client.send("transcribe", {{"vad_sensitivity", "aggressive"}});
  const auto open = all_of<live::Open>(client.chunk()).at(0);
  ASSERT_TRUE(open.settings.live.turn_detection);
  EXPECT_EQ(open.settings.live.turn_detection->silence_duration_ms, 250);
  EXPECT_TRUE(client.turn(0, "", TurnCause::silence).empty()) << "noise is no command";
  EXPECT_EQ(all_of<live::Finish>(client.turn(0, "Stop.", TurnCause::silence)).size(), 1U);
  client.turn(0, "More.");
  EXPECT_EQ(messages_of(client.adapter.tell_end(0)).at(1).data["text"], "Stop.");
  EXPECT_TRUE(client.chunk().empty()) << "the rest of the sound is ignored";
  EXPECT_TRUE(client.send("audio-stop").empty()) << "its transcript was sent";
  EXPECT_EQ(all_of<live::Open>(client.chunk()).size(), 1U) << "the next one is not";
}

TEST(WyomingAdapter, AnUtteranceEndsAfterTenMinutes) {
  WyomingClient client;
  std::size_t finished = 0;
  for (int chunk = 0; chunk < 88; ++chunk) {
    const auto actions = client.chunk(240'000);  // 7.5 s
    finished += all_of<live::Finish>(actions).size();
    EXPECT_EQ(all_of<live::Sound>(actions).size(), chunk < 80 ? 1U : 0U) << chunk;
  }
  EXPECT_EQ(finished, 1U);
}

TEST(WyomingAdapter, FewUtterancesWaitForTheirTexts) {
  WyomingClient client;
  for (std::size_t i = 0; i < WyomingAdapter::most_pending; ++i) {
    client.chunk();
    client.send("audio-stop");
  }
  EXPECT_EQ(all_of<live::Close>(client.chunk()).size(), 1U);
}

TEST(WyomingAdapter, AForgottenUtteranceThatFailsTakesNoPlace) {
  WyomingClient client;
  for (std::size_t i = 0; i < 2 * WyomingAdapter::most_pending; ++i) {
    const auto opened = all_of<live::Open>(client.chunk());
    ASSERT_EQ(opened.size(), 1U) << i;
    client.send("audio-start");  // the client begins anew
    EXPECT_TRUE(client.adapter.tell_failure(opened[0].session, {"worker_died", "x"}).empty());
  }
}

TEST(WyomingAdapter, AFailureIsToldBeforeTheEnd) {
  WyomingClient client;
  client.chunk();
  EXPECT_TRUE(client.adapter.tell_failure(7, Error{"worker_died", "It died."}).empty());
  const auto actions = client.adapter.tell_failure(0, Error{"worker_died", "It died."});
  EXPECT_EQ(messages_of(actions).at(0).data, (json{{"text", "It died."}, {"code", "worker_died"}}));
  WyomingClient other;
  other.chunk();
  const auto told = other.adapter.tell_failure(0, Error{"no_model", "it is gone", "Get it."});
  EXPECT_EQ(messages_of(told).at(0).data["text"], "It is gone. Get it.");
  EXPECT_EQ(all_of<live::Close>(actions).size(), 1U);
}

TEST(WyomingAdapter, ASilentClientIsNotWaitedForButAWaitingOneIs) {
  WyomingClient client;
  EXPECT_TRUE(client.adapter.tick(100).empty());
  EXPECT_EQ(all_of<live::Close>(WyomingClient().adapter.tick(WyomingAdapter::max_idle_s)).size(),
            1U);
  client.chunk();
  client.send("audio-stop");
  EXPECT_TRUE(client.adapter.tick(WyomingAdapter::max_idle_s).empty());
  client.chunk();
  EXPECT_TRUE(client.adapter.tick(29).empty());
  EXPECT_EQ(all_of<live::Close>(client.adapter.tick(30)).size(), 1U);
}

}  // namespace
}  // namespace protocol::wyoming
