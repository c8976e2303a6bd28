#include "server/models/child_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

TEST(ChildProgram, GivesStatusAndOutput) {
  const auto result =
      run_child({{"sh", "-c", "echo \"to $WHERE\"; echo err >&2; exit 3"}, {{"WHERE", "out"}}}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_status, 3);
  EXPECT_NE(result->output.find("to out\n"), std::string::npos);
  EXPECT_NE(result->output.find("err\n"), std::string::npos);
}

TEST(ChildProgram, GivesTheShellsStatusForAMissingProgram) {
  const auto result = run_child({{"no-such-program-anywhere"}}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_status, 127);
}

TEST(ChildProgram, TellsASignalFromAStatus) {
  const auto result = run_child({{"sh", "-c", "kill -9 $$"}}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_status, 137);
}

TEST(ChildProgram, KeepsTheEndOfLongOutput) {
  const auto result = run_child({{"sh", "-c", "seq 100000"}}, {});
  ASSERT_TRUE(result);
  EXPECT_LT(result->output.size(), 64u * 1024);
  EXPECT_TRUE(result->output.ends_with("\n99999\n100000\n"));
}

TEST(ChildProgram, HasNoSecretsOfOurs) {
  ::setenv("HF_TOKEN", "hidden", 1);
  ::setenv("https_proxy", "http://proxy", 1);
  const auto result = run_child({{"env"}}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output.find("hidden"), std::string::npos);
  EXPECT_NE(result->output.find("https_proxy=http://proxy"), std::string::npos);
  ::unsetenv("HF_TOKEN");
  ::unsetenv("https_proxy");
}

TEST(ChildProgram, WorksInTheFolderThatIsNamed) {
  const auto result = run_child({.arguments = {"pwd"}, .folder = "/usr"}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "/usr\n");
  EXPECT_EQ(run_child({.arguments = {"pwd"}, .folder = "/nowhere"}, {})->exit_status, 127);
}

TEST(ChildProgram, WritesNoFileBeyondItsLimit) {
  const testing::TemporaryFolder folder;
  const auto result = run_child({.arguments = {"sh", "-c", "head -c 100000 /dev/zero >file"},
                                 .folder = folder.path(),
                                 .max_file_bytes = 50'000},
                                {});
  ASSERT_TRUE(result);
  EXPECT_NE(result->exit_status, 0);
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "file"), 50'000u);
}

TEST(ChildProgram, IsEndedWhenTheWorkIsStopped) {
  std::stop_source stop;
  const auto result =
      run_child({{"sleep", "1000"}}, stop.get_token(), [&stop] { stop.request_stop(); });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, StoreErrc::cancelled);
}

TEST(ChildProgram, IsEndedAtTheTimeLimit) {
  ChildProgram program{{"sleep", "1000"}};
  program.time_limit = std::chrono::seconds(0);
  const auto result = run_child(program, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, StoreErrc::unreachable);
}

}  // namespace
}  // namespace server
