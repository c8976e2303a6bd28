#include <gtest/gtest.h>

#include "tests/server/jobs/edited_texts_fixture.h"

namespace server {
namespace {

using test::Edits;
using test::spoken;
using test::Texts;

template <class UnderTest>
class TextVersions : public test::EditedTexts<UnderTest> {};
TYPED_TEST_SUITE(TextVersions, test::StoresUnderTest);

TYPED_TEST(TextVersions, AnEditMakesAVersionAndLeavesTheFirstAsItWas) {
  const std::string id = this->add_talk();
  const auto change = this->edit(id, {SetText{1, "A third one."}});
  ASSERT_TRUE(change) << change.error().error.message;
  EXPECT_EQ(change->version, 1);
  ASSERT_EQ(change->changed.size(), 1U);
  EXPECT_EQ(change->changed[0].id, 1);
  EXPECT_EQ(change->changed[0].segment.text, " A third one.") << "with the old leading space";
  EXPECT_TRUE(change->changed[0].segment.tokens.empty()) << "they are of another text";
  EXPECT_TRUE(change->removed.empty());
  const Texts now{" The first one.", " A third one.", " Last words."};
  EXPECT_EQ(this->texts(id), now);
  EXPECT_EQ(this->stored(id), now);
  EXPECT_EQ(this->texts(id, 0)[1], " A second one.");
  EXPECT_EQ(this->read(id, 0)[1].segment, spoken(1, {" A", " second", " one."}));
  this->reopen();
  EXPECT_EQ(this->texts(id), now);
  EXPECT_EQ(this->find(id).version, 1);
}

TYPED_TEST(TextVersions, AnEditedTextDoesNotExpire) {
  const std::string id = this->add_talk();
  EXPECT_GT(this->find(id).expires, 0);
  ASSERT_TRUE(this->edit(id, {SetText{1, "A third one."}}));
  EXPECT_EQ(this->find(id).expires, 0);
  this->advance(100 * this->settings_.keep_s);
  EXPECT_EQ(this->store_->remove_expired().value(), 0);
  EXPECT_EQ(this->find(id).version, 1);
}

TYPED_TEST(TextVersions, AllEditsAreMadeOrNone) {
  const std::string id = this->add_talk();
  const auto before = this->texts(id);
  const auto refused = this->edit(id, {SetText{0, "x"}, RemoveSegment{1}, SetText{7, "y"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().edit, 2U);
  EXPECT_EQ(refused.error().error.message, "There is no segment 7 in this text.");
  EXPECT_EQ(this->texts(id), before);
  EXPECT_EQ(this->find(id).version, 0);
  EXPECT_TRUE(this->store_->matches(id, "first", 3).value()->size() == 1) << "also for searches";
}

TYPED_TEST(TextVersions, WhatChangesNothingMakesNoVersion) {
  const std::string id = this->add_talk();
  const auto change =
      this->edit(id, {SetText{0, "  The first one. "}, SetSpeaker{0, ""},
                      ReplaceText{"nowhere", "x", {}}, SplitSegment{0, 1}, MergeSegment{0}});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->version, 0);
  EXPECT_TRUE(change->changed.empty());
  EXPECT_TRUE(this->store_->versions(id, 100, 100).value().empty());
}

TYPED_TEST(TextVersions, AnEditOfAnOldVersionIsRefusedWithTheNewest) {
  const std::string id = this->add_talk();
  ASSERT_TRUE(this->edit(id, {SetText{0, "x"}}, 0));
  const auto late = this->edit(id, {SetText{0, "y"}}, 0);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().error.code, errc::version_conflict);
  EXPECT_EQ(late.error().version, 1);
  EXPECT_TRUE(this->edit(id, {SetText{0, "y"}}, 1));
}

TYPED_TEST(TextVersions, IsForTheOwnerAndForJobsThatHaveEnded) {
  const std::string id = this->add_talk();
  const auto foreign = this->edit_text({id, "bob", {}}, Edits{SetText{0, "x"}});
  EXPECT_EQ(foreign.error().error.code, errc::job_not_found);
  EXPECT_EQ(this->restore_text({id, "bob", {}}, 0).error().error.code, errc::job_not_found);
  const std::string running = this->add_text({spoken(0, {" a", " b"})}, false);
  EXPECT_EQ(this->edit(running, {SetText{0, "x"}}).error().error.code, errc::job_not_ended);
  EXPECT_EQ(this->texts(running), Texts{" a b"}) << "but it can be read";
}

TYPED_TEST(TextVersions, ASplitMakesASegmentWithANewId) {
  const std::string id = this->add_talk();
  const auto change = this->edit(id, {SplitSegment{0, 2}});
  ASSERT_TRUE(change) << change.error().error.message;
  EXPECT_EQ(change->segments, 4);
  ASSERT_EQ(change->changed.size(), 2U);
  EXPECT_EQ(change->changed[1].id, 3);
  EXPECT_EQ(change->changed[1].segment.text, " one.");
  EXPECT_EQ(change->changed[1].segment.start, 2);
  EXPECT_EQ(change->changed[0].segment.end, 2);
  EXPECT_EQ(this->texts(id), (Texts{" The first", " one.", " A second one.", " Last words."}));
  EXPECT_EQ(this->find(id).segments, 4);
  const auto again = this->edit(id, {MergeSegment{0}, SplitSegment{0, 1}});
  EXPECT_EQ(again->changed.back().id, 4) << "an id is not used twice";
  EXPECT_EQ(again->removed, std::vector<std::int64_t>{3});
  EXPECT_EQ(this->refusal(id, SplitSegment{4, 2}),
            "The segment has 2 words, so word must be from 1 to 1.");
  EXPECT_EQ(this->refusal(id, SplitSegment{1, 0}),
            "The segment has 3 words, so word must be from 1 to 2.");
}

TYPED_TEST(TextVersions, ASegmentWithoutWordTimesIsSplitAtItsSpaces) {
  protocol::Segment plain{.start = 0, .end = 4, .text = " ab cd"};
  const std::string id = this->add_text({plain});
  ASSERT_TRUE(this->edit(id, {SplitSegment{0, 1}}));
  const auto parts = this->read(id);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].segment.end, 2);
  EXPECT_EQ(parts[1].segment.text, " cd");
  EXPECT_TRUE(parts[1].segment.words.empty());
}

