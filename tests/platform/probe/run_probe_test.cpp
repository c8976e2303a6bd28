#include <gtest/gtest.h>

#include "fake_machine.h"
#include "platform/probe/child.h"

namespace platform {
namespace {

using namespace std::chrono_literals;

ChildEnd run(const std::vector<std::string>& arguments) {
  return run_children({{SCRIBED_PROBE_TEST_PATH, arguments}}, 60s).front();
}

TEST(RunProbe, RefusesWhatItDoesNotKnow) {
  for (const auto& arguments :
       {std::vector<std::string>{"probe", "vulkan"}, std::vector<std::string>{"probe", "pack"},
        std::vector<std::string>{"probe", "pack", "a", "b"}}) {
    const auto end = run(arguments);
    EXPECT_EQ(end.exit_code, 2);
    EXPECT_EQ(end.out, "");
  }
}

TEST(RunProbe, EndsWellAlsoWithAnAnswerThatNamesAFailure) {
  test::FakeMachine machine;
  machine.world({{"cuda", {{"results", {{"cuInit", 999}}}}}});
  const auto end = run({"probe", "cuda"});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_NE(end.out.find("\"answer\""), std::string::npos);
  EXPECT_NE(end.out.find("CUDA_ERROR_UNKNOWN"), std::string::npos);
}

TEST(RunProbe, HasNothingToAskOfAppleElsewhere) {
#if !defined(__APPLE__)
  const auto end = run({"probe", "metal"});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_NE(end.out.find("\"not_run\""), std::string::npos);
#endif
}

}  // namespace
}  // namespace platform
