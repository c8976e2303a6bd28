// The index of letters: which jobs it names, and searches without it.

#include "server/jobs_postgres/text_index.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using Numbers = std::vector<std::int64_t>;
using postgres::Session;
using postgres::Step;

class TextIndexTest : public test::StoreCases<test::PostgresUnderTest> {
 protected:
  void SetUp() override {
    StoreCases::SetUp();
    if (IsSkipped()) return;
    if (!has_extension()) GTEST_SKIP() << "this PostgreSQL has no pg_trgm";
  }
  static bool has_extension() {
    return Session({.address = test::PostgresCluster::instance().address()})
        .transact([](Step& step) {
          return !step.query("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'").empty();
        });
  }
  Job add_said(const std::string& text, const std::string& owner = "ada") {
    const Job job = add(owner);
    take();
    auto said = test::segment(0);
    said.text = text;
    EXPECT_TRUE(store_->add_segments(held(job.id), std::vector{said}));
    EXPECT_TRUE(store_->finish(held(job.id), {}));
    return job;
  }
  // Returns the jobs that the index names, in the order of their numbers.
  std::optional<Numbers> named(const std::vector<std::string>& texts,
                               const std::optional<std::string>& owner = "ada") {
    Session session({.address = settings_.address, .schema = settings_.schema});
    auto numbers =
        session.transact([&](Step& step) { return postgres::jobs_with_texts(step, owner, texts); });
    if (numbers) std::ranges::sort(*numbers);
    return numbers;
  }
  std::vector<std::string> found(const std::string& text) {
    std::vector<std::string> ids;
    for (const auto& job : store_->slice("ada", {.texts = {text}}, {}, 100).value().jobs) {
      ids.push_back(job.id);
    }
    return ids;
  }
};

TEST_F(TextIndexTest, NamesTheJobsOfAnOwnerInWhichATextStands) {
  const Job lamp = add_said(" The Lamp of 100%");
  add_said(" the keeper");
  const Job his = add_said(" a lamp", "bob");
  EXPECT_EQ(named({"lamp"}), Numbers{lamp.number});
  EXPECT_EQ(named({"lamp"}, "bob"), Numbers{his.number});
  EXPECT_EQ(named({"lamp"}, std::nullopt), (Numbers{lamp.number, his.number}));
  EXPECT_EQ(named({"100%"}), Numbers{lamp.number});
  EXPECT_EQ(named({"lam_"}), Numbers{}) << "nothing in it is a pattern";
  EXPECT_EQ(named({"of", "the lamp"}), Numbers{lamp.number}) << "the longest of all texts";
}

TEST_F(TextIndexTest, NamesJobsByTitlesAndEdits) {
  const Job job = add_said(" one");
  ASSERT_TRUE(store_->change(job.id, "ada", {.title = "Lighthouse"}));
  const std::vector<TextEdit> edits{SetText{0, "harbour"}};
  ASSERT_TRUE(edit_text({job.id, "ada", {}}, edits));
  EXPECT_EQ(named({"lighthouse"}), Numbers{job.number});
  EXPECT_EQ(named({"harbour"}), Numbers{job.number});
}

TEST_F(TextIndexTest, NamesNothingForTwoLettersOrWithoutTheIndex) {
  const Job job = add_said(" the lamp");
  EXPECT_EQ(named({"la"}), std::nullopt);
  EXPECT_EQ(named({"ла"}), std::nullopt) << "letters, and not bytes";
  EXPECT_EQ(named({"¿¿¿¿"}), std::nullopt) << "it has nothing that the index has";
  EXPECT_EQ(named({"a b c d"}), std::nullopt);
  EXPECT_EQ(found("lamp"), std::vector{job.id});
  under_.execute("DROP INDEX segments_by_letters");
  EXPECT_EQ(named({"lamp"}), std::nullopt);
  EXPECT_EQ(found("lamp"), std::vector{job.id});
}

TEST_F(TextIndexTest, NamesNothingWhereATextStandsInThousandsOfRows) {
  const Job job = add_said(" the lamp");
  under_.execute(
      "INSERT INTO segments SELECT number, first, 1, '[]', 'the lamp' FROM jobs, "
      "generate_series(1, 2500) AS first");
  EXPECT_EQ(named({"lamp"}), std::nullopt);
  EXPECT_EQ(found("lamp"), std::vector{job.id});
}

}  // namespace
}  // namespace server
