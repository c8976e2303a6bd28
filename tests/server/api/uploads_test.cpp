#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using test::FakeExchange;

class UploadRoutes : public test::ApiFixture {
 protected:
  FakeExchange send(const std::string& parts) {
    FakeExchange exchange(http::verb::post, "/v1/uploads");
    exchange.fields.set(http::field::content_type, "multipart/form-data; boundary=b");
    exchange.body = parts + "--b--\r\n";
    ask(exchange);
    return exchange;
  }
  static std::string part(const std::string& disposition, const std::string& value) {
    return "--b\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + value + "\r\n";
  }
};

TEST_F(UploadRoutes, KeepWhatIsSent) {
  const auto answer = send(part("name=\"file\"; filename=\"talk.mp3\"", "some sound"));
  ASSERT_EQ(status_of(answer), 201U) << answer.answer.body;
  const auto upload = json_of(answer);
  EXPECT_EQ(upload["filename"], "talk.mp3");
  EXPECT_EQ(upload["bytes"], 10);
  const auto kept = uploads.find(upload["id"], "local");
  ASSERT_TRUE(kept);
  EXPECT_FALSE(uploads.find(upload["id"], "bob"));
}

TEST_F(UploadRoutes, TakeAFileAndNothingElse) {
  EXPECT_EQ(status_of(send(part("name=\"other\"", "x"))), 400U);
  EXPECT_EQ(
      status_of(send(part("name=\"file\"; filename=\"a\"", "x") + part("name=\"model\"", "base"))),
      400U);
  EXPECT_EQ(status_of(send(part("name=\"file\"; filename=\"a\"", "x") +
                           part("name=\"file\"; filename=\"b\"", "y"))),
            400U);
}

TEST_F(UploadRoutes, ForgetAnUploadOnce) {
  const std::string id = json_of(send(part("name=\"file\"; filename=\"a\"", "x")))["id"];
  FakeExchange first(http::verb::delete_, "/v1/uploads/" + id);
  EXPECT_EQ(json_of(ask(first))["deleted"], true);
  FakeExchange second(http::verb::delete_, "/v1/uploads/" + id);
  EXPECT_EQ(status_of(ask(second)), 404U);
}

}  // namespace
}  // namespace server
