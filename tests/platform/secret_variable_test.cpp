#include "platform/secret_variable.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace platform {
namespace {

// Runs as this program again, which has the variable from its start.
TEST(SecretVariable, IsGoneFromTheProcessFileToo) {
  constexpr char name[] = "SCRIBED_TEST_SECRET";
  if (std::getenv(name) == nullptr) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv(name, "hidden", 1);
      ::execl("/proc/self/exe", "test", "--gtest_filter=SecretVariable.*", nullptr);
      ::_exit(1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return;
  }
  const auto shown = [] {
    std::ifstream file("/proc/self/environ");
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_NE(shown().find("hidden"), std::string::npos);
  forget_variable(name);
  EXPECT_EQ(std::getenv(name), nullptr);
  EXPECT_EQ(shown().find("hidden"), std::string::npos);
  EXPECT_NE(std::getenv("PATH"), nullptr);
}

TEST(SecretVariable, ThatIsNotSetIsNoMatter) {
  forget_variable("SCRIBED_NO_SUCH_VARIABLE");
}

}  // namespace
}  // namespace platform
