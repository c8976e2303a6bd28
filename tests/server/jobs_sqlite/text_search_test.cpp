#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using Ids = std::vector<std::string>;
using Texts = std::vector<std::string>;

class TextSearchTest : public test::JobStoreTest {
 protected:
  std::string add_said(const Texts& said, const std::string& owner = "ada", bool detached = true) {
    JobRequest request{.model = "base", .title = "talk.wav", .owner = owner, .detached = detached};
    const std::string id = submit(std::move(request)).value().id;
    take(!detached);
    std::vector<protocol::Segment> segments;
    for (const auto& text : said) {
      segments.push_back(test::segment(static_cast<int>(segments.size())));
      segments.back().text = text;
    }
    EXPECT_TRUE(store_->add_segments(held(id), segments));
    EXPECT_TRUE(store_->finish(held(id), {}));
    return id;
  }
  Ids ids(const Texts& wanted, const std::string& owner = "ada") {
    Ids found;
    for (const auto& job : store_->slice(owner, {.texts = wanted}, {}, 100).value().jobs) {
      found.push_back(job.id);
    }
    return found;
  }
  void edit(const std::string& id, const TextEdit& one) {
    const auto made = store_->edit({id, "ada", {}}, std::vector{one});
    ASSERT_TRUE(made) << made.error().error.message;
  }
  // Makes the database one that has not yet indexed its jobs.
  void forget_index() {
    store_.reset();
    {
      SQLite::Database db(settings_.file.string(), SQLite::OPEN_READWRITE);
      db.exec("DELETE FROM search");
      db.exec("UPDATE jobs SET indexed = 0");
    }
    store_ = open_job_store(settings_).value();
  }
  int rows() {
    store_.reset();
    const auto count = [this] {
      SQLite::Database db(settings_.file.string());
      return db.execAndGet("SELECT count(*) FROM search").getInt();
    };
    const int found = count();
    store_ = open_job_store(settings_).value();
    return found;
  }
};

TEST_F(TextSearchTest, FindsPartsOfWordsInAnyScriptAndCase) {
  const std::string german = add_said({" Die GRÜSSE kamen an."});
  const std::string japanese = add_said({"灯台の最後のランプ"});
  const std::string russian = add_said({" Последняя лампа"});
  EXPECT_EQ(ids({"grüße"}), Ids{german});
  EXPECT_EQ(ids({"最後の"}), Ids{japanese});
  EXPECT_EQ(ids({"灯台"}), Ids{japanese}) << "two letters are fewer than three";
  EXPECT_EQ(ids({"灯"}), Ids{japanese});
  EXPECT_EQ(ids({"ЛАМПА"}), Ids{russian});
  EXPECT_EQ(ids({"amen a"}), Ids{german}) << "over a space";
  EXPECT_EQ(ids({"lampe"}), Ids{});
}

TEST_F(TextSearchTest, NothingInAQueryIsAPattern) {
  const std::string id = add_said({" He said \"AND\" 100% (NEAR) a* it_s"});
  for (const char* text : {"\"AND\"", "100%", "(near)", "a* i", "t_s", "said \""}) {
    EXPECT_EQ(ids({text}), Ids{id}) << text;
  }
  for (const char* text : {"he OR said", "sa*d", "he%id", "text:said"}) {
    EXPECT_EQ(ids({text}), Ids{}) << text;
  }
}

TEST_F(TextSearchTest, AllTextsStandSomewhere) {
  const std::string both = add_said({" the lamp", " the keeper"});
  add_said({" the lamp"});
  EXPECT_EQ(ids({"keeper", "lamp"}), Ids{both});
  EXPECT_EQ(ids({"keeper", "LA"}), Ids{both});
  EXPECT_EQ(ids({"keeper", "talk"}), Ids{both}) << "one in the file's name";
  EXPECT_EQ(ids({"keeper", "nobody"}), Ids{});
}

TEST_F(TextSearchTest, OwnersFindTheirOwn) {
  const std::string hers = add_said({" the lamp"});
  const std::string his = add_said({" the lamp"}, "bob");
  EXPECT_EQ(ids({"lamp"}), Ids{hers});
  EXPECT_EQ(ids({"lamp"}, "bob"), Ids{his});
  EXPECT_EQ(ids({"lamp"}, "eve"), Ids{});
}

