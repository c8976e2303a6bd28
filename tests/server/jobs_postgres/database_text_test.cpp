#include "server/jobs_postgres/database_text.h"

#include <gtest/gtest.h>

namespace server::postgres {
namespace {

using namespace std::string_literals;

TEST(DatabaseText, WhatIsTextStays) {
  for (const char* text : {"", "word", "\xC3\xBC", "\xE2\x82\xAC", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(database_text(text), text);
    EXPECT_EQ(database_key(text), text);
  }
}

TEST(DatabaseText, WhatIsNoneIsReplaced) {
  EXPECT_EQ(database_text("a\0b"s), "a\xEF\xBF\xBD"s + "b");
  for (const char* bytes : {"\xff", "\xC3", "\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                            "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    EXPECT_NE(database_text(bytes), bytes);
    EXPECT_EQ(database_text(bytes), database_text(database_text(bytes))) << "it is UTF-8 now";
  }
}

TEST(DatabaseText, TwoKeysStayTwo) {
  EXPECT_NE(database_key("\xff"), database_key("\xfe"));
  EXPECT_NE(database_key("\xff"), database_key("\xEF\xBF\xBD"));
  EXPECT_NE(database_key("\xff"), database_key(database_key("\xff")));
  EXPECT_NE(database_key("a\0"s), database_key("a"));
}

}  // namespace
}  // namespace server::postgres
