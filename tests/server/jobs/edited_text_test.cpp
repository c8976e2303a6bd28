#include "server/jobs/edited_text.h"

#include <gtest/gtest.h>

#include <functional>
#include <stop_token>

#include "server/jobs/job_text.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using Edits = std::vector<TextEdit>;
using Texts = std::vector<std::string>;

// Ends an edit as the end of its process would.
struct Crash {};

template <class UnderTest>
class LongEdits : public test::StoreCases<UnderTest> {
 protected:
  // Adds a job that has ended with so many segments of so many bytes.
  std::string add_text(int segments, std::size_t bytes) {
    const std::string id = this->add().id;
    this->take();
    std::vector<protocol::Segment> said;
    for (int i = 0; i < segments; ++i) {
      said.push_back(test::segment(i));
      said.back().text = " number " + std::to_string(i) + " " + std::string(bytes, 'a');
    }
    EXPECT_TRUE(this->store_->add_segments(this->held(id), said));
    EXPECT_TRUE(this->store_->finish(this->held(id), {}));
    return id;
  }
  Texts texts(const std::string& id, std::optional<int> version = {}) {
    Texts found;
    for (const auto& one : this->text_page(id, version, {}, 10'000).value().segments) {
      found.push_back(one.segment.text);
    }
    return found;
  }
  // Calls `before` with the number of each call of the store, counted from 1.
  OnStore counted(std::function<void(int)> before) {
    return [this, before = std::move(before),
            calls = std::make_shared<int>(0)](const std::function<void(JobStore&)>& call) {
      before(++*calls);
      call(*this->store_);
    };
  }
  int calls_of(const std::string& id, const Edits& edits) {
    int calls = 0;
    const auto on_store = counted([&](int call) { calls = call; });
    EXPECT_TRUE(edit_text(on_store, {id, "ada", {}}, edits));
    return calls;
  }
};
TYPED_TEST_SUITE(LongEdits, test::StoresUnderTest);

TYPED_TEST(LongEdits, ATextIsReadOnceForAllOperations) {
  const std::string id = this->add_text(150, 10);
  const ReplaceText nowhere{"nowhere", "x", {}};
  const int once = this->calls_of(id, Edits{nowhere});
  EXPECT_EQ(this->calls_of(id, Edits(50, nowhere)), once);
}

TYPED_TEST(LongEdits, SegmentsThatAreNamedAreReadTogether) {
  const std::string id = this->add_text(150, 10);
  Edits edits;
  for (int i = 0; i < 100; ++i) edits.push_back(SetText{i, "new"});
  EXPECT_LT(this->calls_of(id, edits), 10);
}

// Rows of earlier versions lie between two segments. No call looks at all of them.
TYPED_TEST(LongEdits, ALongHistoryIsLookedAtInShortCalls) {
  constexpr int segments = 1000, rounds = 4;
  const std::string id = this->add_text(segments, 10);
  Edits removals;
  for (int i = 1; i < segments - 1; ++i) removals.push_back(RemoveSegment{i});
  for (int round = 0; round < rounds; ++round) {
    if (round > 0) {
      ASSERT_TRUE(this->restore_text({id, "ada", {}}, 0));
    }
    ASSERT_TRUE(this->edit_text({id, "ada", {}}, removals));
  }
  constexpr int least_calls = (2 * rounds - 1) * (segments - 2) / text_slice_looks;
  int calls = 0;
  const auto on_store = this->counted([&](int call) { calls = call; });
  const auto transcript = find_transcript(on_store, id, {}).value().value();
  EXPECT_EQ(transcript.segments.size(), 2U);
  EXPECT_GE(calls, least_calls);
  EXPECT_EQ(this->texts(id).size(), 2U);
  EXPECT_EQ(this->texts(id, 0).size(), std::size_t{segments});
  EXPECT_EQ(this->text_page(id, {}, 0, 10).value().segments.front().id, segments - 1);
  EXPECT_GE(this->calls_of(id, Edits{SplitSegment{0, 1}}), least_calls) << "looks for what follows";
  EXPECT_GE(this->calls_of(id, Edits{MergeSegment{segments}}), least_calls);
  EXPECT_EQ(this->texts(id).size(), 2U);
  while (this->store_->index_next().value()) {
  }
  // A store without an index of its own leaves a long history to its caller.
  const auto matches = this->store_->matches(id, "number 999", 9).value();
  EXPECT_EQ(matches.value_or(std::vector<TextMatch>(1)).size(), 1U);
}

TYPED_TEST(LongEdits, NobodySeesAVersionBeforeAllOfItIsWritten) {
  const std::string id = this->add_text(300, 1000);
  const Texts before = this->texts(id);
  int calls = 0;
  const auto on_store = this->counted([&](int call) {
    calls = call;
    EXPECT_EQ(this->find(id).version, 0) << "before call " << call;
    EXPECT_EQ(this->texts(id), before);
    EXPECT_EQ(
        this->store_->matches(id, "renamed", 1).value().value_or(std::vector<TextMatch>()).size(),
        0U);
  });
  const auto change =
      edit_text(on_store, {id, "ada", {}}, Edits{ReplaceText{"number", "renamed", {}}});
  ASSERT_TRUE(change) << change.error().error.message;
  EXPECT_GT(calls, 6) << "reading and writing take several calls each";
  EXPECT_EQ(change->replaced, 300);
  EXPECT_EQ(this->find(id).version, 1);
  EXPECT_EQ(this->texts(id)[299].substr(0, 12), " renamed 299");
  EXPECT_EQ(this->texts(id, 0), before);
}

TYPED_TEST(LongEdits, AnEditThatIsStoppedChangesNothing) {
  const std::string id = this->add_text(300, 1000);
  const Texts before = this->texts(id);
  const Edits edits{ReplaceText{"number", "renamed", {}}};
  for (int last = 1;; ++last) {
    std::stop_source stop;
    const auto on_store = this->counted([&](int call) {
      if (call == last) stop.request_stop();
    });
    const auto change = edit_text(on_store, {id, "ada", {}}, edits, {stop.get_token(), {}});
    if (change) {
      EXPECT_GT(last, 6) << "it was stopped in every part of its work";
      break;
    }
    EXPECT_EQ(change.error().error.code, errc::client_gone);
    EXPECT_EQ(this->find(id).version, 0);
    EXPECT_EQ(this->texts(id), before) << "stopped in call " << last;
  }
}

TYPED_TEST(LongEdits, ACrashBetweenTwoSlicesShowsNothingOfTheEdit) {
  const std::string id = this->add_text(300, 1000);
  const Texts before = this->texts(id);
  const Edits edits{ReplaceText{"number", "renamed", {}}};
  int last = 1;
  for (bool is_made = false; !is_made; ++last) {
    try {
      const auto on_store = this->counted([&](int call) {
        if (call == last) throw Crash();
      });
      is_made = edit_text(on_store, {id, "ada", {}}, edits).has_value();
    } catch (const Crash&) {
      this->reopen();
      ASSERT_TRUE(this->store_->recover());
      EXPECT_EQ(this->texts(id), before) << "crashed before call " << last;
      EXPECT_EQ(this->find(id).version, 0);
    }
  }
  EXPECT_GT(last, 6);
}

TYPED_TEST(LongEdits, TheNextEditHasNothingOfOneThatCrashed) {
  const std::string id = this->add_text(300, 1000);
  const Texts before = this->texts(id);
  int calls = 0;
  {
    const std::string other = this->add_text(300, 1000);
    calls = this->calls_of(other, Edits{ReplaceText{"number", "renamed", {}}});
  }
  const auto on_store = this->counted([&](int call) {
    if (call == calls) throw Crash();
  });
  EXPECT_THROW(edit_text(on_store, {id, "ada", {}}, Edits{ReplaceText{"number", "renamed", {}}}),
               Crash);
  ASSERT_TRUE(this->edit_text({id, "ada", {}}, Edits{SetText{7, "seven"}}));
  Texts now = before;
  now[7] = " seven";
  EXPECT_EQ(this->texts(id), now);
  this->reopen();
  EXPECT_EQ(this->texts(id), now);
}

TYPED_TEST(LongEdits, KeepsNamesThatSpeakersGotMeanwhile) {
  const std::string id = this->add_text(300, 1000);
  ASSERT_TRUE(this->edit_text({id, "ada", {}}, Edits{SetSpeaker{0, "A"}, SetSpeaker{1, "B"}}));
  const auto on_store = this->counted([&](int call) {
    if (call == 4) {
      const JobChange renamed{.speaker_names = {{{"A", "Anna"}}}};
      ASSERT_TRUE(this->store_->change(id, "ada", renamed));
    }
  });
  const Edits edits{ReplaceText{"number", "renamed", {}}, NameSpeaker{"B", "Bert"}};
  const auto change = edit_text(on_store, {id, "ada", {}}, edits);
  ASSERT_TRUE(change) << change.error().error.message;
  EXPECT_EQ(change->speaker_names.at("A"), "Anna");
  EXPECT_EQ(this->find(id).speaker_names.at("A"), "Anna");
  EXPECT_EQ(this->find(id).speaker_names.at("B"), "Bert");
}

TYPED_TEST(LongEdits, OneThatWasOvertakenIsRefused) {
  const std::string id = this->add_text(300, 1000);
  const auto on_store = this->counted([&](int call) {
    if (call == 4) {
      ASSERT_TRUE(this->edit_text({id, "ada", {}}, Edits{SetText{0, "first"}}));
    }
  });
  const auto late =
      edit_text(on_store, {id, "ada", {}}, Edits{ReplaceText{"number", "renamed", {}}});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().error.code, errc::version_conflict);
  EXPECT_EQ(late.error().version, 1);
  EXPECT_EQ(this->texts(id)[0], " first");
  EXPECT_EQ(this->find(id).version, 1);
}

