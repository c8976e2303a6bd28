#include "server/sessions/shares.h"

#include <gtest/gtest.h>

#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

constexpr double made_at = 1'000'000;

class SharesTest : public testing::Test {
 protected:
  SharesTest() { open(); }

  void open() {
    shares.reset();
    calls.reset();
    auto store = open_session_store(folder / "sessions.sqlite").value();
    auto stored = store->changes(0).value().shares;
    calls.emplace(std::move(store));
    shares.emplace(*calls, std::move(stored));
  }

  NewShare add(const std::string& job = "job", double seconds = 100) {
    return test::run(io, shares->add(job, "ada", seconds, made_at)).value();
  }

  asio::io_context io;
  test::TemporaryFolder folder;
  std::optional<StoreCalls> calls;
  std::optional<Shares> shares;
};

TEST_F(SharesTest, OpenTheirJobUntilTheyEnd) {
  const NewShare made = add();
  EXPECT_EQ(made.token.size(), 52U);
  const auto found = shares->find(made.token, made_at + 99);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->job, "job");
  EXPECT_EQ(found->owner, "ada");
  EXPECT_EQ(found->ends, made_at + 100);
  EXPECT_FALSE(shares->find(made.token, made_at + 100));
  EXPECT_FALSE(shares->find(made.share.id, made_at)) << "an id is no token";
  EXPECT_FALSE(shares->find("", made_at));
}

TEST_F(SharesTest, AreEndedByTheirOwnerAlone) {
  const NewShare made = add();
  EXPECT_EQ(test::run(io, shares->remove(made.share.id, "job", "eve")).error().code,
            errc::share_not_found);
  EXPECT_EQ(test::run(io, shares->remove(made.share.id, "other", "ada")).error().code,
            errc::share_not_found);
  EXPECT_TRUE(test::run(io, shares->remove(made.share.id, "job", "ada")));
  EXPECT_FALSE(shares->find(made.token, made_at));
  EXPECT_FALSE(test::run(io, shares->remove(made.share.id, "job", "ada")));
}

TEST_F(SharesTest, ManyThatHaveEndedAreAllRemoved) {
  for (int i = 0; i < 250; ++i) add("job " + std::to_string(i / 100));
  const NewShare later = add("job", 200);
  EXPECT_TRUE(test::run(io, shares->remove_ended(made_at + 100)));
  EXPECT_EQ(shares->of_job("job 0", "ada", made_at).size(), 0U);
  open();
  EXPECT_EQ(shares->of_job("job 2", "ada", made_at).size(), 0U);
  EXPECT_TRUE(shares->find(later.token, made_at));
}

TEST_F(SharesTest, SurviveARestart) {
  const NewShare stays = add(), goes = add();
  ASSERT_TRUE(test::run(io, shares->remove(goes.share.id, "job", "ada")));
  open();
  EXPECT_TRUE(shares->find(stays.token, made_at));
  EXPECT_FALSE(shares->find(goes.token, made_at));
}

TEST_F(SharesTest, AreListedForTheirJobAndOwner) {
  const auto first = add().share.id;
  const auto second = test::run(io, shares->add("job", "ada", 100, made_at + 1)).value().share.id;
  add("other");
  const auto listed = shares->of_job("job", "ada", made_at + 2);
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].id, first);
  EXPECT_EQ(listed[1].id, second);
  EXPECT_EQ(shares->of_job("job", "eve", made_at).size(), 0U);
  EXPECT_EQ(shares->of_job("job", "ada", made_at + 100).size(), 1U) << "the first has ended";
}

TEST_F(SharesTest, ThatAreMadeAtOnceAreNoMoreThanAJobMayHave) {
  constexpr int wanted = 140, most = 100;
  int made = 0, refused = 0;
  for (int i = 0; i < wanted; ++i) {
    boost::asio::co_spawn(
        io, shares->add("job", "ada", 100, made_at),
        [&](std::exception_ptr, const Result<NewShare>& added) { ++(added ? made : refused); });
  }
  while (made + refused < wanted && io.run_one() > 0) continue;
  EXPECT_EQ(made, most);
  EXPECT_EQ(shares->of_job("job", "ada", made_at).size(), static_cast<std::size_t>(most));
}

TEST_F(SharesTest, GoWithTheirJob) {
  const NewShare made = add(), other = add("other");
  ASSERT_TRUE(test::run(io, shares->remove_of_job("job")));
  EXPECT_FALSE(shares->find(made.token, made_at));
  EXPECT_TRUE(shares->find(other.token, made_at));
}

TEST_F(SharesTest, CountForTheirOwners) {
  add();
  Shares::Stored stored;
  shares->on_stored([&stored](Shares::Stored now) { stored = std::move(now); });
  EXPECT_EQ(stored, (Shares::Stored{{"ada", Shares::bytes_of_one}}));
  const NewShare made = add("other");
  EXPECT_EQ(stored.at("ada"), 2 * Shares::bytes_of_one);
  ASSERT_TRUE(test::run(io, shares->remove(made.share.id, "other", "ada")));
  EXPECT_EQ(stored.at("ada"), Shares::bytes_of_one);
  ASSERT_TRUE(test::run(io, shares->remove_of_job("job")));
  EXPECT_TRUE(stored.empty());
}

TEST_F(SharesTest, OneJobHasABoundedNumberOfThem) {
  for (std::size_t i = 0; i < Shares::most_of_job; ++i) add();
  const auto refused = test::run(io, shares->add("job", "ada", 100, made_at));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::too_many_shares);
  EXPECT_TRUE(test::run(io, shares->add("other", "ada", 100, made_at)));
  ASSERT_TRUE(test::run(io, shares->remove_ended(made_at + 100)));
  EXPECT_TRUE(test::run(io, shares->add("job", "ada", 100, made_at + 100)));
}

}  // namespace
}  // namespace server
