#include "protocol/valid_utf8.h"

#include <gtest/gtest.h>

namespace protocol {
namespace {

TEST(ValidUtf8, TextStaysAsItIs) {
  for (const std::string text : {"", "word", "\"\\\n", "\xC3\xBC", "\xED\x9F\xBF", "\xEE\x80\x80",
                                 "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(valid_utf8(text), text);
  }
  const std::string with_nul("a\0b", 3);
  EXPECT_EQ(valid_utf8(with_nul), with_nul);
}

TEST(ValidUtf8, OtherBytesAreReplaced) {
  EXPECT_EQ(valid_utf8("a\xFF"
                       "b"),
            "a\xEF\xBF\xBD"
            "b");
  for (const std::string bytes : {"\xC3", "\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                                  "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    const std::string valid = valid_utf8(bytes);
    EXPECT_NE(valid, bytes);
    EXPECT_EQ(valid_utf8(valid), valid);
  }
}

}  // namespace
}  // namespace protocol