TYPED_TEST(LongEdits, AnEditThatLooksAtTooMuchIsRefusedWithTheOperation) {
  const std::string id = this->add_text(120, 9000);
  const auto before = this->texts(id);
  const auto refused =
      this->edit_text({id, "ada", {}}, Edits(1000, ReplaceText{"a", "b", {.whole_words = true}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, errc::edit_too_large);
  ASSERT_TRUE(refused.error().edit);
  EXPECT_GT(*refused.error().edit, 50U) << "about a hundred looks at a megabyte";
  EXPECT_LT(*refused.error().edit, 150U);
  EXPECT_EQ(this->find(id).version, 0);
}

// A segment of ten kilobytes has thousands of words, and each may be compared with each.
TYPED_TEST(LongEdits, ComparingWordsCountsAsLooking) {
  const std::string id = this->add().id;
  this->take();
  protocol::Segment said = test::segment(0);
  said.text.clear();
  for (int i = 0; i < 3000; ++i) {
    said.words.push_back({.start = said.start, .end = said.end, .word = " a"});
    said.text += " a";
  }
  ASSERT_TRUE(this->store_->add_segments(this->held(id), {&said, 1}));
  ASSERT_TRUE(this->store_->finish(this->held(id), {}));
  std::string other;
  for (int i = 0; i < 3000; ++i) other += " b";
  const auto refused = this->edit_text({id, "ada", {}}, Edits(1000, SetText{0, other}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, errc::edit_too_large);
  ASSERT_TRUE(refused.error().edit);
  EXPECT_GT(*refused.error().edit, 10U);
  EXPECT_LT(*refused.error().edit, 50U);
}

TYPED_TEST(LongEdits, WhatAnEditKeepsIsCounted) {
  const std::string id = this->add_text(100, 1000);
  const auto memory = std::make_shared<TextMemory>(1 << 20);
  const auto edit = [&](const Edits& edits) {
    const TextBounds bounds{.memory = std::make_shared<TextMemory::Share>(memory, "ada")};
    const auto change = edit_text(directly(*this->store_), {id, "ada", {}}, edits, bounds);
    EXPECT_GT(memory->taken(), 0U);
    return change ? "" : change.error().error.code;
  };
  EXPECT_EQ(edit({SetText{7, "seven"}}), "");
  EXPECT_EQ(edit({ReplaceText{"nowhere", "x", {}}}), "") << "it is read, and not changed";
  EXPECT_EQ(edit({ReplaceText{"number", "renamed", {}}}), errc::edit_too_large);
  EXPECT_EQ(this->find(id).version, 1);
  EXPECT_EQ(memory->taken(), 0U);
}

TYPED_TEST(LongEdits, SearchesKnowALongEditBeforeAndAfterItIsIndexed) {
  const std::string id = this->add_text(300, 1000);
  const auto found = [&](const std::string& text) {
    const auto slice = this->store_->slice("ada", {.texts = {text}}, {}, 10).value();
    return !slice.jobs.empty() || slice.unread.has_value();
  };
  while (this->store_->index_next().value()) {
  }
  ASSERT_TRUE(this->edit_text({id, "ada", {}}, Edits{ReplaceText{"number", "renamed", {}}}));
  EXPECT_TRUE(found("renamed 299"));
  while (this->store_->index_next().value()) {
  }
  EXPECT_TRUE(found("renamed 299"));
  EXPECT_TRUE(found("renamed 0"));
}

TYPED_TEST(LongEdits, ALongTextIsRestored) {
  const std::string id = this->add_text(300, 1000);
  const Texts before = this->texts(id);
  ASSERT_TRUE(this->edit_text({id, "ada", {}}, Edits{ReplaceText{"number", "renamed", {}}}));
  int calls = 0;
  const auto on_store = this->counted([&](int call) { calls = call; });
  const auto back = restore_text(on_store, {id, "ada", {}}, 0);
  ASSERT_TRUE(back) << back.error().error.message;
  EXPECT_GT(calls, 6);
  EXPECT_EQ(back->version, 2);
  EXPECT_EQ(back->changed.size(), 300U);
  EXPECT_EQ(this->texts(id), before);
}

TYPED_TEST(LongEdits, NeighboursAreThoseThatEditsHaveLeft) {
  const std::string id = this->add_text(10, 5);
  const auto change = this->edit_text(
      {id, "ada", {}},
      Edits{RemoveSegment{4}, RemoveSegment{5}, MergeSegment{3}, SplitSegment{3, 1},
            MergeSegment{10}, SetTimes{8, 16.5, 17}, MergeSegment{8}, RemoveSegment{0}});
  ASSERT_TRUE(change) << change.error().error.message;
  const Texts now = this->texts(id);
  ASSERT_EQ(now.size(), 5U);
  EXPECT_EQ(now[2], " number");
  EXPECT_EQ(now[3], " 3 aaaaa number 6 aaaaa number 7 aaaaa");
  EXPECT_EQ(now[4].substr(0, 9), " number 8");
  EXPECT_EQ(change->segments, 5);
}

}  // namespace
}  // namespace server
