#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "server/jobs/job_store.h"
#include "server/jobs/job_text.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using Edits = std::vector<TextEdit>;
using Texts = std::vector<std::string>;
using protocol::Segment;

// A segment of five seconds with a word in each.
Segment spoken(int number, const Texts& words) {
  Segment segment{.id = number, .start = number * 5.0, .end = number * 5.0 + 5, .tokens = {1, 2}};
  double at = segment.start;
  for (const auto& word : words) {
    segment.words.push_back({at, at + 1, word, 0.9, 1});
    segment.text += word;
    at += 1;
  }
  return segment;
}

template <class UnderTest>
class TextVersions : public test::StoreCases<UnderTest> {
 protected:
  // Adds a job that has ended with these segments.
  std::string add_text(const std::vector<Segment>& segments, bool ends = true,
                       std::vector<protocol::SpeakerTurn> turns = {}) {
    const std::string id = this->add().id;
    this->take();
    EXPECT_TRUE(this->store_->add_segments(this->held(id), segments));
    JobEnd end;
    end.summary.duration = 100;
    end.summary.turns = std::move(turns);
    if (!ends) return id;
    EXPECT_TRUE(this->store_->finish(this->held(id), end));
    return id;
  }
  std::string add_talk() {
    return add_text({spoken(0, {" The", " first", " one."}), spoken(1, {" A", " second", " one."}),
                     spoken(2, {" Last", " words."})});
  }
  EditResult edit(const std::string& id, const Edits& edits, std::optional<int> version = {}) {
    return this->edit_text({id, "ada", version}, edits);
  }
  std::vector<TextSegment> read(const std::string& id, std::optional<int> version = {}) {
    return this->text_page(id, version, {}, 1000).value().segments;
  }
  Texts texts(const std::string& id, std::optional<int> version = {}) {
    Texts found;
    for (const auto& one : read(id, version)) found.push_back(one.segment.text);
    return found;
  }
  // Returns what a transcript has of the newest version.
  std::vector<Segment> transcribed(const std::string& id) {
    return find_transcript(directly(*this->store_), id, {}).value().value().segments;
  }
  Texts stored(const std::string& id) {
    Texts found;
    for (const auto& one : transcribed(id)) found.push_back(one.text);
    return found;
  }
  std::string refusal(const std::string& id, const TextEdit& wrong) {
    const auto result = edit(id, {wrong});
    if (result) return "";
    EXPECT_EQ(result.error().error.code, "bad_edit");
    EXPECT_EQ(result.error().edit, 0U);
    return result.error().error.message;
  }
};
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
  Segment plain{.start = 0, .end = 4, .text = " ab cd"};
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
  EXPECT_EQ(this->refusal(id, SetTimes{1, 11, 12}), "The segment behind it begins at 10.000 s.");
  EXPECT_EQ(this->refusal(id, SetTimes{2, 1, 12}), "The segment before it begins at 6.500 s.");
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
  EXPECT_TRUE(this->edit(id, {SetSpeaker{0, ""}}));
  EXPECT_EQ(this->read(id)[0].segment.speaker, "");
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

TYPED_TEST(TextVersions, AVersionIsRestoredAsANewOne) {
  const std::string id = this->add_talk();
  ASSERT_TRUE(this->edit(id, {SetText{0, "x"}, SplitSegment{1, 1}}));
  ASSERT_TRUE(this->edit(id, {RemoveSegment{0}, SetText{2, "y"}}));
  const auto back = this->restore_text({id, "ada", 2}, 1);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->version, 3);
  EXPECT_EQ(this->texts(id), this->texts(id, 1));
  EXPECT_EQ(back->changed.size(), 2U);
  const auto first = this->restore_text({id, "ada", {}}, 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->removed, std::vector<std::int64_t>{3});
  EXPECT_EQ(first->segments, 3);
  EXPECT_EQ(this->texts(id), this->texts(id, 0));
  EXPECT_EQ(this->read(id)[0].segment, this->read(id, 0)[0].segment);
  EXPECT_EQ(this->restore_text({id, "ada", {}}, 9).error().error.code, errc::version_not_found);
  EXPECT_EQ(this->restore_text({id, "ada", {}}, 0)->version, 4) << "it is the same already";
  const auto versions = this->store_->versions(id, 100, 100).value();
  ASSERT_EQ(versions.size(), 4U);
  EXPECT_EQ(versions[0].restored, 0);
  EXPECT_EQ(versions[3].ops, (std::map<std::string, int>{{"text", 1}, {"split", 1}}));
  EXPECT_EQ(versions[3].created, this->now());
}

