#include "server/base/file_calls.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "platform/unique_fd.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class FileCalls : public testing::Test {
 protected:
  const test::TemporaryFolder folder_{};
  const platform::UniqueFd open_{
      ::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
};

TEST_F(FileCalls, FileGetsFreeName) {
  test::write_text(folder_ / "from", "text");
  EXPECT_EQ(rename_to_free(open_.get(), "from", "to"), 0);
  EXPECT_EQ(test::read_text(folder_ / "to"), "text");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "from"));
}

TEST_F(FileCalls, NameThatIsTakenIsLeftAlone) {
  test::write_text(folder_ / "from", "new");
  test::write_text(folder_ / "to", "old");
  EXPECT_EQ(rename_to_free(open_.get(), "from", "to"), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(test::read_text(folder_ / "to"), "old");
}

TEST_F(FileCalls, TwoNamesAreSwapped) {
  test::write_text(folder_ / "one", "1");
  test::write_text(folder_ / "other", "2");
  EXPECT_EQ(swap_names(open_.get(), "one", "other"), 0);
  EXPECT_EQ(test::read_text(folder_ / "one"), "2");
  EXPECT_EQ(test::read_text(folder_ / "other"), "1");
}

TEST_F(FileCalls, DataIsSyncedOrFailureIsTold) {
  test::write_text(folder_ / "file", "text");
  const platform::UniqueFd file(::open((folder_ / "file").c_str(), O_WRONLY | O_CLOEXEC));
  EXPECT_EQ(sync_data(file.get()), 0);
  EXPECT_EQ(sync_data(-1), -1);
  EXPECT_EQ(errno, EBADF);
}

}  // namespace
}  // namespace server
