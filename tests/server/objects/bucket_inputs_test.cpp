#include "server/objects/bucket_inputs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "server/base/random_id.h"
#include "tests/server/objects/s3_server.h"
#include "tests/server/run_coroutine.h"

namespace server {
namespace {

using namespace std::string_literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

class BucketInputsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!s3_.why_not().empty()) GTEST_SKIP() << s3_.why_not();
    s3_.clear();
    open();
  }
  void TearDown() override {
    if (is_stopped_) s3_.start();
  }

  void open() {
    bucket_.reset();
    settings_.on_failure = [this](const Error& error) { failures_.push_back(error.message); };
    bucket_.emplace(settings_);
  }
  void stop_server() {
    s3_.stop();
    is_stopped_ = true;
  }
  std::filesystem::path file(const std::string& bytes) {
    const auto path = folder_ / random_id();
    test::write_text(path, bytes);
    return path;
  }
  Result<std::string> keep(const std::string& bytes) { return run(bucket_->keep(file(bytes))); }
  template <class T>
  T run(asio::awaitable<T> work) {
    std::optional<T> value;
    const auto fill = [&]() -> asio::awaitable<int> {
      T result = co_await std::move(work);
      value.emplace(std::move(result));
      co_return 0;
    };
    test::run(io_, fill());
    return *std::move(value);
  }
  std::string read(const std::string& reference) {
    const auto input = run(bucket_->open(reference));
    if (!input) return input.error().code;
    std::string bytes(1 << 20, '\0');
    const auto got = ::read(input->fd.get(), bytes.data(), bytes.size());
    bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return bytes;
  }
  std::size_t files_here() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(settings_.folder), {}));
  }
  // Removals are done somewhat later.
  void wait_until_empty() const {
    for (int i = 0; i < 500 && !s3_.names().empty(); ++i) {
      std::this_thread::sleep_for(milliseconds(10));
    }
    EXPECT_EQ(s3_.names(), std::vector<std::string>());
  }

  test::S3Server& s3_ = test::S3Server::instance();
  const test::TemporaryFolder folder_{};
  const test::TemporaryFolder fetched_{};
  asio::io_context io_{};
  BucketInputs::Settings settings_{.s3 = s3_.settings("jobs/"),
                                   .folder = fetched_.path(),
                                   .retries = {.most = 2, .first_pause = milliseconds(1)}};
  std::vector<std::string> failures_{};
  std::optional<BucketInputs> bucket_{};
  bool is_stopped_ = false;
};

TEST_F(BucketInputsTest, ARecordingIsKeptFetchedAndRemoved) {
  const auto reference = keep("sound");
  ASSERT_TRUE(reference) << failures_.at(0);
  EXPECT_TRUE(BucketInputs::is_reference(*reference));
  EXPECT_EQ(read(*reference), "sound");
  EXPECT_EQ(files_here(), 0U) << "what was fetched has no name";
  bucket_->remove(*reference);
  wait_until_empty();
  EXPECT_EQ(read(*reference), errc::input_lost);
  EXPECT_EQ(failures_, std::vector<std::string>());
}

TEST_F(BucketInputsTest, ALargeRecordingIsKeptInParts) {
  settings_.whole_bytes = 1 << 20;
  settings_.part_bytes = 5 << 20;
  open();
  const auto reference = keep(std::string(12 << 20, 'x'));
  ASSERT_TRUE(reference) << failures_.at(0);
  const auto input = run(bucket_->open(*reference));
  ASSERT_TRUE(input);
  EXPECT_EQ(::lseek(input->fd.get(), 0, SEEK_END), 12 << 20);
  bucket_->remove(*reference);
  wait_until_empty();
}

TEST_F(BucketInputsTest, AReferenceIsAnIdBehindItsScheme) {
  for (const std::string& input :
       {"/a/b.wav"s, "object:"s, "object:../x"s, "object:" + std::string(26, '/')}) {
    EXPECT_FALSE(BucketInputs::is_reference(input)) << input;
    EXPECT_EQ(read(input), errc::input_lost);
  }
}

TEST_F(BucketInputsTest, WithoutTheServerRecordingsAreUnavailable) {
  const auto reference = keep("sound").value();
  stop_server();
  EXPECT_EQ(keep("more").error().code, errc::inputs_unavailable);
  EXPECT_EQ(read(reference), errc::inputs_unavailable);
  EXPECT_EQ(bucket_->check().error().code, errc::inputs_unavailable);
  ASSERT_FALSE(failures_.empty());
  EXPECT_NE(failures_[0].find("cannot reach the bucket"), std::string::npos) << failures_[0];
  for (int i = 0; i < 100; ++i) bucket_->remove("object:" + random_id());
  s3_.start();
  is_stopped_ = false;
  EXPECT_EQ(read(reference), "sound");
  bucket_->remove(reference);
  wait_until_empty();
}

