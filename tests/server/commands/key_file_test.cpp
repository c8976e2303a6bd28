#include "server/commands/key_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

constexpr char one_key[] = "ada 0123456789abcdef0123456789abcdef\n";

Result<void> replace(const std::filesystem::path& file, const std::string& text) {
  return edit_key_file(file, [&](std::string_view) { return Result<std::string>(text); });
}

mode_t mode_of(const std::filesystem::path& file) {
  struct ::stat status {};
  EXPECT_EQ(::stat(file.c_str(), &status), 0);
  return status.st_mode & 07777;
}

class KeyFile : public ::testing::Test {
 protected:
  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "keys";
};

TEST_F(KeyFile, ANewOneIsForItsOwnerAlone) {
  ASSERT_TRUE(replace(file_, one_key));
  EXPECT_EQ(mode_of(file_), 0600U);
  EXPECT_EQ(test::read_text(file_), one_key);
}

TEST_F(KeyFile, AnEditSeesWhatIsThere) {
  test::write_text(file_, one_key);
  std::string seen;
  const auto done = edit_key_file(file_, [&](std::string_view text) {
    seen = text;
    return Result<std::string>(std::string(text) + "# more\n");
  });
  ASSERT_TRUE(done);
  EXPECT_EQ(seen, one_key);
  EXPECT_EQ(test::read_text(file_), std::string(one_key) + "# more\n");
}

TEST_F(KeyFile, KeepsTheGroupsRightToReadButNotEverybodys) {
  test::write_text(file_, one_key);
  ::chmod(file_.c_str(), 0644);
  ASSERT_TRUE(replace(file_, one_key));
  EXPECT_EQ(mode_of(file_), 0640U);
}

TEST_F(KeyFile, StaysAsItIsWhereTheNewTextIsNoneForAServer) {
  test::write_text(file_, one_key);
  for (const char* text : {"", "# nobody\n", "ada short\n", "a b c d\n"}) {
    const auto done = replace(file_, text);
    ASSERT_FALSE(done) << text;
    EXPECT_EQ(done.error().code, errc::usage) << text;
  }
  EXPECT_EQ(test::read_text(file_), one_key);
}

TEST_F(KeyFile, StaysAsItIsWhereTheEditFails) {
  test::write_text(file_, one_key);
  const auto done = edit_key_file(file_, [](std::string_view) {
    return Result<std::string>(Error{errc::usage, "no", ""});
  });
  EXPECT_FALSE(done);
  EXPECT_EQ(test::read_text(file_), one_key);
}

TEST_F(KeyFile, OfRootBelongsToTheOwnerOfItsFolder) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_TRUE(replace(file_, one_key));
  EXPECT_TRUE(is_for_root_alone(file_));
  std::filesystem::remove(file_);
  ASSERT_EQ(::chown(folder_.path().c_str(), 4321, 1234), 0);
  // Root takes the rights of the owner for good: that is for a process of its own.
  const pid_t child = ::fork();
  if (child == 0) ::_exit(replace(file_, one_key) ? 0 : 1);
  int ended = 0;
  ASSERT_EQ(::waitpid(child, &ended, 0), child);
  ASSERT_TRUE(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
  struct ::stat status {};
  ASSERT_EQ(::stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 4321U);
  EXPECT_EQ(mode_of(file_), 0600U);
  EXPECT_FALSE(is_for_root_alone(file_));
}

TEST_F(KeyFile, OfRootIsForAnotherUserByItsGroup) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  test::write_text(file_, one_key);
  ASSERT_EQ(::chown(file_.c_str(), 0, 1234), 0);
  ASSERT_EQ(::chmod(file_.c_str(), 0640), 0);
  ASSERT_TRUE(replace(file_, one_key));
  EXPECT_FALSE(is_for_root_alone(file_));
  ASSERT_EQ(::chmod(file_.c_str(), 0600), 0);
  EXPECT_TRUE(is_for_root_alone(file_));
}

TEST_F(KeyFile, LeavesNothingBeside) {
  ASSERT_TRUE(replace(file_, one_key));
  ASSERT_FALSE(replace(file_, ""));
  const auto entries = std::filesystem::directory_iterator(folder_.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST_F(KeyFile, ALinkToItStaysALink) {
  test::write_text(file_, one_key);
  const auto link = folder_ / "link";
  std::filesystem::create_symlink(file_, link);
  ASSERT_TRUE(replace(link, std::string(one_key) + "\n"));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(test::read_text(file_), std::string(one_key) + "\n");
}

TEST_F(KeyFile, WithoutItsFolderItCannotBeWritten) {
  const auto done = replace(folder_ / "none" / "keys", one_key);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, errc::output_not_writable);
}

}  // namespace
}  // namespace server
