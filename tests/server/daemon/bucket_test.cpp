#include "server/daemon/bucket.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <thread>

#include "server/base/random_id.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/objects/s3_server.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using std::chrono::seconds;

class BucketSweepTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!s3_.why_not().empty()) GTEST_SKIP() << s3_.why_not();
    s3_.clear();
  }
  ~BucketSweepTest() override { std::fclose(lines_); }

  std::string keep() {
    const auto file = folder_ / random_id();
    test::write_text(file, "sound");
    auto kept = test::run(io_, kept_text(file));
    std::filesystem::remove(file);
    return kept;
  }
  asio::awaitable<std::string> kept_text(std::filesystem::path file) {
    auto kept = co_await bucket_.keep(std::move(file));
    co_return kept ? *kept : kept.error().message;
  }
  std::string submit(const std::string& input) {
    return test::run(io_, jobs_.submit({.model = "base", .input = input, .input_is_ours = true}))
        .value()
        .id;
  }
  // Puts a sound of that job there, and its peaks.
  void put_sound(const std::string& job) {
    const auto file = folder_ / random_id();
    test::write_text(file, "sound");
    test::run(io_, put_text("sounds/" + job, file));
    test::run(io_, put_text("sounds/" + job + ".peaks", file));
  }
  asio::awaitable<bool> put_text(std::string name, std::filesystem::path file) {
    const auto put = co_await bucket_.put(std::move(name), std::move(file));
    co_return put.has_value();
  }
  // Sweeps what is older than `age`, by clocks that may be a second apart.
  void sweep(seconds age) {
    BucketSweep sweep(bucket_, jobs_, nullptr, spool_, log_);
    const auto run = [&]() -> asio::awaitable<int> {
      co_await sweep.run(age);
      co_return 0;
    };
    test::run(io_, run());
  }
  // The log is written somewhat later.
  std::string logged() const {
    std::string text(4096, '\0');
    const auto got = ::pread(::fileno(lines_), text.data(), text.size(), 0);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }
  static std::string name_of(const std::string& reference) {
    return "jobs/" + reference.substr(reference.find(':') + 1);
  }

  test::S3Server& s3_ = test::S3Server::instance();
  const test::TemporaryFolder folder_{};
  std::FILE* lines_ = std::tmpfile();
  Log log_{{.fd = ::fileno(lines_)}};
  asio::io_context io_{};
  Spool spool_ = Spool::open(folder_ / "received").value();
  BucketInputs bucket_{{.s3 = s3_.settings("jobs/"), .folder = spool_.folder()}};
  JobQueue jobs_{io_.get_executor(), open_job_store({.file = folder_ / "jobs.sqlite"}).value(), {}};
};

TEST_F(BucketSweepTest, WhatNoJobHasIsRemoved) {
  const auto used = keep(), left = keep();
  ASSERT_NE(used, left);
  submit(used);
  auto file = spool_.create("ada", 0).value();
  ASSERT_TRUE(file.write(std::string_view("sound")));
  const auto waited_for = file.keep();
  submit(waited_for.string());
  auto other = spool_.create("ada", 0).value();
  ASSERT_TRUE(other.write(std::string_view("sound")));
  other.keep();
  EXPECT_EQ(spool_.room().used(), 10U);
  sweep(seconds(3600));
  EXPECT_EQ(s3_.names().size(), 2U) << "neither is old";
  EXPECT_EQ(spool_.names().size(), 2U);
  sweep(seconds(-60));
  for (int i = 0; i < 500 && s3_.names().size() > 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(s3_.names(), std::vector{name_of(used)});
  EXPECT_EQ(spool_.names(), std::vector{waited_for.filename().string()});
  EXPECT_EQ(spool_.room().used(), 5U) << "there is room again";
}

TEST_F(BucketSweepTest, SoundGoesWhereItsJobHasGone) {
  const auto there = submit("/talk.wav"), gone = random_id();
  put_sound(there);
  put_sound(gone);
  sweep(seconds(3600));
  EXPECT_EQ(s3_.names().size(), 4U) << "none is old";
  sweep(seconds(-60));
  for (int i = 0; i < 500 && s3_.names().size() > 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(s3_.names(), (std::vector{"jobs/sounds/" + there, "jobs/sounds/" + there + ".peaks"}));
  for (int i = 0; i < 500 && logged().empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_NE(logged().find("sounds=1"), std::string::npos) << logged();
  bucket_.remove_file("sounds/" + there);
  bucket_.remove_file("sounds/" + there + ".peaks");
}

}  // namespace
}  // namespace server
