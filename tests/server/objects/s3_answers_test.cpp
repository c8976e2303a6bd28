#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "server/base/random_id.h"
#include "server/objects/bucket_inputs.h"
#include "tests/server/objects/scripted_server.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using std::chrono::seconds;

// What a bucket answers when it is in trouble, and how scribed goes on.
class S3AnswersTest : public testing::Test {
 protected:
  S3Settings settings(const test::ScriptedServer& server) const {
    return {.place = {.endpoint = server.address(), .region = "us-east-1", .bucket = "recordings"},
            .keys = {.keys = {"tester", "not-a-secret", "a-token"}},
            .patience = seconds(5)};
  }
  static CallLimits limits() {
    return {.deadline = std::chrono::steady_clock::now() + seconds(20)};
  }
  // The bytes of a recording, or the code of the error.
  std::string fetch(const test::ScriptedServer& server) {
    BucketInputs bucket({.s3 = settings(server),
                         .folder = folder_.path(),
                         .retries = {.most = 2, .first_pause = std::chrono::milliseconds(1)},
                         .disk_is_full = is_full_});
    std::string bytes(100, '\0');
    const auto open = [&]() -> asio::awaitable<int> {
      const auto input = co_await bucket.open("object:" + random_id());
      if (!input) {
        bytes = input.error().code;
        co_return 0;
      }
      const auto got = ::read(input->fd.get(), bytes.data(), bytes.size());
      bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
      co_return 0;
    };
    asio::io_context io;
    test::run(io, open());
    return bytes;
  }

  const test::TemporaryFolder folder_{};
  std::function<bool()> is_full_ = [] { return false; };
};

constexpr char busy[] = "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\n\r\n";

TEST_F(S3AnswersTest, ARecordingGoesOnWhereItsConnectionBroke) {
  const test::ScriptedServer server(
      {busy, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123", busy,
       "HTTP/1.1 206 Partial Content\r\nContent-Length: 6\r\n\r\n456",
       "HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n\r\n789"});
  EXPECT_EQ(fetch(server), "0123456789");
  ASSERT_EQ(server.heads().size(), 5U);
  EXPECT_EQ(server.heads()[1].find("Range:"), std::string::npos);
  EXPECT_NE(server.heads()[2].find("Range: bytes=4-"), std::string::npos);
  EXPECT_NE(server.heads()[4].find("Range: bytes=7-"), std::string::npos);
}

TEST_F(S3AnswersTest, TriesThatBringNothingHaveAnEnd) {
  const test::ScriptedServer server({busy, busy, busy, busy});
  EXPECT_EQ(fetch(server), errc::inputs_unavailable);
  EXPECT_EQ(server.heads().size(), 2U);
}

TEST_F(S3AnswersTest, TokenAndSumAreSigned) {
  const test::ScriptedServer server({"HTTP/1.1 204 No Content\r\n\r\n"});
  ASSERT_TRUE(S3Client(settings(server)).remove("a", limits()));
  const auto head = server.heads().at(0);
  EXPECT_NE(head.find("x-amz-security-token: a-token"), std::string::npos) << head;
  const auto list = head.substr(head.find("SignedHeaders="), 200);
  EXPECT_LT(list.find("x-amz-content-sha256"), list.find("Signature=")) << head;
  EXPECT_LT(list.find("x-amz-security-token"), list.find("Signature=")) << head;
  EXPECT_EQ(head.find("not-a-secret"), std::string::npos);
}

TEST_F(S3AnswersTest, AnErrorBehindA200IsAnError) {
  const std::string late = "<Error><Code>InternalError</Code></Error>";
  const test::ScriptedServer server(
      {"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(late.size()) + "\r\n\r\n" + late,
       "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"});
  const S3Client client(settings(server));
  EXPECT_FALSE(client.complete_parts("a", "upload", {"\"tag\""}, limits()));
  EXPECT_FALSE(client.complete_parts("a", "upload", {"\"tag\""}, limits())) << "nor is silence one";
  EXPECT_NE(server.heads()[0].find("?uploadId=upload "), std::string::npos);
}

TEST_F(S3AnswersTest, AnswersThatNeverEndAreGivenUp) {
  const test::ScriptedServer server(
      {"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n" + std::string(4 << 20, 'x')});
  const auto page = S3Client(settings(server)).list("", 1, limits());
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().message, "the bucket answers more than it should");
}

