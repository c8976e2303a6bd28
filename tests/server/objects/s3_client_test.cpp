#include "server/objects/s3_client.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "platform/unique_fd.h"
#include "server/objects/s3_parts.h"
#include "tests/server/objects/s3_server.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

// Each case has a prefix of its own.
class S3ClientTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!s3_.why_not().empty()) GTEST_SKIP() << s3_.why_not();
    s3_.clear();
  }
  void TearDown() override {
    s3_.stall(false);
    if (is_stopped_) s3_.start();
  }

  static CallLimits limits() { return {.deadline = steady_clock::now() + seconds(20)}; }
  // A file with these bytes, open to read.
  FileSlice slice(const std::string& bytes) {
    test::write_text(folder_ / "file", bytes);
    file_.reset(::open((folder_ / "file").c_str(), O_RDONLY | O_CLOEXEC));
    return {file_.get(), 0, bytes.size()};
  }
  S3Result<std::string> get(const S3Client& client, const std::string& name,
                            std::uint64_t from = 0) {
    std::string bytes;
    const auto got = client.get(
        name, from,
        [&](std::span<const char> some) {
          bytes.append(some.data(), some.size());
          return S3Result<void>();
        },
        limits());
    if (!got) return got.error();
    return bytes;
  }
  template <class T>
  static S3Errc code(const S3Result<T>& result) {
    EXPECT_FALSE(result);
    return result ? S3Errc() : result.error().code;
  }

  test::S3Server& s3_ = test::S3Server::instance();
  const test::TemporaryFolder folder_{};
  platform::UniqueFd file_{};
  S3Settings settings_ = s3_.settings("some/folder/");
  S3Client client_{settings_};
  bool is_stopped_ = false;
};

TEST_F(S3ClientTest, WhatIsPutIsThereUntilItIsRemoved) {
  const std::string bytes(3'000'000, 'x');
  ASSERT_TRUE(client_.put("a", slice(bytes), limits()));
  ASSERT_TRUE(client_.put("empty", slice(""), limits()));
  EXPECT_EQ(s3_.names(), (std::vector<std::string>{"some/folder/a", "some/folder/empty"}));
  EXPECT_EQ(get(client_, "a").value(), bytes);
  EXPECT_EQ(get(client_, "empty").value(), "");
  EXPECT_TRUE(client_.remove("a", limits()));
  EXPECT_TRUE(client_.remove("empty", limits()));
  EXPECT_TRUE(client_.remove("a", limits())) << "nor is it there then";
  EXPECT_EQ(code(get(client_, "a")), S3Errc::missing);
  EXPECT_EQ(s3_.names(), std::vector<std::string>());
}

TEST_F(S3ClientTest, APartOfAFileIsPutAndAPartOfAnObjectIsRead) {
  auto part = slice("0123456789");
  part.offset = 2;
  part.size = 5;
  ASSERT_TRUE(client_.put("a", part, limits()));
  EXPECT_EQ(get(client_, "a").value(), "23456");
  EXPECT_EQ(get(client_, "a", 3).value(), "56");
}

TEST_F(S3ClientTest, AListHasTheNamesOfThePlaceInPages) {
  S3Client other(s3_.settings("some/folder-too/"));
  ASSERT_TRUE(other.put("x", slice("x"), limits()));
  for (const char* name : {"c", "a", "b", "d/e"}) {
    ASSERT_TRUE(client_.put(name, slice("x"), limits()));
  }
  const auto first = client_.list("", 3, limits()).value();
  ASSERT_EQ(first.objects.size(), 3U);
  EXPECT_EQ(first.objects[0].name, "a");
  EXPECT_EQ(first.objects[2].name, "c");
  EXPECT_FALSE(first.is_last);
  EXPECT_LE(std::abs(first.now - first.objects[0].changed), 60);
  const auto rest = client_.list("c", 3, limits()).value();
  ASSERT_EQ(rest.objects.size(), 1U);
  EXPECT_EQ(rest.objects[0].name, "d/e");
  EXPECT_TRUE(rest.is_last);
  const auto whole = S3Client(s3_.settings("")).list("", 100, limits()).value();
  EXPECT_EQ(whole.objects.size(), 5U);
}

