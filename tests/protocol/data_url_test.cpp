#include "protocol/data_url.h"

#include <gtest/gtest.h>

#include <vector>

namespace protocol {
namespace {

TEST(DataUrl, HoldsItsBytesWhateverTheirMediaType) {
  const std::vector<std::string> urls{
      "data:audio/wav;base64,aGVsbG8=", "data:;base64,aGVsbG8=",
      "DATA:audio/wav;rate=16000;BASE64,aGVsbG8=", "data:audio/wav;name=\"a.wav\";base64,aGVsbG8="};
  for (const auto& url : urls) EXPECT_EQ(bytes_of_data_url(url), "hello") << url;
  EXPECT_EQ(bytes_of_data_url("data:;base64,"), "");
}

TEST(DataUrl, IsNoneWithoutSchemeMarkOrProperBase64) {
  const std::vector<std::string> others{"",
                                        "data:",
                                        "data",
                                        "hello",
                                        "aGVsbG8=",
                                        "data:audio/wav,hello",
                                        "data:audio/wav;base64",
                                        "data:base64,aGVsbG8=",
                                        "data:;base64;x,aGVsbG8=",
                                        "data:;base64,aGVsbG8",
                                        "data:;base64,aGVs bG8=",
                                        "data:;base64,aGVs\nbG8=",
                                        "data:;base64,aGVs%62G8=",
                                        "https://example.com/data:;base64,aGVsbG8="};
  for (const auto& text : others) EXPECT_EQ(bytes_of_data_url(text), std::nullopt) << text;
}

TEST(DataUrl, IsReadInPiecesOfAnySize) {
  const std::string url = "data:audio/wav;base64,aGVsbG8=";
  for (std::size_t size = 1; size <= url.size(); ++size) {
    DataUrlReader reader;
    std::string bytes;
    for (std::size_t at = 0; at < url.size(); at += size) {
      const auto more = reader.feed(std::string_view(url).substr(at, size));
      ASSERT_TRUE(more) << size;
      bytes += *more;
    }
    EXPECT_TRUE(reader.is_whole());
    EXPECT_EQ(bytes, "hello") << size;
  }
}

TEST(DataUrl, ThatHasNoCommaIsNotHeld) {
  DataUrlReader reader;
  EXPECT_TRUE(reader.feed(std::string(DataUrlReader::most_head_bytes, 'x')));
  EXPECT_FALSE(reader.feed("x"));
}

TEST(DataUrl, IsReadAsItWasWritten) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  EXPECT_EQ(bytes_of_data_url(data_url(bytes)), bytes);
}

}  // namespace
}  // namespace protocol
