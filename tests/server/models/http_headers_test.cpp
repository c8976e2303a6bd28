#include "server/models/http_headers.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(HttpHeaders, ReadsNamesInAnyCase) {
  HttpHeaders headers;
  for (const char* line : {"HTTP/1.1 200 OK\r\n", "X-Linked-ETag:  \"ab\"\r\n", "Empty:\r\n",
                           "Content-Length: 17\r\n", "no colon\r\n", "\r\n"}) {
    headers.add_line(line);
  }
  EXPECT_EQ(headers.text("x-linked-etag"), "\"ab\"");
  EXPECT_EQ(headers.text("empty"), "");
  EXPECT_EQ(headers.text("absent"), std::nullopt);
  EXPECT_EQ(headers.number("content-length"), 17u);
}

TEST(HttpHeaders, ForgetTheAnswerBeforeARedirect) {
  HttpHeaders headers;
  headers.add_line("HTTP/1.1 302 Found\r\n");
  headers.add_line("ETag: old\r\n");
  headers.add_line("HTTP/2 200\r\n");
  EXPECT_EQ(headers.text("etag"), std::nullopt);
}

TEST(HttpHeaders, TakeNoMoreThanAnAnswerHas) {
  HttpHeaders headers;
  const std::string line = "x-much: " + std::string(1000, 'x');
  int taken = 0;
  while (taken < 1000 && headers.add_line(line)) ++taken;
  EXPECT_LT(taken, 100);
}

TEST(HttpHeaders, TakeOnlyWholeNumbers) {
  for (const char* value : {"", "-1", "1 2", "12x", "99999999999999999999"}) {
    HttpHeaders headers;
    headers.add_line(std::string("n: ") + value);
    EXPECT_EQ(headers.number("n"), std::nullopt) << value;
  }
}

TEST(EntityTag, LosesItsQuotes) {
  EXPECT_EQ(unquoted("\"ab\""), "ab");
  EXPECT_EQ(unquoted("W/\"ab\""), "ab");
  EXPECT_EQ(unquoted("ab"), "ab");
  EXPECT_EQ(unquoted("\""), "\"");
  EXPECT_EQ(unquoted(std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace server
