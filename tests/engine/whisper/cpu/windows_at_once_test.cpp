#include "engine/whisper/cpu/windows_at_once.h"

#include <gtest/gtest.h>

namespace engine::cpu {
namespace {

TEST(WindowsAtOnce, FewThreadsEncodeOneAfterTheOther) {
  for (int threads = 1; threads < 38; ++threads) EXPECT_EQ(windows_at_once(8, threads), 1);
  EXPECT_EQ(windows_at_once(8, 38), 2);
}

TEST(WindowsAtOnce, TeamsAreThereWhereThreadsWouldIdle) {
  EXPECT_EQ(windows_at_once(8, 48), 1) << "two rounds for 94 tiles leave two threads idle";
  EXPECT_EQ(windows_at_once(8, 64), 2);
  EXPECT_EQ(windows_at_once(8, 72), 3);
  EXPECT_EQ(windows_at_once(8, 96), 1);
  EXPECT_EQ(windows_at_once(8, 128), 4);
  EXPECT_EQ(windows_at_once(8, 140), 4);
  EXPECT_EQ(windows_at_once(8, 141), 3);
  EXPECT_EQ(windows_at_once(8, 187), 3);
  EXPECT_EQ(windows_at_once(8, 188), 2);
}

TEST(WindowsAtOnce, NoMoreThanWait) {
  EXPECT_EQ(windows_at_once(1, 64), 1);
  EXPECT_EQ(windows_at_once(3, 128), 1) << "three take as many rounds as one by one";
  for (int threads = 1; threads < 300; ++threads) {
    for (int waiting = 1; waiting < 6; ++waiting) {
      EXPECT_GE(windows_at_once(waiting, threads), 1);
      EXPECT_LE(windows_at_once(waiting, threads), waiting);
    }
  }
}

}  // namespace
}  // namespace engine::cpu
