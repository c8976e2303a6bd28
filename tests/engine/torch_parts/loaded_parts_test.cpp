#include <gtest/gtest.h>

#include "engine/torch_parts/torch_parts.h"

namespace engine {
namespace {

TEST(LoadedParts, AreThoseOfTheLibraryBesideTheProgramHoweverOftenTheyAreAskedFor) {
  const auto parts = torch_parts();
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ((*parts)->check_device({}).error().message, "asked the double");
  EXPECT_EQ(torch_parts().value(), *parts);
}

}  // namespace
}  // namespace engine