TEST_F(TextSearchTest, FollowsEveryEdit) {
  const std::string id = add_said({" the lamp", " the keeper"});
  edit(id, SetText{0, "the lighthouse"});
  EXPECT_EQ(ids({"lamp"}), Ids{});
  EXPECT_EQ(ids({"lighthouse"}), Ids{id});
  edit(id, RemoveSegment{1});
  EXPECT_EQ(ids({"keeper"}), Ids{});
  edit(id, SplitSegment{0, 1});
  EXPECT_EQ(ids({"the lighthouse"}), Ids{}) << "now of two segments";
  EXPECT_EQ(ids({"lighthouse"}), Ids{id});
  edit(id, SetSpeaker{0, "Marie"});
  EXPECT_EQ(ids({"marie"}), Ids{id});
  edit(id, NameSpeaker{"Marie", "Irene"});
  EXPECT_EQ(ids({"irene"}), Ids{id});
  EXPECT_EQ(ids({"marie"}), Ids{});
  ASSERT_TRUE(store_->restore({id, "ada", {}}, 0));
  EXPECT_EQ(ids({"lamp"}), Ids{id});
  EXPECT_EQ(ids({"lighthouse"}), Ids{});
}

TEST_F(TextSearchTest, FindsTheTitleAndTheNameOfTheFile) {
  const std::string id = add_said({" hello"});
  ASSERT_TRUE(store_->change(id, "ada", {.title = "Minutes of May"}));
  EXPECT_EQ(ids({"minutes"}), Ids{id});
  EXPECT_EQ(ids({"talk.wav"}), Ids{id});
  ASSERT_TRUE(store_->change(id, "ada", {.title = ""}));
  EXPECT_EQ(ids({"minutes"}), Ids{});
}

TEST_F(TextSearchTest, ForgetsWhatIsRemovedAndWhatExpires) {
  const std::string id = add_said({" the lamp"});
  add_said({" the lamp"});
  ASSERT_TRUE(store_->remove(id));
  test::test_time += 25 * 3600;
  EXPECT_EQ(store_->remove_expired().value(), 1);
  EXPECT_EQ(rows(), 0);
}

TEST_F(TextSearchTest, JobsInMemoryAreReadAndIndexedOnTheDisk) {
  const std::string id = add_said({" the lamp"}, "ada", false);
  EXPECT_EQ(ids({"lamp"}), Ids{id});
  EXPECT_EQ(store_->matches(id, "lamp", 3).value().size(), 1U);
  EXPECT_EQ(rows(), 0) << "it went with the process";
  const std::string kept = add_said({" the lamp"}, "ada", false);
  ASSERT_TRUE(store_->detach(kept));
  EXPECT_EQ(rows(), 2);
  EXPECT_EQ(ids({"lamp"}), Ids{kept});
}

TEST_F(TextSearchTest, OldJobsAreFoundBeforeAndAfterTheyAreIndexed) {
  const std::string first = add_said({" the lamp"});
  const std::string second = add_said({" the keeper", " of the lamp"});
  forget_index();
  EXPECT_EQ(ids({"lamp"}), (Ids{second, first}));
  EXPECT_EQ(store_->matches(second, "lamp", 3).value()[0].segment, 1);
  edit(second, SetText{1, "of the light"});
  EXPECT_EQ(ids({"lamp"}), Ids{first});
  EXPECT_TRUE(store_->index_next().value());
  EXPECT_TRUE(store_->index_next().value());
  EXPECT_FALSE(store_->index_next().value());
  EXPECT_EQ(rows(), 5);
  EXPECT_EQ(ids({"lamp"}), Ids{first});
  EXPECT_EQ(ids({"light"}), Ids{second});
}

TEST_F(TextSearchTest, MatchesSayWhere) {
  const std::string id = add_said({" nothing", " Über die Lampe, die LAMPE", " Lampen", " lampe"});
  const auto found = store_->matches(id, "lampe", 2).value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].segment, 1);
  EXPECT_EQ(found[0].start, 2);
  EXPECT_EQ(found[0].text, "Über die Lampe, die LAMPE");
  EXPECT_EQ(found[0].spans, (std::vector<TextSpan>{{9, 14}, {20, 25}}));
  EXPECT_EQ(found[1].segment, 2);
  EXPECT_TRUE(store_->matches(id, "talk", 2).value().empty()) << "the title is no segment";
  EXPECT_EQ(store_->matches(id, "üb", 2).value()[0].spans, (std::vector<TextSpan>{{0, 2}}));
}

TEST_F(TextSearchTest, GoesOnBehindThePageBefore) {
  Ids all;
  for (int i = 0; i < 7; ++i) {
    all.insert(all.begin(), add_said({i % 2 == 0 ? " a lamp" : " none"}));
    add_said({" a lamp"}, "bob");
  }
  Ids found;
  JobPlace behind;
  for (int slices = 0; slices < 20; ++slices) {
    const auto slice = store_->slice("ada", {.texts = {"lamp"}}, behind, 3).value();
    for (const auto& job : slice.jobs) found.push_back(job.id);
    if (!slice.end) break;
    behind = *slice.end;
  }
  EXPECT_EQ(found, (Ids{all[0], all[2], all[4], all[6]}));
}

}  // namespace
}  // namespace server
