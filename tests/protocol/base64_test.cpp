#include "protocol/base64.h"

#include <gtest/gtest.h>

namespace protocol {
namespace {

TEST(Base64, ReadsWhatItWrites) {
  struct Case {
    std::string bytes, text;
  };
  for (const auto& c : {Case{"", ""},
                        {"f", "Zg=="},
                        {"fo", "Zm8="},
                        {"foo", "Zm9v"},
                        {"foob", "Zm9vYg=="},
                        {std::string("\0\xff\xfe", 3), "AP/+"}}) {
    EXPECT_EQ(encode_base64(c.bytes), c.text);
    EXPECT_EQ(decode_base64(c.text), c.bytes) << c.text;
    EXPECT_LE(c.bytes.size(), decoded_base64_size(c.text.size()));
  }
}

TEST(Base64, ReadsATextInPiecesOfAnySize) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes.push_back(static_cast<char>(i * 7));
  const std::string text = encode_base64(bytes);
  for (std::size_t size = 1; size < 12; ++size) {
    Base64Decoder decoder;
    std::string read;
    for (std::size_t at = 0; at < text.size(); at += size) {
      ASSERT_TRUE(decoder.feed(std::string_view(text).substr(at, size), read));
    }
    EXPECT_TRUE(decoder.is_whole());
    EXPECT_EQ(read, bytes) << size;
  }
}

TEST(Base64, RefusesWhatIsNotStrictlySo) {
  for (const char* text : {"Zg", "Zg=", "Z===", "====", "Zm9v=", "Zm 9v===", "Zm9v\n", "Zm-_",
                           "Zh==", "Zm9=", "=Zg=", "Zg==Zg==", "Zm9vZm9v\xff\xff\xff\xff"}) {
    EXPECT_FALSE(decode_base64(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace protocol