TEST_F(S3ClientTest, WrongKeysAndBucketsAreRefused) {
  settings_.keys.keys.secret = "another";
  EXPECT_EQ(code(S3Client(settings_).list("", 1, limits())), S3Errc::refused);
  EXPECT_EQ(code(S3Client(settings_).put("a", slice("x"), limits())), S3Errc::refused);
  settings_ = s3_.settings("");
  settings_.place.bucket = "nothing-here";
  EXPECT_EQ(code(get(S3Client(settings_), "a")), S3Errc::refused)
      << "an object is missing only where its bucket is";
  settings_.keys = {.file = folder_ / "none"};
  EXPECT_EQ(code(S3Client(settings_).list("", 1, limits())), S3Errc::refused);
}

TEST_F(S3ClientTest, AFileThatHasBecomeShorterIsNotPut) {
  ASSERT_TRUE(client_.put("a", slice("before"), limits()));
  auto bytes = slice("after");
  bytes.size += 10;
  EXPECT_EQ(code(client_.put("a", bytes, limits())), S3Errc::local);
  EXPECT_EQ(get(client_, "a").value(), "before");
}

TEST_F(S3ClientTest, ALargeFileIsPutInParts) {
  std::string bytes(11 << 20, 'a');
  bytes[6 << 20] = 'b';
  const auto put = put_in_parts(client_, "a", slice(bytes), 5 << 20, {}, limits());
  ASSERT_TRUE(put) << put.error().message;
  EXPECT_TRUE(get(client_, "a").value() == bytes);
  EXPECT_EQ(s3_.unfinished(), 0);
}

TEST_F(S3ClientTest, PartsThatFailTakeNoRoom) {
  auto bytes = slice(std::string(11 << 20, 'a'));
  bytes.size += 1 << 20;  // the third part cannot be read
  EXPECT_EQ(code(put_in_parts(client_, "a", bytes, 5 << 20, {}, limits())), S3Errc::local);
  EXPECT_EQ(s3_.unfinished(), 0);
  EXPECT_EQ(code(get(client_, "a")), S3Errc::missing);
}

TEST_F(S3ClientTest, PartsThatAreTooSmallAreNoSuccess) {
  const auto put =
      put_in_parts(client_, "a", slice(std::string(3 << 20, 'a')), 1 << 20, {}, limits());
  EXPECT_EQ(code(put), S3Errc::refused);
  EXPECT_EQ(s3_.unfinished(), 0);
}

TEST_F(S3ClientTest, AServerThatIsDownIsUnavailable) {
  s3_.stop();
  is_stopped_ = true;
  int tries = 0;
  const Retries retries{.most = 3, .first_pause = milliseconds(1)};
  const auto put = repeated(retries, {}, [&] {
    ++tries;
    return client_.put("a", slice("x"), limits());
  });
  EXPECT_EQ(code(put), S3Errc::unavailable);
  EXPECT_EQ(tries, 3);
}

TEST_F(S3ClientTest, AServerThatStallsIsGivenUp) {
  s3_.stall(true);
  EXPECT_EQ(code(client_.list("", 1, limits())), S3Errc::timed_out);
  EXPECT_EQ(code(client_.put("a", slice(std::string(8 << 20, 'x')), limits())), S3Errc::timed_out);
  CallLimits soon{.deadline = steady_clock::now() + milliseconds(200)};
  EXPECT_EQ(code(client_.list("", 1, soon)), S3Errc::timed_out);
  std::stop_source stop;
  stop.request_stop();
  const CallLimits stopped{.deadline = steady_clock::now() + seconds(20), .stop = stop.get_token()};
  EXPECT_EQ(code(client_.list("", 1, stopped)), S3Errc::stopped);
}

}  // namespace
}  // namespace server
