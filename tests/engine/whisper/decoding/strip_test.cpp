#include "engine/whisper/decoding/strip.h"

#include <gtest/gtest.h>

#include <utility>

namespace engine {
namespace {

TEST(Strip, TakesWhatPythonTakes) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {" a b ", "a b"},
      {"\t\n\r\v\fa", "a"},
      {"\xc2\xa0"
       "a\xe3\x80\x80",
       "a"},
      {"\x1f"
       "a",
       "a"},
      {"   ", ""},
      {"a", "a"},
      {" \xe2\x99\xaa ", "\xe2\x99\xaa"},
  };
  for (const auto& [text, stripped] : cases) EXPECT_EQ(strip(text), stripped) << text;
}

}  // namespace
}  // namespace engine
