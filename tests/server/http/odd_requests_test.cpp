#include <gtest/gtest.h>

#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"

namespace server {
namespace {

using test::RawClient;
using test::RunningServer;

asio::awaitable<void> echo(Exchange& exchange) {
  auto body = co_await exchange.read_body(100);
  Response response{.content_type = "text/plain"};
  response.body = std::string(exchange.path()) + "|" + (body ? *body : "");
  if (!body) response.status = static_cast<http::status>(http_status(body.error().code));
  co_await exchange.send(std::move(response));
}

asio::awaitable<void> tell_target(Exchange& exchange) {
  Response response{.content_type = "text/plain"};
  response.body = std::string(exchange.headers()[http::field::host]) + "|" +
                  std::string(exchange.path()) + "|" + exchange.query("a").value_or("-");
  co_await exchange.send(std::move(response));
}

// RFC 9112, 3.2.2: what a target says of the host counts, and the field does not.
TEST(AbsoluteTarget, StandsForTheFieldHost) {
  struct Row {
    const char* target;
    const char* told;
  };
  for (const Row& row : {Row{"/b?a=1", "x|/b|1"}, Row{"http://y:81/b/c?a=1", "y:81|/b/c|1"},
                         Row{"http://y?a=2", "y|/|2"}, Row{"https://[::1]", "[::1]|/|-"}}) {
    RunningServer server(tell_target);
    RawClient client(server.port());
    client.send("GET " + std::string(row.target) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(client.read_answer().ends_with(row.told)) << row.target;
  }
}

struct OddRequest {
  const char* name;
  std::string bytes;
  int status;
  bool closes = true;
};

std::string get(const std::string& fields) {
  return "GET / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n";
}

std::string post(const std::string& fields, const std::string& body) {
  return "POST / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n" + body;
}

std::string chunked(const std::string& body) {
  return post("Transfer-Encoding: chunked\r\n", body);
}

std::string target(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

std::string many_fields(int count) {
  std::string fields;
  for (int at = 0; at < count; ++at) fields += "X-" + std::to_string(at) + ": 1\r\n";
  return fields;
}

class OddRequests : public testing::TestWithParam<OddRequest> {};

TEST_P(OddRequests, HaveTheirStatus) {
  const auto& odd = GetParam();
  RunningServer server(echo);
  RawClient client(server.port());
  client.send(odd.bytes);
  const auto answer = client.read_answer();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + std::to_string(odd.status) + " ")) << answer;
  if (odd.closes) {
    EXPECT_EQ(client.read_all(), "");
    EXPECT_TRUE(client.closed());
    return;
  }
  client.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(client.read_answer().ends_with("\r\n\r\n/next|"));
}

const OddRequest smuggling[] = {
    {"LengthAndChunked", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
     400},
    {"ChunkedAndLength", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"),
     400},
    {"TwoLengths", post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"), 400},
    {"TwoEqualLengths", post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), 400},
    {"ListOfLengths", post("Content-Length: 5, 5\r\n", "hello"), 400},
    {"NegativeLength", post("Content-Length: -1\r\n", ""), 400},
    {"SignedLength", post("Content-Length: +5\r\n", "hello"), 400},
    {"HexLength", post("Content-Length: 0x5\r\n", "hello"), 400},
    {"EmptyLength", post("Content-Length:\r\n", ""), 400},
    {"OverflowingLength", post("Content-Length: 18446744073709551617\r\n", ""), 400},
    {"HugeLength", post("Content-Length: 999999999999999999\r\n", ""), 413},
    {"TwoCodings", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 400},
    {"CodingBehindChunked", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n"), 400},
    {"OtherCoding", post("Transfer-Encoding: gzip\r\n", ""), 400},
    {"IdentityCoding", post("Transfer-Encoding: identity\r\n", ""), 400},
    {"AlmostChunked", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 400},
    {"QuotedChunked", post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"), 400},
    {"TwiceChunked", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", ""), 400},
    {"SpaceBeforeColon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"), 400},
    {"ChunkedInHttp10", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
    {"BareLineFeeds", "GET / HTTP/1.1\nHost: x\n\n", 400},
    {"OneBareLineFeed", "GET / HTTP/1.1\r\nHost: x\nX: y\r\n\r\n", 400},
    {"BareCarriageReturn", get("X: a\rb\r\n"), 400},
    {"FoldedLine", get("X: a\r\n b\r\n"), 400},
    {"FoldedLineWithTab", get("X: a\r\n\tb\r\n"), 400},
    {"FoldedFirstField", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400},
    {"NulInField", get(std::string("X: a\0b\r\n", 8)), 400},
    {"FieldWithoutName", get(": a\r\n"), 400},
    {"FieldWithoutColon", get("nothing\r\n"), 400},
};

const OddRequest first_lines[] = {
    {"Tls", std::string("\x16\x03\x01\x02\x00\x01\x00\x01", 8), 400},
    {"Http2Preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
    {"Http09", "GET /\r\n\r\n", 400},
    {"UnknownVersion", "GET / HTTP/1.2\r\nHost: x\r\n\r\n", 400},
    {"NoVersion", "GET / \r\nHost: x\r\n\r\n", 400},
    {"SmallVersion", "GET / http/1.1\r\nHost: x\r\n\r\n", 400},
    {"TwoSpaces", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"TabInFirstLine", "GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"NoHost", "GET / HTTP/1.1\r\n\r\n", 400},
    {"TwoHosts", get("Host: y\r\n"), 400},
    {"AbsoluteTarget", target("http://x/"), 200, false},
    {"AbsoluteTargetOfHttps", target("HTTPS://x:8080"), 200, false},
    {"AbsoluteTargetWithoutHost", target("http:///x"), 400},
    {"AbsoluteTargetWithUser", target("http://ada@x/"), 400},
    {"AbsoluteTargetOfFtp", target("ftp://x/"), 400},
    {"AbsoluteTargetWithoutHostField", "GET http://x/ HTTP/1.1\r\n\r\n", 400},
    {"AuthorityTarget", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"AsteriskTarget", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"RelativeTarget", target("a"), 400},
    {"DotDot", target("/a/../b"), 400},
    {"EncodedDotDot", target("/a/%2e%2E/b"), 400},
    {"EncodedSlashDotDot", target("/a%2f..%2fb"), 400},
    {"BrokenEscape", target("/%zz"), 400},
    {"CutEscape", target("/%4"), 400},
    {"EncodedNul", target("/%00"), 400},
    {"EncodedLineEnd", target("/?a=%0d%0ab"), 400},
    {"RawBytes", target("/\xc3\xa9"), 400},
    {"Fragment", target("/#a"), 400},
};

const OddRequest limits[] = {
    {"TooManyFields", get(many_fields(100)), 431},
    {"TooLongHeader", get("X: " + std::string(16 * 1024, 'a') + "\r\n"), 431},
    {"TooLongTarget", target("/" + std::string(20'000, 'a')), 431},
    {"EndlessHeader", "GET / HTTP/1.1\r\nX: " + std::string(30'000, 'a'), 431},
    {"ManyEmptyLinesBefore", "\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n" + get(""), 400},
    {"TwoContentTypes", post("Content-Type: text/plain\r\nContent-Type: text/css\r\n", ""), 400},
    {"TwoIdempotencyKeys", post("Idempotency-Key: a\r\nidempotency-key: b\r\n", ""), 400},
    {"CompressedBody", post("Content-Encoding: gzip\r\nContent-Length: 1\r\n", "x"), 415},
    {"OtherExpectation", get("Expect: a-miracle\r\n"), 417},
    {"LongBody", post("Content-Length: 101\r\n", std::string(101, 'a')), 413},
    {"LongChunk", chunked("65\r\n" + std::string(101, 'a') + "\r\n0\r\n\r\n"), 413},
    {"ManyChunks",
     chunked("40\r\n" + std::string(64, 'a') + "\r\n40\r\n" + std::string(64, 'a') +
             "\r\n0\r\n\r\n"),
     413},
    {"ChunkWithoutSize", chunked("\r\n\r\n"), 400},
    {"ChunkWithBadSize", chunked("5z\r\nhello\r\n0\r\n\r\n"), 400},
    {"ChunkWithPrefix", chunked("0x5\r\nhello\r\n0\r\n\r\n"), 400},
    {"ChunkWithHugeSize", chunked("ffffffffffffffff1\r\nhello"), 400},
    {"ChunkWithBareLineFeed", chunked("5\nhello\r\n0\r\n\r\n"), 400},
    {"ChunkWithoutEnd", chunked("5\r\nhello!\r\n0\r\n\r\n"), 400},
    {"ChunkWithLongExtension", chunked("5;" + std::string(300, 'a') + "\r\nhello\r\n0\r\n\r\n"),
     400},
};

const OddRequest unusual_but_good[] = {
    {"EmptyLinesBefore", "\r\n\r\n" + get(""), 200, false},
    {"SmallFieldNames", "GET / HTTP/1.1\r\nhost:x\r\n\r\n", 200, false},
    {"HundredFields", get(many_fields(99)), 200, false},
    {"IdentityBody", post("Content-Encoding: identity\r\nContent-Length: 1\r\n", "x"), 200, false},
    {"ChunkedInCapitals", post("Transfer-Encoding: CHUNKED\r\n", "1\r\nx\r\n0\r\n\r\n"), 200,
     false},
    {"ChunksWithExtensionAndTrailer", chunked("1;a=b\r\nx\r\n0;c\r\nHost: y\r\n\r\n"), 200, false},
    {"LongestBody", post("Content-Length: 100\r\n", std::string(100, 'a')), 200, false},
    {"DoubleSlash", target("//a///b"), 200, false},
    {"UnknownMethod", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 200, false},
    {"Upgrade", get("Connection: Upgrade\r\nUpgrade: h2c\r\n"), 200, false},
    {"Close", get("Connection: close\r\n"), 200, true},
    {"CloseAmongOthers", get("Connection: TE, Close\r\n"), 200, true},
    {"Http10", "GET / HTTP/1.0\r\n\r\n", 200, true},
    {"Http10KeepAlive", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 200, false},
};

std::string name_of(const testing::TestParamInfo<OddRequest>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Smuggling, OddRequests, testing::ValuesIn(smuggling), name_of);
INSTANTIATE_TEST_SUITE_P(FirstLines, OddRequests, testing::ValuesIn(first_lines), name_of);
INSTANTIATE_TEST_SUITE_P(Limits, OddRequests, testing::ValuesIn(limits), name_of);
INSTANTIATE_TEST_SUITE_P(Good, OddRequests, testing::ValuesIn(unusual_but_good), name_of);

}  // namespace
}  // namespace server
