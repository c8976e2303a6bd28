#include "protocol/jigasi/adapter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <variant>

namespace protocol::jigasi {
namespace {

std::string frame_of(const std::string& header, const std::string& sound) {
  std::string frame = header;
  frame.resize(header_bytes, '\0');
  return frame + sound;
}

Word spoken(const char* word) {
  return {.word = word, .probability = 0.9};
}

class JigasiConnection : public ::testing::Test {
 protected:
  live::Actions receive(const std::string& header, const std::string& sound = "abcd") {
    return adapter.receive_bytes(frame_of(header, sound));
  }
  std::vector<std::string> tell(int session, const TranscriptEvent& event) {
    std::vector<std::string> sent;
    for (const auto& action : adapter.tell(session, event)) {
      sent.push_back(std::get<live::Send>(action).bytes);
    }
    return sent;
  }

  int ids = 0;
  std::int64_t now = 1'700'000'000'000;
  JigasiAdapter adapter{{.model = "base",
                         .new_id = [this] { return "id-" + std::to_string(++ids); },
                         .milliseconds_now = [this] { return now; }}};
};

TEST(JigasiFrame, NamesParticipantAndLanguage) {
  const auto frame = read_frame(frame_of("room/ada|en-US", "abcde"));
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->participant, "room/ada");
  EXPECT_EQ(frame->language, "en");
  EXPECT_EQ(frame->sound, "abcde");
}

TEST(JigasiFrame, MayLackALanguageButNoName) {
  EXPECT_EQ(read_frame(frame_of("ada", ""))->language, "");
  EXPECT_EQ(read_frame(frame_of("ada|null", ""))->language, "");
  EXPECT_EQ(read_frame(frame_of(std::string(60, 'a'), "xy"))->participant.size(), 60U);
  EXPECT_FALSE(read_frame(frame_of("", "abcd")));
  EXPECT_FALSE(read_frame(frame_of("|en", "abcd")));
  EXPECT_FALSE(read_frame(std::string(59, 'a')));
  EXPECT_FALSE(read_frame(""));
}

TEST_F(JigasiConnection, OpensASessionForEachParticipant) {
  const auto first = receive("ada|de"), again = receive("ada|de"), second = receive("bob|en");
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(std::get<live::Open>(first[0]).settings.language, "de");
  EXPECT_EQ(std::get<live::Open>(first[0]).model, "base");
  EXPECT_EQ(std::get<live::Sound>(first[1]).bytes, "abcd");
  EXPECT_EQ(std::get<live::Sound>(first[1]).format, live::SoundFormat{});
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(std::get<live::Sound>(again[0]).session, 0);
  EXPECT_EQ(std::get<live::Open>(second[0]).session, 1);
}

TEST_F(JigasiConnection, JoinsTheNumbersThatFramesOfAParticipantCut) {
  const auto first = receive("ada|de", "abc"), other = receive("bob|en", "vw");
  EXPECT_EQ(std::get<live::Sound>(first.at(1)).bytes, "ab");
  EXPECT_EQ(std::get<live::Sound>(other.at(1)).bytes, "vw") << "each has sound of their own";
  EXPECT_EQ(std::get<live::Sound>(receive("ada|de", "d").at(0)).bytes, "cd");
  EXPECT_TRUE(receive("ada|de", "e").empty());
  EXPECT_EQ(std::get<live::Sound>(receive("ada|de", "fg").at(0)).bytes, "ef");
}

TEST_F(JigasiConnection, AParticipantMayChangeTheLanguage) {
  receive("ada|de");
  const auto actions = receive("ada|fr");
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_EQ(std::get<live::Configure>(actions[0]).settings.language, "fr");
}

TEST_F(JigasiConnection, HearsNoMoreParticipantsThanItsLimit) {
  for (std::size_t i = 0; i < JigasiAdapter::most_participants; ++i) {
    EXPECT_EQ(receive("p" + std::to_string(i)).size(), 2U);
  }
  EXPECT_TRUE(receive("one too many").empty());
  EXPECT_EQ(receive("p0").size(), 1U);
}

TEST_F(JigasiConnection, WhoIsNotHeardForLongLeavesThePlaceToOthers) {
  for (std::size_t i = 0; i < JigasiAdapter::most_participants; ++i) {
    receive("p" + std::to_string(i));
  }
  now += JigasiAdapter::most_silence_ms - 1;
  EXPECT_TRUE(adapter.tick(0).empty());
  for (std::size_t i = 0; i < JigasiAdapter::most_participants; ++i) {
    if (i != 5) receive("p" + std::to_string(i));
  }
  now += 1;
  const auto left = adapter.tick(0);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(std::get<live::Finish>(left[0]).session, 5);
  EXPECT_TRUE(adapter.tick(0).empty()) << "an end is told once";
  EXPECT_TRUE(receive("new").empty()) << "text of the old session may come";
  EXPECT_EQ(tell(5, TurnEnded{.turn = 1, .text = "Bye."}).size(), 1U);
  EXPECT_TRUE(adapter.tell_end(5).empty());
  const auto opened = receive("new");
  ASSERT_EQ(opened.size(), 2U);
  EXPECT_EQ(std::get<live::Open>(opened[0]).session, 5);
  const auto sent = tell(5, LiveText{.heard_s = 1, .tail = " Hi"});
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(sent[0])["participant_id"], "new");
}

