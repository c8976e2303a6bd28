#include "protocol/wyoming/frames.h"

#include <gtest/gtest.h>

#include <vector>

namespace protocol::wyoming {
namespace {

// Reads a stream that arrives in pieces; ends at the first error.
std::vector<Message> read_all(std::string_view stream, std::size_t piece, std::string* code) {
  MessageReader reader;
  std::vector<Message> messages;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    reader.append(stream.substr(at, piece));
    while (true) {
      auto message = reader.next();
      if (!message) {
        *code = message.error().code;
        return messages;
      }
      if (!*message) break;
      messages.push_back(**std::move(message));
    }
  }
  return messages;
}

std::string code_of(const std::string& stream) {
  std::string code;
  read_all(stream, stream.size(), &code);
  return code;
}

std::string head(const std::string& fields) {
  return "{\"type\":\"x\"," + fields + "}\n";
}

TEST(WyomingFrames, DataIsInABlockOfItsOwn) {
  EXPECT_EQ(encode({.type = "ping"}), "{\"type\":\"ping\",\"version\":\"1.10.2\"}\n");
  EXPECT_EQ(encode({.type = "audio-chunk", .data = {{"rate", 16000}}, .payload = "abc"}),
            "{\"type\":\"audio-chunk\",\"version\":\"1.10.2\",\"data_length\":14,"
            "\"payload_length\":3}\n{\"rate\":16000}abc");
}

TEST(WyomingFrames, ComeBackWhateverThePiecesTheyArriveIn) {
  const std::vector<Message> sent{
      {.type = "transcribe", .data = {{"language", "de"}}},
      {.type = "audio-chunk", .data = {{"rate", 16000}}, .payload = "line\nend{}"},
      {.type = "audio-stop"}};
  std::string stream;
  for (const auto& message : sent) stream += encode(message);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, stream.size()}) {
    std::string code;
    EXPECT_EQ(read_all(stream, piece, &code), sent) << piece;
    EXPECT_EQ(code, "");
  }
}

TEST(WyomingFrames, DataMayStandInTheLine) {
  const std::string more = R"({"b":3})";
  std::string code;
  const auto messages = read_all(
      head(R"("data":{"a":1,"b":2},"data_length":7,"payload_length":null)") + more, 5, &code);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].data, (nlohmann::json{{"a", 1}, {"b", 3}}));
}

TEST(WyomingFrames, WhatIsNoMessageEndsTheStream) {
  for (const char* fields :
       {R"("data_length":-1)", R"("data_length":1.5)", R"("payload_length":"9")"}) {
    EXPECT_EQ(code_of(head(fields)), bad_message) << fields;
  }
  EXPECT_EQ(code_of("GET / HTTP/1.1\r\n"), bad_message);
  EXPECT_EQ(code_of("{\"kind\":\"x\"}\n"), bad_message);
  EXPECT_EQ(code_of("[1]\n"), bad_message);
  EXPECT_EQ(code_of(head(R"("data_length":3)") + "{x}"), bad_message);
}

TEST(WyomingFrames, AreAsLargeAsTheirLimits) {
  EXPECT_EQ(code_of(head(R"("data_length":65537)")), frame_too_large);
  EXPECT_EQ(code_of(head(R"("payload_length":262145)")), frame_too_large);
  EXPECT_EQ(code_of(head(R"("payload_length":262144)")), "");
  EXPECT_EQ(code_of(std::string(max_head_bytes + 1, ' ')), frame_too_large) << "without its end";
  EXPECT_EQ(code_of(head("\"a\":" + std::string(40, '[') + std::string(40, ']'))), bad_message);
}

TEST(WyomingFrames, AFailedStreamStaysFailed) {
  MessageReader reader;
  reader.append("nonsense\n");
  EXPECT_TRUE(reader.next().has_error());
  reader.append(encode({.type = "ping"}));
  EXPECT_TRUE(reader.next().has_error());
}

}  // namespace
}  // namespace protocol::wyoming