TYPED_TEST(TextVersions, EveryWordCanBecomeASegment) {
  Texts words;
  for (int i = 0; i < 300; ++i) words.push_back(" w" + std::to_string(i));
  const std::string id = this->add_text({spoken(0, words), spoken(1, {" end"})});
  std::int64_t last = 0;
  for (int i = 1; i < 300; ++i) {
    const auto change = this->edit(id, {SplitSegment{last, 1}});
    ASSERT_TRUE(change) << i << " " << change.error().error.message;
    last = change->changed.back().id;
  }
  words.push_back(" end");
  EXPECT_EQ(this->texts(id), words);
}

TYPED_TEST(TextVersions, AMergeJoinsWithTheSegmentBehind) {
  const std::string id = this->add_talk();
  const auto change = this->edit(id, {MergeSegment{0}});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->removed, std::vector<std::int64_t>{1});
  const auto now = this->read(id);
  ASSERT_EQ(now.size(), 2U);
  EXPECT_EQ(now[0].segment.text, " The first one. A second one.");
  EXPECT_EQ(now[0].segment.words.size(), 6U);
  EXPECT_EQ(now[0].segment.end, 10);
  EXPECT_EQ(this->refusal(id, MergeSegment{2}),
            "The segment is the last one, and has none to merge with.");
}

TYPED_TEST(TextVersions, TimesStayBetweenThoseOfTheNeighbours) {
  const std::string id = this->add_talk();
  ASSERT_TRUE(this->edit(id, {SetTimes{1, 6.5, 9}}));
  const auto segment = this->read(id)[1].segment;
  EXPECT_EQ(segment.start, 6.5);
  EXPECT_EQ(segment.words[0].start, 6.5) << "words stay inside";
  EXPECT_EQ(segment.words[1].end, 7);
  EXPECT_EQ(this->refusal(id, SetTimes{1, 11, 12}), "The next segment starts at 10.000 s.");
  EXPECT_EQ(this->refusal(id, SetTimes{2, 1, 12}), "The previous segment starts at 6.500 s.");
  EXPECT_EQ(this->refusal(id, SetTimes{2, 12, 101}), "The recording ends at 100.000 s.");
  EXPECT_NE(this->refusal(id, SetTimes{2, 12, 12}), "");
  EXPECT_NE(this->refusal(id, SetTimes{0, -1, 12}), "");
}

TYPED_TEST(TextVersions, TextsAreCheckedAndStayInOneLine) {
  const std::string id = this->add_talk();
  EXPECT_EQ(this->refusal(id, SetText{0, " \n "}), "The text is empty.");
  EXPECT_EQ(this->refusal(id, SetText{0, "a\x01"}), "The text has a control character.");
  EXPECT_NE(this->refusal(id, SetText{0, std::string(max_segment_bytes + 1, 'a')}), "");
  ASSERT_TRUE(this->edit(id, {SetText{0, "two\nlines"}}));
  EXPECT_EQ(this->texts(id)[0], " two lines");
}

