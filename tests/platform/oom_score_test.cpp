#include "platform/oom_score.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace platform {
namespace {

int score() {
  int score = -1;
  std::ifstream("/proc/self/oom_score_adj") >> score;
  return score;
}

// It is run in a child, because lowering a score again takes a privilege.
TEST(OomScore, IsRaisedAndNeverLowered) {
  const pid_t child = ::fork();
  if (child == 0) {
    raise_oom_score(990);
    const bool raised = score() >= 990;
    raise_oom_score(10);
    ::_exit(raised && score() >= 990 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace platform
