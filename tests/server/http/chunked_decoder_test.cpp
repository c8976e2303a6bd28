#include "server/http/chunked_decoder.h"

#include <gtest/gtest.h>

#include <array>

namespace server {
namespace {

// Returns the body, or the error's code; `piece` and `room` cut what goes in and out.
std::string decode(std::string_view wire, std::size_t piece, std::size_t room) {
  ChunkedDecoder decoder;
  std::string body;
  std::array<char, 64> buffer;
  while (!wire.empty() && !decoder.is_done()) {
    const auto step = decoder.decode(wire.substr(0, piece), std::span(buffer).first(room));
    if (!step) return step.error().code;
    body.append(buffer.data(), step->produced);
    wire.remove_prefix(step->consumed);
  }
  return decoder.is_done() ? body : body + " and more";
}

TEST(ChunkedDecoder, GivesTheSameHoweverItIsCut) {
  const std::string wire =
      "5\r\nhello\r\n00A;name=\"value\" \r\n, world\r\n \r\n1 ; x\r\n!\r\n0\r\nTrailer: 1\r\n\r\n";
  for (std::size_t piece = 1; piece <= wire.size(); ++piece) {
    for (const std::size_t room : {1, 2, 7, 64}) {
      EXPECT_EQ(decode(wire, piece, room), "hello, world\r\n !") << piece << " " << room;
    }
  }
}

TEST(ChunkedDecoder, LeavesWhatFollowsTheBody) {
  ChunkedDecoder decoder;
  std::array<char, 64> buffer;
  const auto step = decoder.decode("1\r\nx\r\n0\r\n\r\nGET /", buffer);
  ASSERT_TRUE(step);
  EXPECT_TRUE(decoder.is_done());
  EXPECT_EQ(step->consumed, 11U);
}

TEST(ChunkedDecoder, RefusesWhatIsNoChunk) {
  const std::string wires[] = {"\r\n",
                               "g\r\n",
                               "-1\r\n",
                               "+1\r\nx\r\n",
                               " 1\r\nx\r\n",
                               "1\nx\r\n",
                               "1\r\nxy\r\n",
                               "1\r\nx\n0\r\n",
                               "1,1\r\nx\r\n",
                               "1 1\r\nx\r\n",
                               "0x1\r\nx\r\n",
                               "1\r\r\nx",
                               "1;\x01\r\nx\r\n",
                               "fffffffffffffffff\r\n",
                               "1000000000000000\r\n",
                               "1;" + std::string(300, 'a'),
                               "0\r\nA: \x02\r\n\r\n",
                               "0\r\nA: b\n\r\n"};
  for (const auto& wire : wires) EXPECT_EQ(decode(wire, 1000, 64), "bad_request") << wire;
}

TEST(ChunkedDecoder, RefusesEndlessTrailers) {
  std::string wire = "0\r\n";
  for (int at = 0; at < 1000; ++at) wire += "Name: value\r\n";
  EXPECT_EQ(decode(wire, 100, 64), "bad_request");
}

TEST(ChunkedDecoder, TakesManyChunksThatHoldSomething) {
  std::string wire;
  for (int at = 0; at < 20'000; ++at) wire += "10\r\n0123456789abcdef\r\n";
  EXPECT_EQ(decode(wire + "0\r\n\r\n", 1000, 64).size(), 320'000U);
}

}  // namespace
}  // namespace server
