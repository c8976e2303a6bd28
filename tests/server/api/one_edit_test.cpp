#include "server/api/one_edit.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(OneEdit, IsACharacterMoreOrLessOrAnotherOrTwoSwapped) {
  for (const char* typed :
       {"languag", "langguage", "language_", "Language", "lenguage", "langauge", "languaeg"}) {
    EXPECT_TRUE(is_one_edit_apart(typed, "language")) << typed;
    EXPECT_TRUE(is_one_edit_apart("language", typed)) << typed;
  }
}

TEST(OneEdit, IsNeitherNoneNorTwo) {
  for (const char* typed : {"language", "languages_", "langua", "egaugnal", "lanugaeg", ""}) {
    EXPECT_FALSE(is_one_edit_apart(typed, "language")) << typed;
  }
  EXPECT_FALSE(is_one_edit_apart("", ""));
  EXPECT_TRUE(is_one_edit_apart("a", ""));
}

}  // namespace
}  // namespace server
