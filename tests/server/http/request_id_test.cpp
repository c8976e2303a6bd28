#include "server/http/request_id.h"

#include <gtest/gtest.h>

namespace server {
namespace {

Trace trace_with(const std::string& traceparent) {
  boost::beast::http::fields headers;
  headers.insert("x-request-id", "seven");
  headers.insert("traceparent", traceparent);
  return trace_of(headers);
}

constexpr char trace[] = "4bf92f3577b34da6a3ce929d0e0e4736";
constexpr char span[] = "00f067aa0ba902b7";

std::string traceparent(const std::string& version, const std::string& rest = "-01") {
  return version + "-" + trace + "-" + span + rest;
}

TEST(Trace, IsTakenOverFromTheClient) {
  const auto found = trace_with(traceparent("00"));
  EXPECT_EQ(found.request_id, "seven");
  EXPECT_EQ(found.trace_id, trace);
  EXPECT_EQ(found.span_id, span);
  EXPECT_EQ(trace_with(traceparent("01", "-01-more")).trace_id, trace) << "of a later version";
}

TEST(Trace, OfAnotherShapeIsNone) {
  const std::string zeros(32, '0');
  for (const std::string& text :
       {std::string(), std::string("00"), traceparent("ff"), traceparent("00", "-01-more"),
        traceparent("01", "-01more"), traceparent("00", ""), "00-" + zeros + "-" + span + "-01",
        std::string("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"),
        "00-" + std::string(trace) + "-0000000000000000-01"}) {
    EXPECT_EQ(trace_with(text).trace_id, "") << text;
    EXPECT_EQ(trace_with(text).request_id, "seven");
  }
}

TEST(RequestId, IsTheClientsWhereItIsShortAndPlain) {
  boost::beast::http::fields headers;
  EXPECT_EQ(request_id_of(headers).size(), 16U);
  EXPECT_NE(request_id_of(headers), request_id_of(headers));
  headers.set("x-request-id", "a b");
  EXPECT_EQ(request_id_of(headers).size(), 16U);
  headers.set("x-request-id", "My-id_1.2");
  EXPECT_EQ(request_id_of(headers), "My-id_1.2");
}

}  // namespace
}  // namespace server
