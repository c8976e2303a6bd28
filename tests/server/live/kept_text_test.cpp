#include "server/live/kept_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace server {
namespace {

using protocol::LiveWords;
using protocol::Segment;
using protocol::TurnEnded;
using protocol::Word;

Word word(double start, const std::string& text, double probability = 0.5) {
  return {.start = start, .end = start + 0.5, .word = text, .probability = probability};
}

std::vector<std::string> texts(const std::vector<Segment>& segments) {
  std::vector<std::string> found;
  for (const auto& segment : segments) found.push_back(segment.text);
  return found;
}

using Texts = std::vector<std::string>;

TEST(KeptText, HasASegmentForEachTurn) {
  KeptText text({});
  EXPECT_EQ(text.take(LiveWords{1, {word(1, " Yes.")}}).size(), 0U);
  const auto made = text.take(TurnEnded{.turn = 1, .text = "Yes."});
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].text, " Yes.");
  EXPECT_EQ(made[0].words.at(0).word, " Yes.");
  EXPECT_EQ(made[0].start, 1);
  EXPECT_EQ(made[0].end, 1.5);
  EXPECT_DOUBLE_EQ(made[0].avg_logprob, std::log(0.5));
  EXPECT_EQ(texts(text.rest()), Texts{});
}

TEST(KeptText, HasTheTextThatEndsATurnWhereNoSegmentWasMadeOfIt) {
  KeptText text({});
  text.take(LiveWords{1, {word(1, " Yet"), word(2, " so.")}});
  const std::vector<protocol::Word> heard{word(1, " Yes,"), word(2, " so.")};
  EXPECT_EQ(texts(text.take(TurnEnded{.turn = 1, .words = heard})), Texts{" Yes, so."});
  text.take(LiveWords{2, {word(3, " One"), word(9, " two."), word(10, " more")}});
  EXPECT_EQ(texts(text.take(TurnEnded{.turn = 2, .words = heard})), Texts{" more"});
}

TEST(KeptText, DoesNotWaitForALongTurnToEnd) {
  KeptText text({});
  EXPECT_EQ(texts(text.take(LiveWords{1, {word(0, " One."), word(3, " two")}})), Texts{});
  EXPECT_EQ(texts(text.take(LiveWords{1, {word(6, " three."), word(7, " Four")}})),
            Texts{" One. two three."});
  EXPECT_EQ(texts(text.take(LiveWords{1, {word(22, " and"), word(23, " more")}})),
            Texts{" Four and"});
  EXPECT_EQ(texts(text.take(TurnEnded{.turn = 1})), Texts{" more"});
}

TEST(KeptText, CountsTimeFromWhereItIsKept) {
  KeptText text({.from_s = 10});
  const auto made = text.take(
      TurnEnded{.turn = 3, .words = {word(9, " before"), word(10.25, " behind"), word(11, " it")}});
  EXPECT_EQ(texts(made), Texts{" behind it"});
  EXPECT_EQ(made.at(0).start, 0.25);
  EXPECT_EQ(made.at(0).words.at(1).start, 1);
}

TEST(KeptText, TakesSpeakersAndTheTextOfASecondLookFromTheEndOfATurn) {
  KeptText text({.waits_for_turns = true});
  EXPECT_EQ(texts(text.take(LiveWords{1, {word(0, " A"), word(20, " deer.")}})), Texts{});
  const auto made = text.take(TurnEnded{
      .turn = 1, .words = {word(0, " Ada."), word(6, " here."), word(7, " I")}, .speaker = "A"});
  EXPECT_EQ(texts(made), (Texts{" Ada. here.", " I"}));
  EXPECT_EQ(made.at(1).speaker, "A");
}

TEST(KeptText, DropsWordsThatTheClientHasCleared) {
  KeptText text({});
  text.take(LiveWords{1, {word(0, " gone")}});
  text.take(LiveWords{2, {word(5, " here")}});
  EXPECT_EQ(texts(text.take(TurnEnded{.turn = 2})), Texts{" here"});
}

TEST(KeptText, KeepsTheWordsOfATurnThatHasNoEnd) {
  for (const bool waits : {false, true}) {
    KeptText text({.waits_for_turns = waits});
    text.take(LiveWords{1, {word(0, " and"), word(1, " then")}});
    EXPECT_EQ(texts(text.rest()), Texts{" and then"});
    EXPECT_EQ(texts(text.take(TurnEnded{.turn = 2, .words = {word(9, " later")}})),
              Texts{" later"});
  }
}

}  // namespace
}  // namespace server
