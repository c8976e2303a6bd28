#include "server/daemon/shared_sounds.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <mutex>
#include <thread>

#include "server/base/random_id.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/objects/s3_server.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

// Sound in a bucket. The store of jobs is not shared, so it says of every sound that its job is
// gone.
class SharedSoundsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!s3_.why_not().empty()) GTEST_SKIP() << s3_.why_not();
    s3_.clear();
  }
  ~SharedSoundsTest() override { std::fclose(lines_); }

  std::string keep(bool is_whole = true) {
    const std::string job = random_id();
    auto writer = sounds_.begin(job, "ada").value();
    EXPECT_TRUE(writer.write(std::vector<std::int16_t>(100)));
    if (is_whole) writer.finish();
    return job;
  }
  void share_the_rest() {
    const auto sharing = [this]() -> asio::awaitable<int> {
      co_await shared_.share_the_rest();
      co_return 0;
    };
    test::run(io_, sharing());
  }

  test::S3Server& s3_ = test::S3Server::instance();
  const test::TemporaryFolder folder_{};
  std::FILE* lines_ = std::tmpfile();
  Log log_{{.fd = ::fileno(lines_)}};
  asio::io_context io_{};
  SoundStore sounds_ = SoundStore::open(folder_ / "sounds").value();
  std::optional<KeptSound> told_{};  // what other daemons have of every job's
  JobQueue jobs_{io_.get_executor(),
                 open_job_store({.file = folder_ / "jobs.sqlite"}).value(),
                 {.find_sound = [this](const std::string&) { return told_; }}};
  FairCalls disk_{1, 16};
  std::vector<std::string> failures_{};
  std::mutex mutex_{};
  BucketInputs bucket_{{.s3 = s3_.settings("jobs/"),
                        .folder = folder_.path(),
                        .retries = {.most = 1},
                        .on_failure = [this](const Error& error) {
                          const std::scoped_lock lock(mutex_);
                          failures_.push_back(error.message);
                        }}};
  SharedSounds shared_{io_.get_executor(), jobs_, sounds_, disk_, &bucket_, log_};
};

TEST_F(SharedSoundsTest, SoundOfAJobThatIsGoneStaysNowhere) {
  keep();
  share_the_rest();
  EXPECT_TRUE(sounds_.jobs().empty());
  for (int i = 0; i < 500 && !s3_.names().empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(s3_.names().empty());
}

TEST_F(SharedSoundsTest, WhileTheBucketIsAwayOneSoundIsTriedAndAllStay) {
  for (int i = 0; i < 3; ++i) keep();
  s3_.stop();
  share_the_rest();
  s3_.start();
  EXPECT_EQ(sounds_.jobs().size(), 3U);
  const std::scoped_lock lock(mutex_);
  EXPECT_EQ(failures_.size(), 1U);
}

TEST_F(SharedSoundsTest, APartGoesWhenItsJobHasEndedAndAllOfItIsElsewhere) {
  const auto submit = [&] {
    return test::run(io_, jobs_.submit({.model = "base", .owner = "ada"})).value().id;
  };
  const std::string ended = submit(), waits = submit();
  for (const auto& job : {ended, waits}) {
    ASSERT_TRUE(sounds_.begin(job, "ada")->write(std::vector<std::int16_t>(100)));
  }
  ASSERT_TRUE(test::run(io_, jobs_.cancel(ended)));
  told_ = KeptSound{.bytes = 100};
  share_the_rest();
  EXPECT_EQ(sounds_.jobs().size(), 2U) << "nobody has more of it";
  told_ = KeptSound{.bytes = 1000, .is_whole = true};
  share_the_rest();
  EXPECT_EQ(sounds_.jobs(), std::vector{waits});
}

}  // namespace
}  // namespace server
