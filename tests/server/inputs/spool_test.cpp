#include "server/inputs/spool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <set>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;

class SpoolTest : public ::testing::Test {
 protected:
  int files() const {
    return static_cast<int>(std::distance(fs::directory_iterator(spool_.folder()), {}));
  }
  fs::path keep(const std::string& text) {
    auto file = spool_.create("ada", 0).value();
    file.write(text).value();
    file.sync().value();
    return file.keep();
  }

  test::TemporaryFolder root_{};
  Spool spool_ = Spool::open(root_ / "state" / "spool").value();
};

TEST_F(SpoolTest, FolderAndFilesAreForTheirUserAlone) {
  struct stat info {};
  ASSERT_EQ(::stat(spool_.folder().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  ASSERT_EQ(::stat(keep("x").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(SpoolTest, AFolderThatWasOpenIsClosed) {
  fs::permissions(spool_.folder(), fs::perms::all);
  ASSERT_TRUE(Spool::open(spool_.folder()));
  EXPECT_EQ(fs::status(spool_.folder()).permissions(), fs::perms::owner_all);
}

TEST_F(SpoolTest, WhatIsNotKeptIsRemoved) {
  {
    auto file = spool_.create("ada", 0).value();
    ASSERT_TRUE(file.write(std::string("half")));
    SpoolFile moved = std::move(file);
    EXPECT_EQ(moved.size(), 4U);
    EXPECT_EQ(files(), 1);
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(SpoolTest, WhatIsKeptStays) {
  EXPECT_EQ(test::read_text(keep("sound")), "sound");
  EXPECT_EQ(files(), 1);
}

TEST_F(SpoolTest, LargeFilesArriveWhole) {
  auto file = spool_.create("ada", 0).value();
  std::string expected;
  for (int i = 0; i < 18; ++i) {
    const std::string part(1 << 20, static_cast<char>('a' + i % 26));
    ASSERT_TRUE(file.write(part));
    expected += part;
  }
  EXPECT_EQ(file.size(), expected.size());
  EXPECT_TRUE(test::read_text(file.keep()) == expected);
}

TEST_F(SpoolTest, ALinkOutlivesItsOriginal) {
  const auto original = keep("sound");
  const auto link = spool_.link(original).value();
  fs::remove(original);
  EXPECT_EQ(test::read_text(link), "sound");
  EXPECT_EQ(spool_.link(original).error().code, errc::io_error);
}

TEST_F(SpoolTest, RemovesWhatNoJobNames) {
  const auto used = keep("used");
  keep("orphan");
  keep("orphan");
  const std::vector<fs::path> names{used, root_ / "elsewhere"};
  EXPECT_EQ(spool_.remove_orphans(names), 2);
  EXPECT_EQ(test::read_text(used), "used");
  EXPECT_EQ(files(), 1);
}

TEST_F(SpoolTest, LeavesFilesOfOthersAlone) {
  for (const char* name : {"interview.wav", "abc", "0123456789012345678901234.", ".hidden"}) {
    test::write_text(spool_.folder() / name, "mine");
  }
  keep("orphan");
  EXPECT_EQ(spool_.remove_orphans({}), 1);
  EXPECT_EQ(files(), 4);
}

TEST_F(SpoolTest, KnowsItsFilesWhereTheFolderWasMoved) {
  const auto used = keep("used");
  const std::vector<fs::path> names{"/elsewhere" / used.filename()};
  EXPECT_EQ(spool_.remove_orphans(names), 0);
}

TEST_F(SpoolTest, WhereOthersUseTheFolderNewFilesStay) {
  const auto old = keep("old"), fresh = keep("fresh");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(25));
  EXPECT_EQ(spool_.remove_orphans({}, std::chrono::hours(24)), 1);
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_EQ(files(), 1);
}

// Another thread closes removed files, and has closed all of them at its end.
TEST_F(SpoolTest, RemovedFilesAreClosedElsewhere) {
  const auto room = std::make_shared<DiskRoom>(DiskRoom::Limits{});
  const auto descriptors = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = descriptors();
  {
    const Spool spool =
        Spool::open(root_ / "closing", {.room = room, .closer = std::make_shared<FileCloser>()})
            .value();
    auto kept = spool.create("ada", 0).value();
    ASSERT_TRUE(kept.write(std::string(100, 'a')));
    EXPECT_TRUE(spool.remove(kept.keep()));
    auto dropped = std::optional(spool.create("ada", 0).value());
    ASSERT_TRUE(dropped->write(std::string(100, 'b')));
    dropped.reset();
    EXPECT_EQ(room->used(), 0U);
    EXPECT_TRUE(fs::is_empty(root_ / "closing"));
  }
  EXPECT_EQ(descriptors(), before);
}

TEST_F(SpoolTest, AFileThatOthersHaveRemovedIsNotKept) {
  auto file = spool_.create("ada", 0).value();
  ASSERT_TRUE(file.write(std::string("sound")));
  EXPECT_EQ(spool_.remove_orphans({}), 1);
  EXPECT_EQ(file.sync().error().code, errc::io_error);
}

TEST_F(SpoolTest, WhereOthersRemoveFilesTheyCountWhileTheyCome) {
  const auto room = std::make_shared<DiskRoom>(DiskRoom::Limits{});
  const Spool shared = Spool::open(root_ / "shared", {.room = room, .counts_kept = false}).value();
  auto file = shared.create("ada", 0).value();
  ASSERT_TRUE(file.write(std::string(100, 'a')));
  EXPECT_EQ(room->used_by("ada"), 100U);
  const auto kept = file.keep();
  EXPECT_EQ(room->used(), 0U);
  shared.adopt(kept, "ada");
  EXPECT_EQ(room->used(), 0U);
}

TEST_F(SpoolTest, NamesAreNotRepeated) {
  std::set<fs::path> names;
  for (int i = 0; i < 20; ++i) names.insert(keep(""));
  EXPECT_EQ(names.size(), 20U);
}

TEST_F(SpoolTest, AFailedWriteIsAnErrorAndLeavesNothing) {
  // The limit on file sizes simulates a full disk.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1024, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  {
    auto file = spool_.create("ada", 0).value();
    const auto written = file.write(std::string(4096, 'x'));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, errc::io_error);
    EXPECT_EQ(file.size(), 1024U) << "what fitted is counted";
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(files(), 0);
}

TEST_F(SpoolTest, WhatIsAnnouncedAndKeptCountsUntilItsLastNameIsGone) {
  const auto room = std::make_shared<DiskRoom>(DiskRoom::Limits{.total = 200, .per_owner = 100});
  const auto spool = Spool::open(root_ / "counted", {.room = room}).value();
  fs::path kept;
  {
    auto announced = spool.create("ada", 60).value();
    EXPECT_EQ(spool.create("ada", 60).error().code, errc::too_many_bytes);
    EXPECT_TRUE(spool.create("bob", 60)) << "it has room of its own";
    announced.write(std::string(10, 'x')).value();
    EXPECT_EQ(announced.write(std::string(91, 'x')).error().code, errc::too_many_bytes);
    kept = announced.keep();
  }
  EXPECT_EQ(room->used(), 10U) << "what came, not what was announced";
  const auto link = spool.link(kept).value();
  spool.remove(kept);
  EXPECT_EQ(room->used(), 10U);
  spool.remove(link);
  EXPECT_EQ(room->used(), 0U);
}

TEST_F(SpoolTest, WhatIsAnnouncedAndNotSentKeepsNobodyOut) {
  constexpr std::uint64_t most = 100 << 20;
  const auto room = std::make_shared<DiskRoom>(DiskRoom::Limits{.total = most});
  const auto spool = Spool::open(root_ / "announced", {.room = room}).value();
  const auto first = spool.create("ada", most).value();
  EXPECT_EQ(room->used(), most_bytes_ahead);
  EXPECT_TRUE(spool.create("bob", most - most_bytes_ahead));
  EXPECT_EQ(spool.create("bob", most).error().code, errc::out_of_disk) << "it cannot be whole now";
}

TEST_F(SpoolTest, WhatAnEarlierProcessKeptCountsAgain) {
  const auto file = keep("sound");
  const auto room = std::make_shared<DiskRoom>(DiskRoom::Limits{.per_owner = 9});
  const auto again = Spool::open(spool_.folder(), {.room = room}).value();
  again.adopt(file, "ada");
  EXPECT_EQ(again.create("ada", 5).error().code, errc::too_many_bytes);
  EXPECT_TRUE(again.create("ada", 4));
}

TEST(Spool, TellsItsPathToTheLogAlone) {
  const test::TemporaryFolder root;
  std::string logged;
  const auto log = [&](const Error& error) { logged = error.message; };
  const auto spool = Spool::open(root / "inputs", {.on_failure = log}).value();
  fs::remove(root / "inputs");
  const auto file = spool.create("ada", 0);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message.find(root.path().string()), std::string::npos);
  EXPECT_TRUE(file.error().message.starts_with("cannot make inputs/")) << file.error().message;
  EXPECT_NE(logged.find(root.path().string()), std::string::npos) << logged;
}

TEST(Spool, IsNotWhereALinkLeads) {
  const test::TemporaryFolder root;
  fs::create_directory(root / "victim");
  fs::permissions(root / "victim", fs::perms(0755));
  test::write_text(root / "victim" / std::string(26, 'a'), "an id, but not ours");
  fs::create_directory_symlink(root / "victim", root / "inputs");
  const auto spool = Spool::open(root / "inputs");
  ASSERT_FALSE(spool);
  EXPECT_NE(spool.error().message.find("is a link"), std::string::npos) << spool.error().message;
  EXPECT_EQ(fs::status(root / "victim").permissions(), fs::perms(0755));
  EXPECT_TRUE(fs::exists(root / "victim" / std::string(26, 'a')));
}

TEST(Spool, SaysWhereItCannotBe) {
  const test::TemporaryFolder root;
  test::write_text(root / "file", "");
  const auto spool = Spool::open(root / "file" / "spool");
  ASSERT_FALSE(spool);
  EXPECT_EQ(spool.error().code, errc::io_error);
  EXPECT_NE(spool.error().message.find("file/spool"), std::string::npos);
}

}  // namespace
}  // namespace server