TYPED_TEST(TextVersions, SpeakersHaveLabelsAndNames) {
  auto first = spoken(0, {" Hello."}), second = spoken(1, {" Yes."});
  first.speaker = "A";
  second.speaker = "B";
  const std::string id = this->add_text({first, second}, true, {{0, 5, "A"}, {5, 10, "B"}});
  const auto change = this->edit(id, {SetSpeaker{1, "A"}, NameSpeaker{"A", "Ada"}});
  ASSERT_TRUE(change) << change.error().error.message;
  EXPECT_EQ(change->changed[0].segment.speaker, "A") << "the label";
  EXPECT_EQ(change->speaker_names, (protocol::SpeakerNames{{"A", "Ada"}}));
  EXPECT_EQ(this->transcribed(id)[1].speaker, "Ada");
  ASSERT_TRUE(this->edit(id, {SetSpeaker{0, "Guest"}, NameSpeaker{"Guest", "Eve"}}));
  EXPECT_EQ(this->transcribed(id)[0].speaker, "Eve");
  EXPECT_EQ(this->edit(id, {NameSpeaker{"Guest", ""}})->speaker_names.at("Guest"), "Guest");
  EXPECT_EQ(this->refusal(id, NameSpeaker{"C", "Carl"}), "There is no speaker C in this job.");
  EXPECT_NE(this->refusal(id, SetSpeaker{0, "a\nb"}), "");
  Edits many;
  for (int i = 0; i <= 200; ++i) many.emplace_back(SetSpeaker{0, "Guest " + std::to_string(i)});
  const auto refused = this->edit_text({id, "ada", {}}, many);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().error.message.find("200 speakers"), std::string::npos);
  EXPECT_TRUE(this->edit(id, {SetSpeaker{0, ""}}));
  EXPECT_EQ(this->read(id)[0].segment.speaker, "");
}

TYPED_TEST(TextVersions, TwoSpeakersThatWereOneAreMerged) {
  std::vector<protocol::Segment> said;
  for (const char* label : {"A", "B", "C", "B"}) {
    said.push_back(spoken(static_cast<int>(said.size()), {" Hello."}));
    said.back().speaker = label;
  }
  const std::string id =
      this->add_text(said, true, {{0, 1, "A"}, {1, 2, "B"}, {2, 3, "C"}, {3, 4, "B"}});
  ASSERT_TRUE(this->edit(id, {NameSpeaker{"B", "Bert"}}));
  const auto change = this->edit(id, {MergeSpeakers{"B", "A"}});
  ASSERT_TRUE(change) << change.error().error.message;
  ASSERT_EQ(change->changed.size(), 2U);
  EXPECT_EQ(change->changed[1].segment.speaker, "A");
  EXPECT_EQ(this->read(id)[2].segment.speaker, "C");
  EXPECT_EQ(this->read(id, 1)[1].segment.speaker, "B") << "the version before";
  EXPECT_EQ(this->refusal(id, MergeSpeakers{"B", "A"}), "Nobody has the label B in this text.");
  EXPECT_EQ(this->refusal(id, MergeSpeakers{"A", "A"}), "A speaker cannot be merged with itself.");
  EXPECT_NE(this->refusal(id, MergeSpeakers{"", "A"}), "");
  EXPECT_NE(this->refusal(id, MergeSpeakers{"A", "a\nb"}), "");
  EXPECT_TRUE(this->edit(id, {MergeSpeakers{"C", "Guest"}})) << "a label that nobody has yet";
}

TYPED_TEST(TextVersions, TurnsFollowWhoWasSaidToSpeak) {
  auto first = spoken(0, {" Hello."}), second = spoken(1, {" Yes."});
  first.speaker = "A";
  second.speaker = "B";
  const std::vector<protocol::SpeakerTurn> heard{{0, 4, "A"}, {4, 10, "B"}};
  const std::string id = this->add_text({first, second}, true, heard);
  ASSERT_TRUE(this->edit(id, {SetText{0, "Hello!"}}));
  EXPECT_EQ(find_transcript(directly(*this->store_), id, {}).value()->turns, heard)
      << "it is another text alone";
  ASSERT_TRUE(this->edit(id, {SetSpeaker{1, "A"}, NameSpeaker{"A", "Ada"}}));
  EXPECT_EQ(find_transcript(directly(*this->store_), id, {}).value()->turns,
            (std::vector<protocol::SpeakerTurn>{{0, 10, "Ada"}}));
  const auto before = find_transcript(directly(*this->store_), id, 1).value();
  EXPECT_EQ(before->turns.size(), 2U);
  EXPECT_EQ(before->text, " Hello! Yes.");
  EXPECT_EQ(find_transcript(directly(*this->store_), id, 3).error().code, errc::version_not_found);
}

TYPED_TEST(TextVersions, ReplacesEverywhereAndCounts) {
  const std::string id = this->add_talk();
  const auto change = this->edit(id, {ReplaceText{"ONE", "two", {.match_case = false}}});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->replaced, 2);
  EXPECT_EQ(this->texts(id), (Texts{" The first two.", " A second two.", " Last words."}));
  EXPECT_EQ(change->changed[0].segment.words[1], spoken(0, {" The", " first"}).words[1]);
  const auto gone = this->edit(id, {ReplaceText{"Last words.", "", {}}});
  EXPECT_EQ(gone->removed, std::vector<std::int64_t>{2}) << "nothing is left of it";
  EXPECT_NE(this->refusal(id, ReplaceText{"", "x", {}}), "");
}

}  // namespace
}  // namespace server