TYPED_TEST(TextVersions, IsReadInPagesBehindASegment) {
  const std::string id = this->add_talk();
  ASSERT_TRUE(this->edit(id, {SplitSegment{0, 1}}));
  const auto first = this->text_page(id, {}, {}, 2).value();
  EXPECT_TRUE(first.has_more);
  EXPECT_EQ(first.segments.back().id, 3);
  const auto second = this->text_page(id, {}, 3, 2).value();
  EXPECT_FALSE(second.has_more);
  EXPECT_EQ(second.segments.front().id, 1);
  EXPECT_EQ(this->text_page(id, 0, {}, 9).value().segments.size(), 3U);
  EXPECT_EQ(this->text_page(id, {}, 99, 2).error().code, errc::usage);
  EXPECT_EQ(this->text_page(id, 5, {}, 2).error().code, errc::version_not_found);
  ASSERT_TRUE(this->edit(id, {RemoveSegment{3}}));
  EXPECT_EQ(this->text_page(id, {}, 3, 2).value().segments.front().id, 1)
      << "also behind one that is gone";
}

TYPED_TEST(TextVersions, AJobInMemoryIsOnTheDiskFromItsFirstEdit) {
  const std::string id = this->add_waited_for("ada").id;
  this->take(true);
  ASSERT_TRUE(this->store_->add_segments(this->held(id), std::vector{spoken(0, {" one", " two"})}));
  ASSERT_TRUE(this->store_->finish(this->held(id), {}));
  ASSERT_TRUE(this->edit(id, {SetText{0, "three"}}));
  this->reopen();
  EXPECT_EQ(this->texts(id), Texts{" three"});
  EXPECT_EQ(this->store_->matches(id, "three", 3).value()->size(), 1U);
}

// A plain list to which the same edits are made.
TYPED_TEST(TextVersions, RandomEditsGiveTheSameAsAList) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t end) { return random() % end; };
  const std::string id = this->add_text(
      {spoken(0, {" a", " b", " c"}), spoken(1, {" d", " e"}), spoken(2, {" f", " g"})});
  std::vector<Texts> history{this->texts(id)};
  for (int round = 1; round <= 200; ++round) {
    auto now = this->read(id);
    Texts list = this->texts(id);
    const std::size_t at = below(now.size());
    const auto words = static_cast<int>(now[at].segment.words.size());
    TextEdit made = SetText{now[at].id, "t" + std::to_string(round) + " u v"};
    list[at] = " t" + std::to_string(round) + " u v";
    const auto kind = below(4);
    if (kind == 1 && words > 1) {
      list = this->texts(id);
      made = SplitSegment{now[at].id, 1};
      const std::string first = now[at].segment.words[0].word;
      list[at] = first;
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  now[at].segment.text.substr(first.size()));
    } else if (kind == 2 && at + 1 < now.size()) {
      list = this->texts(id);
      made = MergeSegment{now[at].id};
      list[at] += list[at + 1];
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    } else if (kind == 3 && now.size() > 2) {
      list = this->texts(id);
      made = RemoveSegment{now[at].id};
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    }
    const auto change = this->edit(id, {made});
    ASSERT_TRUE(change) << change.error().error.message;
    ASSERT_EQ(this->texts(id), list) << "round " << round;
    ASSERT_EQ(change->segments, static_cast<int>(list.size()));
    ASSERT_EQ(this->stored(id), list);
    history.push_back(list);
  }
  for (int version = 0; version < static_cast<int>(history.size()); version += 13) {
    EXPECT_EQ(this->texts(id, version), history[static_cast<std::size_t>(version)]);
  }
  ASSERT_TRUE(this->restore_text({id, "ada", {}}, 57));
  EXPECT_EQ(this->texts(id), history[57]);
}

}  // namespace
}  // namespace server
