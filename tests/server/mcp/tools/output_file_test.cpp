#include "server/mcp/tools/output_file.h"

#include <gtest/gtest.h>

#include "server/inputs/allowed_paths.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    fs::create_directory(inside);
    fs::create_directory(folder / "outside");
  }
  std::string code_of(const fs::path& path) {
    const auto output = open_output(AllowedPaths({inside}), path);
    if (!output) return output.error().code;
    const auto written = write_output(*output, "text");
    return written ? "" : written.error().code;
  }
  test::TemporaryFolder folder;
  const fs::path inside = folder / "inside";
};

TEST_F(OutputFileTest, AppearsWhereItIsNamed) {
  fs::create_directory(inside / "sub");
  EXPECT_EQ(code_of(inside / "a.srt"), "");
  EXPECT_EQ(code_of(inside / "sub" / "b.srt"), "");
  EXPECT_EQ(code_of("relative.srt"), "");
  EXPECT_EQ(test::read_text(inside / "a.srt"), "text");
  EXPECT_EQ(test::read_text(inside / "sub" / "b.srt"), "text");
  EXPECT_EQ(test::read_text(inside / "relative.srt"), "text");
}

TEST_F(OutputFileTest, NothingIsReplaced) {
  test::write_text(inside / "a.srt", "mine");
  EXPECT_EQ(code_of(inside / "a.srt"), errc::output_not_writable);
  EXPECT_EQ(test::read_text(inside / "a.srt"), "mine");
}

TEST_F(OutputFileTest, WhatAppearsMeanwhileIsNotReplacedEither) {
  const auto output = open_output(AllowedPaths({inside}), inside / "a.srt").value();
  test::write_text(inside / "a.srt", "mine");
  EXPECT_EQ(write_output(output, "text").error().code, errc::output_not_writable);
  EXPECT_EQ(test::read_text(inside / "a.srt"), "mine");
}

TEST_F(OutputFileTest, OnlyFilesOfTranscriptsAreWritten) {
  fs::create_directory(inside / ".ssh");
  for (const char* name : {"authorized_keys", ".bashrc", "run.sh", "a.TXT.exe", ".ssh/keys.txt",
                           ".hidden.txt", "page.html", "notes"}) {
    EXPECT_EQ(code_of(inside / name), errc::output_not_writable) << name;
  }
}

TEST_F(OutputFileTest, NamesThatProgramsReadAsTheirSettingsAreRefused) {
  for (const char* name : {"CMakeLists.txt",
                           "requirements.txt",
                           "requirements-dev.txt",
                           "dev-requirements.txt",
                           "constraints.txt",
                           "robots.txt",
                           "ads.txt",
                           "app-ads.txt",
                           "llms.txt",
                           "conanfile.txt",
                           "meson_options.txt",
                           "runtime.txt",
                           "package.json",
                           "package-lock.json",
                           "Package.JSON",
                           "tsconfig.json",
                           "tsconfig.app.json",
                           "composer.json",
                           "settings.json",
                           "launch.json",
                           "mcp.json",
                           "claude_desktop_config.json",
                           "babel.config.json",
                           "appsettings.Production.json",
                           "CMakePresets.json",
                           "vcpkg-configuration.json",
                           "config.json",
                           "llms-full.txt",
                           "npm-shrinkwrap.json",
                           "config.txt"}) {
    EXPECT_EQ(code_of(inside / name), errc::output_not_writable) << name;
  }
  for (const char* name :
       {"talk.txt", "talk.json", "requirements meeting.txt", "requirements.srt",
        "Team meeting 2026-11-22.txt", "interview_part-2.json", "project-call.txt",
        "app review.json", "transcript.json", "CMakeLists.vtt", "01.txt", "Marc.txt"}) {
    EXPECT_EQ(code_of(inside / name), "") << name;
  }
}

TEST_F(OutputFileTest, NothingIsWrittenOutsideOrLeftBehind) {
  fs::create_directory_symlink(folder / "outside", inside / "link");
  fs::create_directory(inside / "sub");
  test::write_text(folder / "outside" / "target", "theirs");
  fs::create_symlink(folder / "outside" / "target", inside / "file_link.txt");
  for (const fs::path& path : {folder / "outside" / "a.txt", inside / ".." / "outside" / "a.txt",
                               inside / "link" / "a.txt", inside / "none" / "a.txt", inside / "..",
                               inside / "a.txt" / "", inside / "sub", inside / "file_link.txt"}) {
    EXPECT_EQ(code_of(path), errc::output_not_writable) << path;
  }
  EXPECT_EQ(test::read_text(folder / "outside" / "target"), "theirs");
  EXPECT_FALSE(fs::exists(folder / "outside" / "a.txt"));
  for (const auto& entry : fs::directory_iterator(inside)) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".scribed-"));
  }
}

}  // namespace
}  // namespace server