TEST_F(JigasiConnection, WhoComesBackIsHeardAnew) {
  receive("ada|en");
  now += JigasiAdapter::most_silence_ms;
  EXPECT_EQ(adapter.tick(0).size(), 1U);
  EXPECT_EQ(std::get<live::Open>(receive("ada|en").at(0)).session, 1);
  EXPECT_TRUE(adapter.tell_failure(0, {"worker_died", "x", ""}).empty());
  const auto finished = adapter.receive_bytes(std::string_view("\0", 1));
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_EQ(std::get<live::Finish>(finished[0]).session, 1);
  EXPECT_EQ(adapter.tell_end(1).size(), 1U) << "it closes when the last one has ended";
}

TEST_F(JigasiConnection, WritesPartialAndFinalTextOfATurnUnderOneId) {
  receive("ada|en");
  EXPECT_EQ(
      tell(0, LiveText{.heard_s = 1, .tail = " Hel"}),
      std::vector<std::string>{
          R"({"id":"id-1","participant_id":"ada","ts":1700000000000,"text":"Hel","audio":"","type":"partial","variance":0.5})"});
  EXPECT_TRUE(tell(0, LiveWords{.turn = 1, .words = {spoken(" Hello")}}).empty());
  const auto partial = tell(0, LiveText{.heard_s = 2, .tail = " the"});
  ASSERT_EQ(partial.size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(partial[0])["text"], "Hello the");
  EXPECT_TRUE(tell(0, LiveText{.heard_s = 2.2, .tail = " the"}).empty()) << "nothing is new";
  EXPECT_EQ(
      tell(0, TurnEnded{.turn = 1, .text = "Hello there.", .avg_logprob = 0}),
      std::vector<std::string>{
          R"({"id":"id-1","participant_id":"ada","ts":1700000000000,"text":"Hello there.","audio":"","type":"final","variance":1.0})"});
  const auto next = tell(0, TurnEnded{.turn = 2, .text = "Bye."});
  ASSERT_EQ(next.size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(next[0])["id"], "id-2");
}

TEST_F(JigasiConnection, SaysNothingOfTurnsWithoutWords) {
  receive("ada|en");
  EXPECT_TRUE(tell(0, TurnEnded{.turn = 1}).empty());
  tell(0, LiveText{.heard_s = 1, .tail = " Hm"});
  EXPECT_EQ(tell(0, TurnEnded{.turn = 2}).size(), 1U) << "what was shown is taken back";
}

TEST_F(JigasiConnection, KeepsTheTextOfParticipantsApart) {
  receive("ada|en");
  receive("bob|en");
  tell(0, LiveWords{.turn = 1, .words = {spoken(" Ada")}});
  const auto sent = tell(1, LiveText{.heard_s = 1, .tail = " Bob"});
  ASSERT_EQ(sent.size(), 1U);
  const auto answer = nlohmann::json::parse(sent[0]);
  EXPECT_EQ(answer["participant_id"], "bob");
  EXPECT_EQ(answer["text"], "Bob");
}

TEST_F(JigasiConnection, OneByteEndsIt) {
  receive("ada|en");
  receive("bob|en");
  EXPECT_EQ(adapter.receive_bytes(std::string_view("\0", 1)).size(), 2U);
  EXPECT_TRUE(receive("ada|en").empty());
  EXPECT_TRUE(adapter.tell_end(0).empty());
  const auto closed = adapter.tell_failure(1, {"worker_died", "x", ""});
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(std::get<live::Close>(closed[0]).code, 1000);
}

TEST_F(JigasiConnection, OneByteEndsItAlsoBeforeAnybodyHasSpoken) {
  const auto closed = adapter.receive_bytes(std::string_view("\0", 1));
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(std::get<live::Close>(closed[0]).code, 1000);
}

TEST_F(JigasiConnection, WhereTheServerEndsItTheServerClosesIt) {
  receive("ada|en");
  EXPECT_TRUE(adapter.tell_shutdown().empty());
  EXPECT_TRUE(adapter.tell_end(0).empty());
}

TEST_F(JigasiConnection, AFailureForgetsTheTurnAndGoesOn) {
  receive("ada|en");
  tell(0, LiveWords{.turn = 1, .words = {spoken(" Lost")}});
  EXPECT_TRUE(adapter.tell_failure(0, {"worker_died", "x", ""}).empty());
  const auto sent = tell(0, LiveText{.heard_s = 1, .tail = " New"});
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(sent[0])["text"], "New");
  EXPECT_EQ(receive("ada|en").size(), 1U);
}

TEST_F(JigasiConnection, IgnoresFramesThatAreNone) {
  EXPECT_TRUE(adapter.receive_text("hello").empty());
  EXPECT_TRUE(adapter.receive_bytes("short").empty());
  EXPECT_TRUE(adapter.receive_bytes("").empty());
}

}  // namespace
}  // namespace protocol::jigasi
