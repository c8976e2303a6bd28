#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "server/http/answer_head.h"
#include "server/http/error_response.h"
#include "server/http/listen_address.h"
#include "server/http/percent.h"
#include "server/http/sse.h"

namespace server {
namespace {

TEST(Sse, MakesEventsAndComments) {
  EXPECT_EQ(sse_data("{\"a\":1}"), "data: {\"a\":1}\n\n");
  EXPECT_EQ(sse_data("one\ntwo\r\nthree\rfour"),
            "data: one\ndata: two\ndata: three\ndata: four\n\n");
  EXPECT_EQ(sse_data("end\n"), "data: end\ndata: \n\n");
  EXPECT_EQ(sse_data("a\r\n\r\nb"), "data: a\ndata: \ndata: b\n\n");
  EXPECT_EQ(sse_comment(), ": \n\n");
  EXPECT_EQ(sse_comment("a\ndata: b"), ": a\n: data: b\n\n");
}

TEST(Percent, WhatIsEncodedIsDecodedToTheSame) {
  EXPECT_EQ(encode_percent("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(encode_percent("a b&c=%/\xc3\xbc"), "a%20b%26c%3D%25%2F%C3%BC");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(decode_percent(encode_percent(all)), all);
}

TEST(AnswerHead, CannotBeExtendedByAValue) {
  Response response{.content_type = "text/plain\r\nSet-Cookie: a=b"};
  response.headers = {{"x-name\r\nx-evil", "a\r\nx-worse: 1\n\0b"}};
  const auto head = answer_head(response, {.length = 1}, "7");
  EXPECT_EQ(head.find("\r\nSet-Cookie"), head.npos) << head;
  EXPECT_EQ(head.find("\r\nx-evil"), head.npos) << head;
  EXPECT_EQ(head.find("\nx-worse"), head.npos) << head;
}

TEST(AnswerHead, LeavesCachingToAResponseThatDecidesIt) {
  Response response;
  response.headers = {{"Cache-Control", "max-age=60"}};
  EXPECT_EQ(answer_head(response, {.length = 1}, "7").find("no-store"), std::string::npos);
}

TEST(AnswerHead, HasNoLengthWhereThereCanBeNoBody) {
  const auto head = answer_head({.status = http::status::no_content}, {.length = 0}, "7");
  EXPECT_EQ(head.find("content-"), head.find("content-type-options")) << head;
}

TEST(AnswerHead, TellsTheTypeOfAnEmptyBodyToo) {
  const Response empty{.content_type = "text/plain"};
  EXPECT_NE(answer_head(empty, {.length = 0}, "7").find("content-type: text/plain\r\n"),
            std::string::npos);
  const Response none{.status = http::status::accepted, .content_type = ""};
  const auto head = answer_head(none, {.length = 0}, "7");
  EXPECT_EQ(head.find("content-type:"), head.npos) << head;
}

TEST(ErrorResponse, HasTheShapeThatClientsRead) {
  const auto response = error_response({errc::bad_request, "It is wrong.", "Do it right."});
  EXPECT_EQ(response.status, http::status::bad_request);
  EXPECT_EQ(nlohmann::json::parse(response.body), nlohmann::json::parse(R"({"error": {
      "message": "It is wrong. Do it right.", "type": "invalid_request_error",
      "param": null, "code": "bad_request"}})"));
}

TEST(ErrorResponse, MakesSentencesOfWhatIsWrongAndWhatToDo) {
  const auto response = error_response({errc::bad_request, "it is wrong", "Do it right."});
  EXPECT_EQ(nlohmann::json::parse(response.body)["error"]["message"], "It is wrong. Do it right.");
}

TEST(ErrorResponse, NamesTheKindOfTheError) {
  const std::tuple<const char*, const char*, bool> cases[] = {
      {errc::unauthorized, "authentication_error", false},
      {errc::too_many_jobs, "rate_limit_error", true},
      {errc::queue_full, "server_error", true},
      {errc::internal, "server_error", false},
      {errc::forbidden, "invalid_request_error", false},
  };
  for (const auto& [code, type, retries] : cases) {
    const auto response = error_response({code, "x"});
    EXPECT_EQ(nlohmann::json::parse(response.body)["error"]["type"], type) << code;
    const auto has_retry =
        std::ranges::any_of(response.headers, [](auto& h) { return h.first == "retry-after"; });
    EXPECT_EQ(has_retry, retries) << code;
  }
}

TEST(ErrorResponse, SurvivesBytesThatAreNoText) {
  EXPECT_TRUE(nlohmann::json::accept(error_response({"internal", "a\xff"}).body));
}

TEST(ListenAddress, IsAnAddressOrANameAndAPortOrASocket) {
  const std::pair<const char*, const char*> cases[] = {
      {"127.0.0.1:8080", "127.0.0.1:8080"},
      {"0.0.0.0:0", "0.0.0.0:0"},
      {"[::1]:8080", "[::1]:8080"},
      {"localhost:1", "127.0.0.1:1"},
      {":8080", ":8080"},
      {"scribed.lan:80", "scribed.lan:80"},
      {"unix:/run/scribed/socket", "unix:/run/scribed/socket"},
      {"8080", "usage"},
      {"127.0.0:80", "usage"},
      {"a name:80", "usage"},
      {"[fe80::1%eth0]:80", "usage"},
      {"unix:socket", "usage"},
      {"unix:/run/", "usage"},
      {"127.0.0.1", "usage"},
      {"127.0.0.1:", "usage"},
      {"127.0.0.1:65536", "usage"},
      {"127.0.0.1:80x", "usage"},
      {"::1:8080", "usage"},
      {"[127.0.0.1]:80", "usage"},
      {"", "usage"},
  };
  for (const auto& [text, expected] : cases) {
    const auto address = parse_listen_address(text);
    EXPECT_EQ(address ? address->text() : address.error().code, expected) << text;
  }
  EXPECT_FALSE(parse_listen_address("unix:/" + std::string(107, 'a')))
      << "longer than the kernel takes";
}

TEST(ListenAddress, IsLocalWhereNoOtherMachineCanConnect) {
  for (const char* text : {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1", "unix:/a"}) {
    EXPECT_TRUE(parse_listen_address(text)->is_local()) << text;
  }
  for (const char* text : {":1", "0.0.0.0:1", "[::]:1", "192.168.1.2:1", "scribed.lan:1"}) {
    EXPECT_FALSE(parse_listen_address(text)->is_local()) << text;
  }
}

}  // namespace
}  // namespace server
