#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/server/jobs/edited_texts_fixture.h"

// Earlier versions of texts: how they are read and restored.
namespace server {
namespace {

using test::Edits;
using test::spoken;
using test::Texts;

template <class UnderTest>
class TextHistory : public test::EditedTexts<UnderTest> {};
TYPED_TEST_SUITE(TextHistory, test::StoresUnderTest);

TYPED_TEST(TextHistory, AVersionIsRestoredAsANewOne) {
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

TYPED_TEST(TextHistory, IsReadInPagesBehindASegment) {
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

TYPED_TEST(TextHistory, AJobInMemoryIsOnTheDiskFromItsFirstEdit) {
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
TYPED_TEST(TextHistory, RandomEditsGiveTheSameAsAList) {
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
