#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <future>

#include "server/api/job_page.h"
#include "server/base/call_places.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/started.h"

namespace server {
namespace {

using api::JobPage;
using api::ListedJob;
using nlohmann::json;
using test::FakeExchange;

ListedJob long_job(const std::string& id, std::size_t bytes) {
  return {
      .job = {.id = id, .request = {.owner = "ada", .metadata = {{"m", std::string(bytes, 'x')}}}}};
}

TEST(JobPage, HasAsManyJobsAsAreAskedFor) {
  JobPage page("ada", 2, false);
  EXPECT_EQ(page.add({long_job("1", 1), long_job("2", 1), long_job("3", 1)}), 2U);
  EXPECT_TRUE(page.is_full());
  EXPECT_EQ(page.add({long_job("4", 1)}), 0U);
  const json list = json::parse(page.take(true));
  EXPECT_EQ(list["object"], "list");
  ASSERT_EQ(list["data"].size(), 2U);
  EXPECT_EQ(list["data"][1]["id"], "2");
  EXPECT_FALSE(list["data"][1].contains("matches"));
  EXPECT_EQ(list["has_more"], true);
}

TEST(JobPage, EndsAfterSoManyBytes) {
  JobPage page("ada", 100, false);
  const std::size_t half = JobPage::most_bytes / 2;
  EXPECT_EQ(page.add({long_job("1", half), long_job("2", half), long_job("3", 1)}), 2U);
  EXPECT_EQ(json::parse(page.take(false))["data"].size(), 2U);
}

// A text that is found is as long as a segment may be.
TEST(JobPage, MatchesAreAmongItsBytes) {
  JobPage page("ada", 100, true);
  ListedJob found = long_job("1", 1);
  found.matches = {{.text = std::string(JobPage::most_bytes, 'x')}};
  EXPECT_TRUE(api::is_long({found}));
  EXPECT_EQ(page.add({found, long_job("2", 1)}), 1U);
  EXPECT_EQ(json::parse(page.take(true))["data"][0]["matches"].size(), 1U);
}

TEST(JobPage, JobsOfOthersHaveNoTitlesOfTheirOwners) {
  JobPage page("bob", 1, false);
  ListedJob listed = long_job("1", 1);
  listed.job.title = "secret";
  page.add({listed});
  EXPECT_EQ(page.take(false).find("secret"), std::string::npos);
}

class JobList : public test::ApiFixture {
 protected:
  void submit(std::size_t metadata_bytes) {
    JobRequest request{.model = "base", .input = "talk.wav", .owner = "local"};
    request.metadata["m"] = std::string(metadata_bytes, 'x');
    ASSERT_TRUE(test::run(io, jobs.submit(std::move(request))));
  }
  // Asks for the list, whose answer comes later.
  void begin(FakeExchange& exchange) {
    asio::co_spawn(io, dispatch(api, exchange), asio::detached);
    io.restart();
    io.run_for(std::chrono::milliseconds(30));
  }
  void wait_for(FakeExchange& exchange) {
    test::run_until(io, [&] { return exchange.has_answered(); });
  }
};

TEST_F(JobList, LongJobsAreWrittenOnAnotherThread) {
  submit(10);
  std::promise<void> goes_on;
  auto holding = [&]() -> asio::awaitable<void> {
    std::function<Result<int>(std::stop_token)> work =
        [waits = goes_on.get_future().share()](std::stop_token) -> Result<int> {
      waits.wait();
      return 1;
    };
    co_await services.texts.run<int>("local", std::move(work));
  };
  asio::co_spawn(io, holding(), asio::detached);
  FakeExchange of_short_jobs(http::verb::get, "/v1/jobs");
  begin(of_short_jobs);
  wait_for(of_short_jobs);
  EXPECT_EQ(status_of(of_short_jobs), 200U);
  submit(100'000);
  FakeExchange of_long_jobs(http::verb::get, "/v1/jobs");
  begin(of_long_jobs);
  EXPECT_FALSE(of_long_jobs.has_answered()) << "the thread is taken";
  goes_on.set_value();
  wait_for(of_long_jobs);
  EXPECT_EQ(json_of(of_long_jobs)["data"].size(), 2U);
  EXPECT_GT(of_long_jobs.most_held, 100'000U) << "the answer takes memory";
}

TEST_F(JobList, ListsOfOneOwnerTakeTurns) {
  submit(10);
  std::vector<std::shared_ptr<CallPlaces::Place>> taken;
  const auto take = [&]() -> asio::awaitable<int> {
    auto waiting = place_for(services.lists, "local", 10);
    auto place = co_await std::move(waiting);
    taken.push_back(*std::move(place));
    co_return 1;
  };
  for (int i = 0; i < 2; ++i) test::run(io, take());
  FakeExchange waits(http::verb::get, "/v1/jobs");
  begin(waits);
  EXPECT_FALSE(waits.has_answered());
  FakeExchange leaves(http::verb::get, "/v1/jobs");
  begin(leaves);
  EXPECT_EQ(services.lists->calls_of("local"), 4);
  leaves.has_left = true;
  test::run_until(io, [&] { return services.lists->calls_of("local") == 3; });
  taken.pop_back();
  wait_for(waits);
  EXPECT_EQ(status_of(waits), 200U);
}

TEST_F(JobList, TooManyListsAtOnceAreRefused) {
  std::vector<std::unique_ptr<CallPlaces::Place>> taken;
  for (int i = 0; i < 64; ++i) {
    taken.push_back(
        std::make_unique<CallPlaces::Place>(services.lists, "local", io.get_executor()));
  }
  EXPECT_EQ(error_of(get("/v1/jobs")), errc::too_many_requests);
}

}  // namespace
}  // namespace server
