#include "server/commands/output_plan.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using test::TemporaryFolder;
using Files = std::vector<std::vector<std::filesystem::path>>;

const std::set<std::string> known{"txt", "srt", "json", "docx"};

TEST(OutputPlan, IsStdoutForADash) {
  EXPECT_TRUE(plan_outputs({"a.wav"}, "-", {"srt"}).value().files.empty());
  EXPECT_TRUE(plan_outputs({"a.wav", "b.wav"}, "-", {"txt"}).value().files.empty());
}

TEST(OutputPlan, DoesNotJoinSubtitlesOnStdout) {
  EXPECT_EQ(plan_outputs({"a.wav", "b.wav"}, "-", {"srt"}).error().code, errc::usage);
  EXPECT_TRUE(plan_outputs({"a.wav", "b.wav"}, "-", {"rttm"})) << "its lines name the recording";
}

TEST(OutputPlan, TakesAFileNameAsItIs) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"talk.mp3"}, (folder / "out.text").string(), {"txt"}).value();
  EXPECT_EQ(plan.files, Files{{folder / "out.text"}});
}

TEST(OutputPlan, NamesFilesInAFolderAfterTheirInputs) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"/x/talk.one.mp3", "-"}, folder.path().string(), {"srt"}).value();
  EXPECT_EQ(plan.files, (Files{{folder / "talk.one.srt"}, {folder / "stdin.srt"}}));
}

TEST(OutputPlan, MakesTheFolderOfSeveralInputs) {
  const TemporaryFolder folder;
  ASSERT_TRUE(plan_outputs({"a.wav", "b.wav"}, (folder / "new/deep").string(), {"txt"}));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "new/deep"));
}

TEST(OutputPlan, MakesAFolderThatIsNamedAsOne) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"a.wav"}, (folder / "new").string() + "/", {"txt"}).value();
  EXPECT_EQ(plan.files, Files{{folder / "new/a.txt"}});
}

TEST(OutputPlan, RefusesAFileInTheFoldersPlace) {
  const TemporaryFolder folder;
  test::write_text(folder / "taken", "");
  EXPECT_EQ(plan_outputs({"a.wav", "b.wav"}, (folder / "taken").string(), {"txt"}).error().code,
            errc::output_not_writable);
}

TEST(OutputPlan, RefusesTwoInputsOfOneName) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"x/a.wav", "y/a.mp3"}, folder.path().string(), {"txt"});
  EXPECT_EQ(plan.error().code, errc::usage);
}

TEST(OutputPlan, NeverReplacesAnInput) {
  const TemporaryFolder folder;
  test::write_text(folder / "talk.txt", "sound");
  const auto input = (folder / "talk.txt").string();
  EXPECT_EQ(plan_outputs({input}, input, {"txt"}).error().code, errc::usage);
  EXPECT_EQ(plan_outputs({input}, folder.path().string(), {"txt"}).error().code, errc::usage);
}

TEST(OutputPlan, HasAFileForEachFormat) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"a.wav"}, (folder / "new").string(), {"srt", "json"}).value();
  EXPECT_EQ(plan.files, (Files{{folder / "new/a.srt", folder / "new/a.json"}}));
  EXPECT_EQ(plan_outputs({"a.wav"}, "-", {"txt", "json"}).error().code, errc::usage);
}

TEST(OutputPlan, KnowsWhichFilesAreThere) {
  const TemporaryFolder folder;
  const auto plan = plan_outputs({"a.wav"}, folder.path().string(), {"srt", "json"}).value();
  test::write_text(folder / "a.srt", "");
  EXPECT_TRUE(plan.exists(0, 0));
  EXPECT_FALSE(plan.exists(0, 1));
  EXPECT_FALSE(plan.exists(0));
  test::write_text(folder / "a.json", "");
  EXPECT_TRUE(plan.exists(0));
}

TEST(OutputFormats, AreThoseThatWereAskedForOnce) {
  EXPECT_EQ(output_formats({"srt", "json", "srt"}, "out/", known, 1).value(),
            (std::vector<std::string>{"srt", "json"}));
  EXPECT_EQ(output_formats({}, "-", known, 1).value(), std::vector<std::string>{"txt"});
}

TEST(OutputFormats, AreThatOfTheNameOfTheOutput) {
  EXPECT_EQ(output_formats({}, "x/talk.srt", known, 1).value(), std::vector<std::string>{"srt"});
  EXPECT_EQ(output_formats({}, "x/TALK.SRT", known, 1).value(), std::vector<std::string>{"srt"});
  EXPECT_EQ(output_formats({"srt"}, "talk.srt", known, 1).value(), std::vector<std::string>{"srt"});
  EXPECT_EQ(output_formats({"srt"}, "talk.text", known, 1).value(),
            std::vector<std::string>{"srt"});
  EXPECT_EQ(output_formats({}, "talk.srt", known, 2).value(), std::vector<std::string>{"txt"})
      << "of several inputs it is a folder";
}

TEST(OutputFormats, ContradictNoName) {
  EXPECT_EQ(output_formats({"json"}, "talk.srt", known, 1).error().code, errc::usage);
  EXPECT_EQ(output_formats({"srt", "json"}, "talk.srt", known, 1).error().fix,
            "Give a folder with --output for several formats.");
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "talk.srt");
  EXPECT_TRUE(output_formats({"json"}, (folder / "talk.srt").string(), known, 1)) << "a folder";
}

}  // namespace
}  // namespace server
