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

TEST(Base64, RefusesWhatIsNotStrictlySo) {
  for (const char* text : {"Zg", "Zg=", "Z===", "====", "Zm9v=", "Zm 9v===", "Zm9v\n", "Zm-_",
                           "Zh==", "Zm9=", "=Zg=", "Zg==Zg=="}) {
    EXPECT_FALSE(decode_base64(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace protocol
