#include "platform/oom_score.h"

#include <fstream>

namespace platform {

void raise_oom_score(int score) {
  constexpr const char* file = "/proc/self/oom_score_adj";
  int before = 0;
  if (!(std::ifstream(file) >> before) || before >= score) return;
  std::ofstream(file) << score;
}

}  // namespace platform
