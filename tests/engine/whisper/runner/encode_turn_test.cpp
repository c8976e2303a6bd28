#include "engine/whisper/runner/encode_turn.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

using std::chrono::milliseconds;

TEST(EncodeTurn, ComesWhenABatchIsFullOrAMomentHasPassedOrSomebodyIsWaiting) {
  const auto turn = [](const WaitingEncodes& waiting, bool decodes) {
    return is_time_to_encode(waiting, 16, decodes);
  };
  EXPECT_FALSE(turn({}, false));
  EXPECT_TRUE(turn({1, false, milliseconds(0)}, false)) << "the device has nothing else to do";
  EXPECT_FALSE(turn({15, false, milliseconds(4)}, true));
  EXPECT_TRUE(turn({16, false, milliseconds(0)}, true));
  EXPECT_TRUE(turn({1, false, milliseconds(5)}, true));
  EXPECT_TRUE(turn({1, true, milliseconds(0)}, true));
}

}  // namespace
}  // namespace engine
