#include "protocol/decoder_messages.h"

#include <gtest/gtest.h>

namespace protocol::decoder {
namespace {

std::string problem(const std::string& line) {
  const auto parsed = parse(line);
  return parsed.has_value() ? "no error" : parsed.error().message;
}

TEST(DecoderMessages, AFormatIsOneLine) {
  EXPECT_EQ(encode(Format{.container = "wav",
                          .codec = "pcm_s16le",
                          .sample_rate = 44100,
                          .channels = 2,
                          .duration_s = 1.5,
                          .tracks = 1}),
            R"({"type":"format","container":"wav","codec":"pcm_s16le","sample_rate":44100,)"
            R"("channels":2,"duration_s":1.5,"tracks":1})"
            "\n");
}

TEST(DecoderMessages, AnUnknownDurationStaysUnknown) {
  const auto known = parse(encode(Format{.container = "mp3", .duration_s = 2.0})).value();
  EXPECT_EQ(std::get<Format>(known).duration_s, 2.0);
  const auto unknown = parse(encode(Format{.container = "mp3"})).value();
  EXPECT_EQ(std::get<Format>(unknown).duration_s, std::nullopt);
  EXPECT_EQ(std::get<Format>(unknown).container, "mp3");
}

TEST(DecoderMessages, TheOthersArriveAsTheyWereSent) {
  const auto warning = std::get<Warning>(parse(encode(Warning{"damaged", "a\nb"})).value());
  EXPECT_EQ(warning.code, "damaged");
  EXPECT_EQ(warning.message, "a\nb");
  const Error error("no_audio", "there is no audio track", "");
  EXPECT_EQ(std::get<Failed>(parse(encode(Failed{error})).value()).error, error);
  const auto finished = std::get<Finished>(parse(encode(Finished{1.25, 1LL << 40, 3})).value());
  EXPECT_EQ(finished.seconds, 1.25);
  EXPECT_EQ(finished.bytes_read, 1LL << 40);
  EXPECT_EQ(finished.damaged_packets, 3);
}

TEST(DecoderMessages, AMessageNeverSpansLines) {
  const auto line = encode(Warning{"a\nb", "c\r\nd\xff"});
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(DecoderMessages, ErrorsNameWhatIsWrong) {
  EXPECT_EQ(problem(R"({"type":"finished","seconds":1})"),
            "message 'finished': field 'bytes_read' is missing");
  EXPECT_EQ(problem(R"({"type":"failed"})"), "message 'failed': field 'error' is missing");
  EXPECT_EQ(problem(R"({"type":"hello"})"), "unknown message type 'hello'");
  EXPECT_TRUE(problem("sh: not found").starts_with("This is not JSON: "));
}

TEST(DecoderMessages, ALineOverTheLimitIsRefusedUnread) {
  EXPECT_EQ(problem(std::string(max_line_bytes + 1, ' ')),
            "a line of 65537 bytes is over the limit of 65536");
}

}  // namespace
}  // namespace protocol::decoder
