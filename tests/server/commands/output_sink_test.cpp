#include "server/commands/output_sink.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using test::TemporaryFolder;

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
  platform::UniqueFd read, write;
};

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(FileSink, AppearsWholeWithCommit) {
  const TemporaryFolder folder;
  auto sink = FileSink::create(folder / "out.txt").value();
  ASSERT_TRUE(sink->write("one "));
  ASSERT_TRUE(sink->write("two"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.txt"));
  ASSERT_TRUE(sink->commit());
  sink.reset();
  EXPECT_EQ(test::read_text(folder / "out.txt"), "one two");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(FileSink, LeavesWhatWasThereWithoutCommit) {
  const TemporaryFolder folder;
  test::write_text(folder / "out.txt", "old");
  auto sink = FileSink::create(folder / "out.txt").value();
  ASSERT_TRUE(sink->write("new"));
  sink.reset();
  EXPECT_EQ(test::read_text(folder / "out.txt"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(FileSink, WritesThroughASymbolicLink) {
  const TemporaryFolder folder;
  test::write_text(folder / "real.txt", "old");
  std::filesystem::create_symlink("real.txt", folder / "link.txt");
  auto sink = FileSink::create(folder / "link.txt").value();
  ASSERT_TRUE(sink->write("new"));
  ASSERT_TRUE(sink->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(test::read_text(folder / "real.txt"), "new");
}

TEST(FileSink, HasTheUsualPermissions) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(022);
  auto sink = FileSink::create(folder / "out.txt").value();
  ::umask(before);
  ASSERT_TRUE(sink->commit());
  struct stat info {};
  ASSERT_EQ(::stat((folder / "out.txt").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0644u);
}

TEST(FileSink, HasThePermissionsOfTheFileThatItReplaces) {
  const TemporaryFolder folder;
  for (const bool keeps_partial : {false, true}) {
    test::write_text(folder / "out.txt", "old");
    ASSERT_EQ(::chmod((folder / "out.txt").c_str(), 0600), 0);
    auto sink = open_output(folder / "out.txt", -1, keeps_partial).value();
    ASSERT_TRUE(sink->write("private"));
    ASSERT_TRUE(sink->commit());
    struct stat info {};
    ASSERT_EQ(::stat((folder / "out.txt").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U);
  }
}

// A folder like /tmp, in which somebody else has put something.
class SharedFolder : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
    ASSERT_EQ(::chmod(folder_.path().c_str(), 01777), 0);
    test::write_text(own_.path() / "mine.txt", "mine");
  }
  void give_away(const std::filesystem::path& path) {
    ASSERT_EQ(::lchown(path.c_str(), 65534, 65534), 0);
  }
  const TemporaryFolder folder_, own_;
};

TEST_F(SharedFolder, ALinkOfSomebodyElseIsNotFollowed) {
  std::filesystem::create_symlink(own_ / "mine.txt", folder_ / "talk.srt");
  std::filesystem::create_symlink("talk.srt", folder_ / "second.srt");
  give_away(folder_ / "talk.srt");
  for (const char* name : {"talk.srt", "second.srt"}) {
    for (const bool keeps_partial : {false, true}) {
      const auto sink = open_output(folder_ / name, -1, keeps_partial);
      ASSERT_FALSE(sink) << name;
      EXPECT_EQ(sink.error().code, errc::output_not_writable);
    }
  }
  EXPECT_EQ(test::read_text(own_ / "mine.txt"), "mine");
  std::filesystem::create_symlink(own_ / "mine.txt", folder_ / "own.srt");
  EXPECT_TRUE(open_output(folder_ / "own.srt", -1, false));
}

TEST_F(SharedFolder, APartialFileOfSomebodyElseIsNotWritten) {
  test::write_text(folder_ / "talk.srt.partial", "theirs");
  give_away(folder_ / "talk.srt.partial");
  EXPECT_FALSE(open_output(folder_ / "talk.srt", -1, true));
  EXPECT_EQ(test::read_text(folder_ / "talk.srt.partial"), "theirs");
}

TEST(FileSink, NeedsAFolderThatExists) {
  const TemporaryFolder folder;
  EXPECT_EQ(FileSink::create(folder / "none/out.txt").error().code, errc::output_not_writable);
}

TEST(FileSink, TakesNamesOfTheLongestLength) {
  const TemporaryFolder folder;
  const auto target = folder / std::string(255, 'a');
  auto sink = FileSink::create(target).value();
  ASSERT_TRUE(sink->write("text"));
  ASSERT_TRUE(sink->commit());
  EXPECT_EQ(test::read_text(target), "text");
}

TEST(OpenOutput, RefusesANameThatIsTooLongBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  EXPECT_EQ(open_output(folder / std::string(256, 'a'), -1).error().code,
            errc::output_not_writable);
}

TEST(PartialFileSink, HasItsNameWithCommit) {
  const TemporaryFolder folder;
  auto sink = PartialFileSink::create(folder / "out.srt").value();
  ASSERT_TRUE(sink->write("text"));
  EXPECT_EQ(test::read_text(folder / "out.srt.partial"), "text");
  ASSERT_TRUE(sink->commit());
  sink.reset();
  EXPECT_EQ(test::read_text(folder / "out.srt"), "text");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(PartialFileSink, StaysBesideWhatWasThereWithoutCommit) {
  const TemporaryFolder folder;
  test::write_text(folder / "out.srt", "old");
  auto sink = PartialFileSink::create(folder / "out.srt").value();
  ASSERT_TRUE(sink->write("new"));
  ASSERT_TRUE(sink->cut_short());
  sink.reset();
  EXPECT_EQ(test::read_text(folder / "out.srt"), "old");
  EXPECT_EQ(test::read_text(folder / "out.srt.partial"), "new");
}

TEST(PartialFileSink, LeavesNothingIfNothingWasWritten) {
  const TemporaryFolder folder;
  PartialFileSink::create(folder / "out.srt").value().reset();
  EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(PartialPath, IsNoLongerThanANameMayBe) {
  EXPECT_EQ(partial_path("x/talk.srt"), "x/talk.srt.partial");
  EXPECT_EQ(partial_path(std::string(255, 'a')).string(), std::string(247, 'a') + ".partial");
  std::string wide;  // 85 letters of three bytes
  for (int i = 0; i < 85; ++i) wide += "語";
  EXPECT_EQ(partial_path(wide).string(), wide.substr(0, 246) + ".partial");
}

TEST(OpenOutput, WritesIntoADeviceRatherThanReplacingIt) {
  auto sink = open_output("/dev/null", -1).value();
  ASSERT_TRUE(sink->write("text"));
  ASSERT_TRUE(sink->commit());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OpenOutput, NamesAFullDisk) {
  auto sink = open_output("/dev/full", -1).value();
  EXPECT_EQ(sink->write("text").error().code, errc::out_of_disk);
}

TEST(StreamSink, SaysThatItsReaderIsGone) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  pipe.read.reset();
  const int fd = pipe.write.get();
  StreamSink sink(std::move(pipe.write), fd, "out", -1);
  EXPECT_EQ(sink.write("text").error().code, reader_gone);
}

TEST(StreamSink, EndsWithANewLine) {
  Pipe pipe;
  const int fd = pipe.write.get();
  StreamSink sink(std::move(pipe.write), fd, "out", -1);
  ASSERT_TRUE(sink.write("{}"));
  ASSERT_TRUE(sink.commit());
  ASSERT_TRUE(sink.commit());
  char text[8] = {};
  EXPECT_EQ(::read(pipe.read.get(), text, sizeof text), 3);
  EXPECT_STREQ(text, "{}\n");
}

TEST(StreamSink, DropsItsBytesWhenInterruptedWhileTheReaderIsSlow) {
  Pipe pipe, interrupt;
  ASSERT_EQ(::write(interrupt.write.get(), "x", 1), 1);
  const int fd = pipe.write.get();
  StreamSink sink(std::move(pipe.write), fd, "out", interrupt.read.get());
  EXPECT_TRUE(sink.write(std::string(1024 * 1024, 'x')));  // more than a pipe holds
}

}  // namespace
}  // namespace server
