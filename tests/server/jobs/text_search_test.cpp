#include <gtest/gtest.h>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using Ids = std::vector<std::string>;
using Texts = std::vector<std::string>;

template <class UnderTest>
class TextSearchTest : public test::StoreCases<UnderTest> {
 protected:
  std::string add_said(const Texts& said, const std::string& owner = "ada", bool detached = true) {
    JobRequest request{.model = "base", .title = "talk.wav", .owner = owner, .detached = detached};
    const std::string id = this->submit(std::move(request)).value().id;
    this->take(!detached);
    std::vector<protocol::Segment> segments;
    for (const auto& text : said) {
      segments.push_back(test::segment(static_cast<int>(segments.size())));
      segments.back().text = text;
    }
    EXPECT_TRUE(this->store_->add_segments(this->held(id), segments));
    EXPECT_TRUE(this->store_->finish(this->held(id), {}));
    return id;
  }
  Ids ids(const Texts& wanted, const std::string& owner = "ada") {
    Ids found;
    for (const auto& job : this->store_->slice(owner, {.texts = wanted}, {}, 100).value().jobs) {
      found.push_back(job.id);
    }
    return found;
  }
  void edit(const std::string& id, const TextEdit& one) {
    const auto made = this->edit_text({id, "ada", {}}, std::vector{one});
    ASSERT_TRUE(made) << made.error().error.message;
  }
};
TYPED_TEST_SUITE(TextSearchTest, test::StoresUnderTest);

TYPED_TEST(TextSearchTest, FindsPartsOfWordsInAnyScriptAndCase) {
  const std::string german = this->add_said({" Die GRÜSSE kamen an."});
  const std::string japanese = this->add_said({"灯台の最後のランプ"});
  const std::string russian = this->add_said({" Последняя лампа"});
  EXPECT_EQ(this->ids({"grüße"}), Ids{german});
  EXPECT_EQ(this->ids({"最後の"}), Ids{japanese});
  EXPECT_EQ(this->ids({"灯台"}), Ids{japanese}) << "two letters are fewer than three";
  EXPECT_EQ(this->ids({"灯"}), Ids{japanese});
  EXPECT_EQ(this->ids({"ЛАМПА"}), Ids{russian});
  EXPECT_EQ(this->ids({"amen a"}), Ids{german}) << "over a space";
  EXPECT_EQ(this->ids({"lampe"}), Ids{});
}

TYPED_TEST(TextSearchTest, NothingInAQueryIsAPattern) {
  const std::string id = this->add_said({" He said \"AND\" 100% (NEAR) a* it_s"});
  for (const char* text : {"\"AND\"", "100%", "(near)", "a* i", "t_s", "said \""}) {
    EXPECT_EQ(this->ids({text}), Ids{id}) << text;
  }
  for (const char* text : {"he OR said", "sa*d", "he%id", "text:said"}) {
    EXPECT_EQ(this->ids({text}), Ids{}) << text;
  }
}

TYPED_TEST(TextSearchTest, AllTextsStandSomewhere) {
  const std::string both = this->add_said({" the lamp", " the keeper"});
  this->add_said({" the lamp"});
  EXPECT_EQ(this->ids({"keeper", "lamp"}), Ids{both});
  EXPECT_EQ(this->ids({"keeper", "LA"}), Ids{both});
  EXPECT_EQ(this->ids({"keeper", "talk"}), Ids{both}) << "one in the file's name";
  EXPECT_EQ(this->ids({"keeper", "nobody"}), Ids{});
}

TYPED_TEST(TextSearchTest, OwnersFindTheirOwn) {
  const std::string hers = this->add_said({" the lamp"});
  const std::string his = this->add_said({" the lamp"}, "bob");
  EXPECT_EQ(this->ids({"lamp"}), Ids{hers});
  EXPECT_EQ(this->ids({"lamp"}, "bob"), Ids{his});
  EXPECT_EQ(this->ids({"lamp"}, "eve"), Ids{});
}

TYPED_TEST(TextSearchTest, FollowsEveryEdit) {
  const std::string id = this->add_said({" the lamp", " the keeper"});
  this->edit(id, SetText{0, "the lighthouse"});
  EXPECT_EQ(this->ids({"lamp"}), Ids{});
  EXPECT_EQ(this->ids({"lighthouse"}), Ids{id});
  this->edit(id, RemoveSegment{1});
  EXPECT_EQ(this->ids({"keeper"}), Ids{});
  this->edit(id, SplitSegment{0, 1});
  EXPECT_EQ(this->ids({"the lighthouse"}), Ids{}) << "now of two segments";
  EXPECT_EQ(this->ids({"lighthouse"}), Ids{id});
  this->edit(id, SetSpeaker{0, "Marie"});
  EXPECT_EQ(this->ids({"marie"}), Ids{id});
  this->edit(id, NameSpeaker{"Marie", "Irene"});
  EXPECT_EQ(this->ids({"irene"}), Ids{id});
  EXPECT_EQ(this->ids({"marie"}), Ids{});
  ASSERT_TRUE(this->restore_text({id, "ada", {}}, 0));
  EXPECT_EQ(this->ids({"lamp"}), Ids{id});
  EXPECT_EQ(this->ids({"lighthouse"}), Ids{});
}

TYPED_TEST(TextSearchTest, FindsTheTitleAndTheNameOfTheFile) {
  const std::string id = this->add_said({" hello"});
  ASSERT_TRUE(this->store_->change(id, "ada", {.title = "Minutes of May"}));
  EXPECT_EQ(this->ids({"minutes"}), Ids{id});
  EXPECT_EQ(this->ids({"talk.wav"}), Ids{id});
  ASSERT_TRUE(this->store_->change(id, "ada", {.title = ""}));
  EXPECT_EQ(this->ids({"minutes"}), Ids{});
}

TYPED_TEST(TextSearchTest, MatchesSayWhere) {
  const std::string id =
      this->add_said({" nothing", " Über die Lampe, die LAMPE", " Lampen", " lampe"});
  const auto found = this->store_->matches(id, "lampe", 2).value().value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].segment, 1);
  EXPECT_EQ(found[0].start, 2);
  EXPECT_EQ(found[0].text, "Über die Lampe, die LAMPE");
  EXPECT_EQ(found[0].spans, (std::vector<TextSpan>{{9, 14}, {20, 25}}));
  EXPECT_EQ(found[1].segment, 2);
  EXPECT_TRUE(this->store_->matches(id, "talk", 2).value()->empty()) << "the title is no segment";
  EXPECT_EQ((*this->store_->matches(id, "üb", 2).value())[0].spans,
            (std::vector<TextSpan>{{0, 2}}));
}

TYPED_TEST(TextSearchTest, GoesOnBehindThePageBefore) {
  Ids all;
  for (int i = 0; i < 7; ++i) {
    all.insert(all.begin(), this->add_said({i % 2 == 0 ? " a lamp" : " none"}));
    this->add_said({" a lamp"}, "bob");
  }
  Ids found;
  JobPlace behind;
  for (int slices = 0; slices < 20; ++slices) {
    const auto slice = this->store_->slice("ada", {.texts = {"lamp"}}, behind, 3).value();
    for (const auto& job : slice.jobs) found.push_back(job.id);
    if (!slice.end) break;
    behind = *slice.end;
  }
  EXPECT_EQ(found, (Ids{all[0], all[2], all[4], all[6]}));
}

}  // namespace
}  // namespace server
