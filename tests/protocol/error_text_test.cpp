#include "protocol/error_text.h"

#include <gtest/gtest.h>

namespace protocol {
namespace {

TEST(ErrorText, JoinsWhatHappenedAndWhatToDoByAFullStop) {
  EXPECT_EQ(error_text({"a", "it is not here", "Install it."}), "it is not here. Install it.");
  EXPECT_EQ(error_text({"a", "It is not here.", "Install it."}), "It is not here. Install it.");
  EXPECT_EQ(error_text({"a", "model not found!", "Name one."}), "model not found! Name one.");
  EXPECT_EQ(error_text({"a", "There are these:", "one, two."}), "There are these: one, two.");
}

TEST(ErrorText, OfOneHalfIsThatHalf) {
  EXPECT_EQ(error_text({"a", "it is not here", ""}), "it is not here");
}

}  // namespace
}  // namespace protocol
