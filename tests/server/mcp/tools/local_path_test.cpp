#include "server/mcp/tools/local_path.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(LocalPath, IsWhatPeopleMean) {
  struct Case {
    const char* given;
    const char* meant;
  };
  for (const auto& c :
       {Case{"", ""}, Case{"/a b", "/a b"}, Case{"a.wav", "a.wav"}, Case{"~", "/home/ada"},
        Case{"~/a.wav", "/home/ada/a.wav"}, Case{"~bob/a.wav", "~bob/a.wav"}, Case{"a/~", "a/~"},
        Case{"file:///a%20b%C3%A9", "/a b\u00e9"}, Case{"file:/a", "/a"},
        Case{"file://localhost/a", "/a"}, Case{"file:///~/a", "/~/a"},
        Case{"files/a", "files/a"}}) {
    EXPECT_EQ(local_path(c.given, "/home/ada"), c.meant) << c.given;
  }
}

TEST(LocalPath, IsNoneForAddressesElsewhereAndBrokenOnes) {
  for (const char* given : {"file://host/a", "file:a", "file:", "file://", "file:///a%2"}) {
    EXPECT_EQ(local_path(given, "/home/ada"), std::nullopt) << given;
  }
}

TEST(LocalPath, KnowsNoHomeWhereThereIsNone) {
  EXPECT_EQ(local_path("~/a.wav", ""), "~/a.wav");
}

}  // namespace
}  // namespace server
