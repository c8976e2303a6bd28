#include "server/mcp/tools/output_file.h"

#include <gtest/gtest.h>

#include "server/inputs/allowed_paths.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;

class OutputFile : public testing::Test {
 protected:
  OutputFile() {
    fs::create_directory(inside);
    fs::create_directory(folder / "outside");
  }
  // What is known beforehand must be what comes of it.
  std::string code_of(const fs::path& path, bool overwrite = false) {
    const auto checked = check_output(AllowedPaths({inside}), path, overwrite);
    const std::string code = write(path, overwrite);
    EXPECT_EQ(checked ? "" : checked.error().code, code) << path;
    return code;
  }
  std::string write(const fs::path& path, bool overwrite) {
    const auto written = write_output(AllowedPaths({inside}), path, "text", overwrite);
    return written ? "" : written.error().code;
  }

  test::TemporaryFolder folder;
  const fs::path inside = folder / "inside";
};

TEST_F(OutputFile, AppearsWhereItIsNamed) {
  fs::create_directory(inside / "sub");
  EXPECT_EQ(code_of(inside / "a.srt"), "");
  EXPECT_EQ(code_of(inside / "sub" / "b.srt"), "");
  EXPECT_EQ(code_of("relative.srt"), "");
  EXPECT_EQ(test::read_text(inside / "a.srt"), "text");
  EXPECT_EQ(test::read_text(inside / "sub" / "b.srt"), "text");
  EXPECT_EQ(test::read_text(inside / "relative.srt"), "text");
}

TEST_F(OutputFile, AnotherFileIsReplacedOnlyOnRequest) {
  test::write_text(inside / "a.srt", "mine");
  EXPECT_EQ(code_of(inside / "a.srt"), errc::output_not_writable);
  EXPECT_EQ(test::read_text(inside / "a.srt"), "mine");
  EXPECT_EQ(code_of(inside / "a.srt", true), "");
  EXPECT_EQ(test::read_text(inside / "a.srt"), "text");
}

TEST_F(OutputFile, NothingIsWrittenOutsideOrLeftBehind) {
  fs::create_directory_symlink(folder / "outside", inside / "link");
  fs::create_directory(inside / "sub");
  test::write_text(folder / "outside" / "target", "theirs");
  fs::create_symlink(folder / "outside" / "target", inside / "file_link");
  for (const fs::path& path :
       {folder / "outside" / "a", inside / ".." / "outside" / "a", inside / "link" / "a",
        inside / "none" / "a", inside / "..", inside / "a" / "", inside / "sub"}) {
    EXPECT_EQ(code_of(path, true), errc::output_not_writable) << path;
  }
  // A link is replaced, not followed.
  EXPECT_EQ(code_of(inside / "file_link", true), "");
  EXPECT_EQ(test::read_text(folder / "outside" / "target"), "theirs");
  EXPECT_FALSE(fs::exists(folder / "outside" / "a"));
  for (const auto& entry : fs::directory_iterator(inside)) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".scribed-"));
  }
}

}  // namespace
}  // namespace server
