#include "platform/verdict/visible_devices.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

struct Case {
  const char* value;
  bool hides;
};

TEST(Hides, IsSaidOfValuesThatNameNoCardOrAnother) {
  const Case cases[] = {
      {"", true},          {"-1", true},
      {"-1,0", true},  // the rest is not read
      {" -1 ", true},      {"0", false},
      {"1", false},        {"1, 0", false},
      {"2", true},         {"7,0", false},
      {"GPU-1111", false}, {"GPU-11111111-2222", true},
      {"GPU-9999", true},  {"GPU-9999,GPU-1111", false},
      {"MIG-1234", false}, {"none", true},
  };
  for (const auto& [value, expected] : cases) {
    EXPECT_EQ(hides(value, {.uuid = "GPU-11111111", .cards = 2}), expected) << value;
  }
}

TEST(Hides, IsNotSaidWhereTheCardIsNotKnown) {
  EXPECT_FALSE(hides("7", {}));
  EXPECT_FALSE(hides("GPU-9999", {}));
  EXPECT_TRUE(hides("", {}));
}

TEST(Hides, IsSaidWhereOtherCardsAreListed) {
  EXPECT_TRUE(hides("0", {.cards = 2, .others_listed = true}));
}

}  // namespace
}  // namespace platform
