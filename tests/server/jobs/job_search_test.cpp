#include "server/jobs/job_search.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "tests/server/jobs/job_store_fixture.h"
#include "tests/server/run_coroutine.h"

namespace server {
namespace {

using test::run;

class JobSearch : public test::JobStoreTest {
 protected:
  // Adds jobs "0", "1" …, of which each tenth has ended.
  JobQueue& queue_of(int count) {
    for (int i = 0; i < count; ++i) {
      JobRequest request{.model = "base", .title = std::to_string(i), .owner = "ada"};
      const auto job = submit(std::move(request)).value();
      if (i % 10 == 0) store_->cancel(job.id, "ada").value();
    }
    queue_.emplace(io_.get_executor(), std::move(store_), JobQueue::Settings{});
    return *queue_;
  }
  std::vector<std::string> titles(JobFilter filter, int limit, std::string before = "") {
    auto searching =
        search_jobs(*queue_, "ada", std::move(filter), limit, {.id = std::move(before)});
    const auto jobs = run(io_, std::move(searching)).value();
    std::vector<std::string> found;
    for (const auto& job : jobs) {
      found.push_back(job.request.title);
      last_ = job.id;
    }
    return found;
  }

  asio::io_context io_;
  std::optional<JobQueue> queue_;
  std::string last_;
};

using Titles = std::vector<std::string>;

TEST_F(JobSearch, LooksBehindWhatDoesNotPass) {
  queue_of(70);
  const JobFilter ended{.states = {JobState::cancelled}};
  EXPECT_EQ(titles(ended, 3), (Titles{"60", "50", "40"}));
  EXPECT_EQ(titles(ended, 10, last_), (Titles{"30", "20", "10", "0"}));
  EXPECT_EQ(titles(ended, 10, last_), Titles{});
}

TEST_F(JobSearch, GoesOnBehindNoJobThatIsNotThere) {
  queue_of(1);
  auto searching = search_jobs(*queue_, "ada", {.texts = {"x"}}, 1, {.id = "none"});
  EXPECT_EQ(run(io_, std::move(searching)).error().code, errc::usage);
}

// Two letters are fewer than the index has, so the texts are read.
TEST_F(JobSearch, ReadsLongTextsThatTheIndexDoesNotFind) {
  for (const char* title : {"first", "second", "third"}) {
    submit({.model = "base", .title = title, .owner = "ada"}).value();
    const std::string id = take();
    std::vector<protocol::Segment> said(most_read_at_once + 1);
    for (auto& segment : said) segment.text = " word";
    if (std::string(title) != "second") said.back().text = " Q7";
    ASSERT_TRUE(store_->add_segments(held(id), said));
    ASSERT_TRUE(store_->finish(held(id), {}));
  }
  ASSERT_TRUE(store_->slice("ada", {.texts = {"q7"}}, {}, 20).value().unread);
  queue_of(0);
  EXPECT_EQ(titles({.texts = {"q7"}}, 10), (Titles{"third", "first"}));
  EXPECT_EQ(titles({.texts = {"q7", "fi"}}, 10), Titles{"first"}) << "also in the file's name";
  EXPECT_EQ(titles({.texts = {"q7"}}, 1), Titles{"third"});
  EXPECT_EQ(titles({.texts = {"q8"}}, 10), Titles{});
}

}  // namespace
}  // namespace server
