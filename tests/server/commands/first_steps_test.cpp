#include "server/commands/first_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace server {
namespace {

TEST(FirstSteps, AreFiveLinesThatFitATerminal) {
  for (const FirstState& state : {FirstState{}, FirstState{"base", ""},
                                  FirstState{"large-v3-turbo", "unix:/run/scribed/scribed.sock"}}) {
    std::istringstream lines(first_steps(state));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80U) << line;
    EXPECT_EQ(count, 5);
  }
}

TEST(FirstSteps, BeginWithWhatIsMissing) {
  EXPECT_EQ(first_steps({}).find("  scribed models pull base"), 0U);
  EXPECT_EQ(first_steps({.model = "base"}).find("pull"), std::string::npos);
  EXPECT_NE(first_steps({.server = "unix:/s"}).find("scribed status"), std::string::npos);
}

}  // namespace
}  // namespace server
