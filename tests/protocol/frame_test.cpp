#include "protocol/frame.h"

#include <gtest/gtest.h>

#include <vector>

namespace protocol {
namespace {

std::string framed(std::string_view payload) {
  const auto header = encode_frame_header(payload.size()).value();
  return std::string(header.begin(), header.end()) + std::string(payload);
}

// Returns the payloads of a stream that arrives in pieces of that many bytes.
std::vector<std::string> read_in_pieces(std::string_view stream, std::size_t piece) {
  FrameReader reader;
  std::vector<std::string> payloads;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    reader.append(stream.substr(at, piece));
    while (auto payload = reader.next().value()) payloads.push_back(*payload);
  }
  EXPECT_FALSE(reader.inside_frame());
  return payloads;
}

TEST(Frame, HeaderIsLittleEndian) {
  EXPECT_EQ(encode_frame_header(0x00010203).value(), (FrameHeader{3, 2, 1, 0}));
  const FrameHeader header{'\xfe', '\x01', 0, 0};
  EXPECT_EQ(decode_frame_header(header).value(), 0x1feu);
}

TEST(Frame, LengthsUpToTheLimitPass) {
  EXPECT_TRUE(encode_frame_header(max_frame_payload).has_value());
  EXPECT_EQ(decode_frame_header(encode_frame_header(max_frame_payload).value()).value(),
            max_frame_payload);
}

TEST(Frame, LengthsOverTheLimitAreRefusedOnBothSides) {
  EXPECT_EQ(encode_frame_header(max_frame_payload + 1).error().code, frame_too_large);
  const FrameHeader header{'\xff', '\xff', '\xff', '\xff'};
  const auto decoded = decode_frame_header(header);
  ASSERT_TRUE(decoded.has_error());
  EXPECT_EQ(decoded.error().message, "a frame of 4294967295 bytes is over the limit of 16777216");
}

TEST(FrameReader, GivesThePayloadsWhateverTheSizeOfThePieces) {
  const std::string stream = framed("one") + framed("") + framed(std::string(300, 'x'));
  const std::vector<std::string> payloads{"one", "", std::string(300, 'x')};
  for (std::size_t piece : {1, 2, 3, 5, 7, 64, 1000}) {
    EXPECT_EQ(read_in_pieces(stream, piece), payloads) << "pieces of " << piece;
  }
}

TEST(FrameReader, KnowsThatAFrameWasCutOff) {
  FrameReader reader;
  EXPECT_FALSE(reader.inside_frame());
  reader.append(std::string("\x05\0\0\0abc", 7));
  EXPECT_FALSE(reader.next().value().has_value());
  EXPECT_TRUE(reader.inside_frame());
  reader.append("de");
  EXPECT_EQ(reader.next().value(), "abcde");
  EXPECT_FALSE(reader.inside_frame());
}

TEST(FrameReader, StaysBrokenAfterAFrameOverItsLimit) {
  FrameReader reader(4);
  reader.append(framed("four") + framed("fives"));
  EXPECT_EQ(reader.next().value(), "four");
  EXPECT_EQ(reader.next().error().code, frame_too_large);
  reader.append(framed("a"));
  EXPECT_EQ(reader.next().error().code, frame_too_large);
}

}  // namespace
}  // namespace protocol
