#include "server/inputs/file_ranges.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class FileRangesTest : public testing::Test {
 protected:
  FileRangesTest() { test::write_text(file_, "0123456789"); }

  const test::TemporaryFolder folder_{};
  const std::filesystem::path file_ = folder_ / "file", copy_ = folder_ / "copy";
};

TEST_F(FileRangesTest, ReadsWhatTheFileHasOfARange) {
  EXPECT_EQ(read_range(file_, {2, 3}), "234");
  EXPECT_EQ(read_range(file_, {8, 5}), "89");
  EXPECT_EQ(read_range(file_, {10, 5}), "");
}

TEST_F(FileRangesTest, CopiesARange) {
  ASSERT_TRUE(copy_range(file_, {2, 3}, copy_, {}));
  EXPECT_EQ(read_range(copy_, {0, 10}), "234");
  EXPECT_FALSE(copy_range(file_, {2, 3}, copy_, {})) << "it is there already";
  EXPECT_EQ(errno, EEXIST);
}

TEST_F(FileRangesTest, ARangeBeyondTheEndIsNoCopy) {
  EXPECT_FALSE(copy_range(file_, {8, 5}, copy_, {}));
  EXPECT_EQ(errno, EIO);
}

TEST_F(FileRangesTest, ACopyEndsWhenItIsToStop) {
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(copy_range(file_, {2, 3}, copy_, source.get_token()));
  EXPECT_EQ(errno, ECANCELED);
}

TEST_F(FileRangesTest, AFileThatIsNotThereIsAnError) {
  EXPECT_FALSE(read_range(folder_ / "none", {0, 1}));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(copy_range(folder_ / "none", {0, 1}, copy_, {}));
}

}  // namespace
}  // namespace server