// libcurl 7.88 keeps the headers behind a body, however many there are.
TEST_F(S3AnswersTest, HeadersThatNeverEndAreGivenUp) {
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "X-More: " + std::string(100, 'x') + "\r\n";
  const test::ScriptedServer server(
      {"HTTP/1.1 204 No Content\r\n" + many + "\r\n",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + many + "\r\n"});
  const S3Client client(settings(server));
  for (int i = 0; i < 2; ++i) {
    const auto removed = client.remove("a", limits());
    ASSERT_FALSE(removed) << i;
    EXPECT_EQ(removed.error().message, "the bucket answers more than it should");
  }
}

TEST_F(S3AnswersTest, AnErrorHasNoLongBody) {
  const std::string length = "Content-Length: 200000\r\n\r\n";
  const test::ScriptedServer server(
      {"HTTP/1.1 403 Forbidden\r\n" + length + std::string(200'000, 'x')});
  const auto removed = S3Client(settings(server)).remove("a", limits());
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().message, "the bucket answers more than it should");
}

// Nine thousand of them are kept at a time.
TEST_F(S3AnswersTest, TagsOfPartsAreShort) {
  const std::string id(2000, 'x');
  const std::string begun = "<InitiateMultipartUploadResult><UploadId>" + id +
                            "</UploadId></InitiateMultipartUploadResult>";
  const test::ScriptedServer server(
      {"HTTP/1.1 200 OK\r\nETag: \"" + id + "\"\r\nContent-Length: 0\r\n\r\n",
       "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(begun.size()) + "\r\n\r\n" + begun});
  const S3Client client(settings(server));
  EXPECT_FALSE(client.put_part("a", "upload", 1, {}, limits()));
  EXPECT_FALSE(client.begin_parts("a", limits()));
}

// A sweep would go on for ever.
TEST_F(S3AnswersTest, AListThatStandsStillIsNone) {
  const std::string object =
      "<Contents><Key>b</Key><LastModified>2026-11-26T16:08:28.000Z</LastModified></Contents>";
  const auto list = [](const std::string& objects) {
    const std::string body =
        "<ListBucketResult><IsTruncated>true</IsTruncated>" + objects + "</ListBucketResult>";
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  const test::ScriptedServer server({list(object), list(object), list(object + object)});
  const S3Client client(settings(server));
  EXPECT_TRUE(client.list("a", 1, limits()));
  EXPECT_FALSE(client.list("b", 1, limits()));
  EXPECT_FALSE(client.list("a", 1, limits())) << "nor one that has more than was asked for";
}

TEST_F(S3AnswersTest, ARecordingWithoutAnEndDoesNotFillTheDisk) {
  const test::ScriptedServer server({"HTTP/1.1 200 OK\r\n\r\n" + std::string(4 << 20, 'x'), busy});
  is_full_ = [calls = 0]() mutable { return ++calls > 10; };
  EXPECT_EQ(fetch(server), errc::inputs_unavailable);
  EXPECT_EQ(server.heads().size(), 1U);
}

TEST_F(S3AnswersTest, APieceHasNoMoreThanWasAskedFor) {
  const std::string part = "HTTP/1.1 206 Partial Content\r\nContent-Length: ";
  const test::ScriptedServer server({part + "4\r\n\r\n0123", part + "5\r\n\r\n01234"});
  const S3Client client(settings(server));
  EXPECT_EQ(client.get_piece("a", 0, 4, limits()).value(), "0123");
  const auto more = client.get_piece("a", 0, 4, limits());
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, S3Errc::refused);
}

TEST_F(S3AnswersTest, RemovalsDoNotHoldUpTheEnd) {
  constexpr std::size_t backlog = 40;
  const test::ScriptedServer server(
      std::vector<std::string>(backlog, "HTTP/1.1 204 No Content\r\n\r\n"),
      std::chrono::milliseconds(100));
  {
    BucketInputs bucket({.s3 = settings(server),
                         .folder = folder_.path(),
                         .last_removals = std::chrono::milliseconds(0)});
    for (std::size_t i = 0; i < backlog; ++i) bucket.remove_file("sounds/" + random_id());
  }
  EXPECT_LT(server.heads().size(), backlog) << "the rest is left to a sweep";
}

}  // namespace
}  // namespace server
