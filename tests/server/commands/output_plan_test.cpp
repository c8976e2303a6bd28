#include "server/commands/output_plan.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using test::TemporaryFolder;

TEST(OutputPlan, IsStdoutForADash) {
  EXPECT_TRUE(plan_outputs({"a.wav"}, "-", "srt").value().files.empty());
  EXPECT_TRUE(plan_outputs({"a.wav", "b.wav"}, "-", "txt").value().files.empty());
}

TEST(OutputPlan, DoesNotJoinSubtitlesOnStdout) {
  EXPECT_EQ(plan_outputs({"a.wav", "b.wav"}, "-", "srt").error().code, errc::usage);
  EXPECT_TRUE(plan_outputs({"a.wav", "b.wav"}, "-", "rttm")) << "its lines name the recording";
}

TEST(OutputPlan, TakesAFileNameAsItIs) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"talk.mp3"}, (folder / "out.text").string(), "txt").value();
  EXPECT_EQ(plan.files, std::vector{folder / "out.text"});
}

TEST(OutputPlan, NamesFilesInAFolderAfterTheirInputs) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"/x/talk.one.mp3", "-"}, folder.path().string(), "srt").value();
  EXPECT_EQ(plan.files, (std::vector{folder / "talk.one.srt", folder / "stdin.srt"}));
}

TEST(OutputPlan, MakesTheFolderOfSeveralInputs) {
  const TemporaryFolder folder;
  ASSERT_TRUE(plan_outputs({"a.wav", "b.wav"}, (folder / "new/deep").string(), "txt"));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "new/deep"));
}

TEST(OutputPlan, MakesAFolderThatIsNamedAsOne) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"a.wav"}, (folder / "new").string() + "/", "txt").value();
  EXPECT_EQ(plan.files, std::vector{folder / "new/a.txt"});
}

TEST(OutputPlan, RefusesAFileInTheFoldersPlace) {
  const TemporaryFolder folder;
  test::write_text(folder / "taken", "");
  EXPECT_EQ(plan_outputs({"a.wav", "b.wav"}, (folder / "taken").string(), "txt").error().code,
            errc::output_not_writable);
}

TEST(OutputPlan, RefusesTwoInputsOfOneName) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"x/a.wav", "y/a.mp3"}, folder.path().string(), "txt");
  EXPECT_EQ(plan.error().code, errc::usage);
}

TEST(OutputPlan, NeverReplacesAnInput) {
  const TemporaryFolder folder;
  test::write_text(folder / "talk.txt", "sound");
  const auto input = (folder / "talk.txt").string();
  EXPECT_EQ(plan_outputs({input}, input, "txt").error().code, errc::usage);
  EXPECT_EQ(plan_outputs({input}, folder.path().string(), "txt").error().code, errc::usage);
}

}  // namespace
}  // namespace server
