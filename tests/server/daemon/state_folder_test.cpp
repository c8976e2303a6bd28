#include "server/daemon/state_folder.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;

class StateFolderTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    test::write_text(folder_ / name, text);
  }

  test::TemporaryFolder root_{};
  fs::path folder_ = root_ / "parent" / "state";
  std::string id_ = std::string(26, 'a');
};

TEST_F(StateFolderTest, ANewOneIsForItsUserAlone) {
  ASSERT_TRUE(prepare_state_folder(folder_));
  EXPECT_EQ(fs::status(folder_).permissions(), fs::perms::owner_all);
  EXPECT_TRUE(prepare_state_folder(folder_));
}

TEST_F(StateFolderTest, AFolderOfSomebodysOwnIsRefusedAndLeftAlone) {
  for (const char* file : {"inputs/interview.wav", "uploads/photo.jpg"}) {
    write(file, "mine");
    const auto refused = prepare_state_folder(folder_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::bad_config);
    EXPECT_NE(refused.error().message.find(file), std::string::npos) << refused.error().message;
    EXPECT_EQ(test::read_text(folder_ / file), "mine");
    fs::remove(folder_ / file);
  }
}

TEST_F(StateFolderTest, OneWithJobsOrOnlyFilesOfOursIsTaken) {
  write("inputs/" + id_, "left over");
  write("uploads/" + id_ + ".json", "{}");
  write("notes.txt", "beside it");
  EXPECT_TRUE(prepare_state_folder(folder_));
  write("inputs/interview.wav", "mine");
  write("jobs.sqlite", "");
  EXPECT_TRUE(prepare_state_folder(folder_));
}

TEST_F(StateFolderTest, SaysWhereItCannotBe) {
  test::write_text(root_ / "file", "");
  const auto refused = prepare_state_folder(root_ / "file" / "state");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::io_error);
}

TEST_F(StateFolderTest, DamagedJobsAreKeptWithTheirRecordings) {
  write("jobs.sqlite", "damaged");
  write("jobs.sqlite-wal", "log");
  write("inputs/" + id_, "sound");
  write("uploads/" + id_, "upload");
  const auto aside = put_jobs_aside(folder_);
  ASSERT_TRUE(aside) << aside.error().message;
  EXPECT_EQ(aside->parent_path(), folder_);
  EXPECT_EQ(test::read_text(*aside / "jobs.sqlite"), "damaged");
  EXPECT_EQ(test::read_text(*aside / "jobs.sqlite-wal"), "log");
  EXPECT_EQ(test::read_text(*aside / "inputs" / id_), "sound");
  EXPECT_FALSE(fs::exists(folder_ / "jobs.sqlite"));
  EXPECT_FALSE(fs::exists(folder_ / "inputs"));
  EXPECT_TRUE(fs::exists(folder_ / "uploads" / id_)) << "uploads need no database";
}

}  // namespace
}  // namespace server