TEST_F(BucketInputsTest, WhatIsToBeRemovedWhileTheServerIsAwayIsRemovedWhenItIsBack) {
  std::vector<std::string> references;
  for (int i = 0; i < 5; ++i) references.push_back(keep("sound").value());
  stop_server();
  for (const auto& reference : references) bucket_->remove(reference);
  std::this_thread::sleep_for(milliseconds(100));
  s3_.start();
  is_stopped_ = false;
  wait_until_empty();
}

TEST_F(BucketInputsTest, WhatIsAskedForIsRemovedBeforeTheEnd) {
  const auto reference = keep("sound").value();
  bucket_->remove(reference);
  bucket_.reset();
  EXPECT_EQ(s3_.names(), std::vector<std::string>());
}

TEST_F(BucketInputsTest, ABucketThatRefusesEndsTheStart) {
  EXPECT_TRUE(bucket_->check());
  settings_.s3.keys.keys.secret = "another";
  open();
  EXPECT_EQ(bucket_->check().error().code, errc::bad_config);
  EXPECT_EQ(keep("sound").error().code, errc::inputs_unavailable) << "keys may be put right";
}

TEST_F(BucketInputsTest, ADiskWithoutRoomHereIsNotTheJobsFault) {
  const auto reference = keep("sound").value();
  settings_.folder = "/nowhere";
  open();
  EXPECT_EQ(read(reference), errc::inputs_unavailable);
  bucket_->remove(reference);
  wait_until_empty();
}

TEST_F(BucketInputsTest, OldRecordingsAreFoundByTheServersClock) {
  const auto reference = keep("sound").value();
  test::write_text(s3_.file("jobs/somebody-elses"), "x");
  const auto old = run(bucket_->old_ones("", seconds(-60))).value();
  EXPECT_EQ(old.references, std::vector{reference}) << "and nothing that is not a recording";
  EXPECT_EQ(old.last, "");
  EXPECT_EQ(run(bucket_->old_ones("", seconds(3600)))->references, std::vector<std::string>());
  EXPECT_EQ(run(bucket_->old_ones("zzzz", seconds(-60)))->references, std::vector<std::string>());
  std::filesystem::remove(s3_.file("jobs/somebody-elses"));
  bucket_->remove(reference);
  wait_until_empty();
}

TEST_F(BucketInputsTest, AFileThatStaysIsReadInPieces) {
  ASSERT_TRUE(run(bucket_->put("sounds/abc", file("0123456789"))));
  EXPECT_EQ(run(bucket_->read("sounds/abc", 0, 4)).value(), "0123");
  EXPECT_EQ(run(bucket_->read("sounds/abc", 3, 4)).value(), "3456");
  EXPECT_EQ(run(bucket_->read("sounds/abc", 8, 100)).value(), "89");
  EXPECT_EQ(run(bucket_->read("sounds/none", 0, 4)).error().code, errc::input_lost);
  bucket_->remove_file("sounds/abc");
  wait_until_empty();
}

TEST_F(BucketInputsTest, AFileThatStaysIsFetchedIntoTheSpool) {
  const auto spool = Spool::open(folder_ / "spool").value();
  ASSERT_TRUE(run(bucket_->put("uploads/abc", file("some bytes"))));
  const auto into = std::make_shared<SpoolFile>(spool.create("ada", 0).value());
  ASSERT_TRUE(run(bucket_->fetch("uploads/abc", into)));
  EXPECT_EQ(into->size(), 10U);
  EXPECT_EQ(run(bucket_->fetch("uploads/none", into)).error().code, errc::input_lost);
  bucket_->remove_file("uploads/abc");
  wait_until_empty();
}

TEST_F(BucketInputsTest, FilesThatStayAreToldApartFromRecordings) {
  const auto recording = keep("a recording").value();
  ASSERT_TRUE(run(bucket_->put("sounds/abc", file("sound"))));
  const auto page = run(bucket_->old_ones("", seconds(-60))).value();
  EXPECT_EQ(page.references, std::vector{recording});
  EXPECT_EQ(page.files, std::vector{"sounds/abc"s});
  bucket_->remove_file("sounds/abc");
  bucket_->remove(recording);
  wait_until_empty();
}

}  // namespace
}  // namespace server
