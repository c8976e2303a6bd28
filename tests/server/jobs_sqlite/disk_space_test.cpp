#include "server/jobs_sqlite/disk_space.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <string>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// Words of letters by chance, which the index of searches cannot shorten.
std::string words(std::size_t bytes) {
  static std::mt19937 random(1);
  std::string text;
  while (text.size() < bytes) {
    for (int i = 0; i < 7; ++i) text += static_cast<char>('a' + random() % 26);
    text += ' ';
  }
  return text;
}

std::string add_long_job(JobStore& store, int segments) {
  const Job job = store.submit({.owner = "ada"}, test::no_limits).value();
  const Claim claim = claim_of(store.claim({}).value().value());
  std::vector<protocol::Segment> said;
  for (int i = 0; i < segments; ++i) {
    said.push_back({.start = i * 1.0, .end = i + 1.0, .text = words(9'000)});
  }
  store.add_segments(claim, said).value();
  store.finish(claim, {JobState::done}).value();
  return job.id;
}

int tidied_up(JobStore& store) {
  int pieces = 1;
  while (store.tidy_up().value()) ++pieces;
  return pieces;
}

class DiskSpaceTest : public test::JobStoreTest {
 protected:
  std::uint64_t size() const { return fs::file_size(settings_.file); }
};

TEST_F(DiskSpaceTest, WhatIsRemovedIsGivenBackPieceByPiece) {
  const std::string kept = add_long_job(*store_, 2), long_one = add_long_job(*store_, 100);
  tidied_up(*store_);
  const auto before = size();
  ASSERT_GT(before, 4U << 20);
  ASSERT_TRUE(store_->remove(long_one));
  EXPECT_FALSE(store_->find(long_one, "ada").value()) << "nobody sees it any more";
  EXPECT_TRUE(store_->segments(long_one, 0, 1000).value().empty());
  EXPECT_GT(tidied_up(*store_), 8);
  EXPECT_LT(size(), 5U << 19);
  EXPECT_EQ(fs::file_size(settings_.file.string() + "-wal"), 0U);
  EXPECT_EQ(store_->segments(kept, 0, 10).value().size(), 2U);
}

TEST_F(DiskSpaceTest, ARemovalThatWasBrokenOffGoesOnAfterTheNextStart) {
  const std::string id = add_long_job(*store_, 100);
  ASSERT_TRUE(store_->remove(id));
  EXPECT_TRUE(store_->tidy_up().value());
  reopen();
  EXPECT_FALSE(store_->find(id, "ada").value());
  tidied_up(*store_);
  EXPECT_LT(size(), 5U << 19);
}

TEST_F(DiskSpaceTest, TheReserveTakesItsPlaceOnTheDiskUntilItIsReleased) {
  const fs::path file = folder_ / "reserve";
  const DiskReserve reserve(file);
  EXPECT_FALSE(reserve.release());
  reserve.make();
  EXPECT_EQ(fs::file_size(file), DiskReserve::bytes);
  EXPECT_TRUE(reserve.release());
  EXPECT_FALSE(fs::exists(file));
}

// On a disk of its own, in a process of its own; returns what it ends with.
template <class Work>
int on_small_disk(const fs::path& folder, const char* size, Work work) {
  fs::create_directory(folder);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto user = std::to_string(::geteuid()), group = std::to_string(::getegid());
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ::_exit(77);
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) ::_exit(77);
    if (::mount("none", folder.c_str(), "tmpfs", 0, size) != 0) ::_exit(77);
    work();
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Writes files until nothing more fits.
void fill(const fs::path& folder) {
  for (const std::size_t bytes : {1U << 20, 4096U, 1U}) {
    std::ofstream file(folder / ("filler-" + std::to_string(bytes)), std::ios::binary);
    while (file << std::string(bytes, 'x') << std::flush) continue;
  }
}

TEST_F(DiskSpaceTest, OnAFullDiskJobsCanBeRemovedAndTheStoreOpened) {
  const fs::path folder = folder_ / "small";
  const int ended = on_small_disk(folder, "size=100m", [&] {
    const JobStoreSettings settings{.file = folder / "jobs.sqlite",
                                    .now = [] { return test::test_time; }};
    auto store = open_job_store(settings).value();
    const std::string long_one = add_long_job(*store, 100), waiting = add_long_job(*store, 1);
    const std::string open = store->submit({.owner = "ada"}, test::no_limits).value().id;
    tidied_up(*store);
    fill(folder);
    const std::vector<TextEdit> edits{SetText{0, words(9'000)}};
    EXPECT_EQ(server::edit_text(directly(*store), {waiting, "ada"}, edits).error().error.code,
              errc::out_of_disk);
    store.reset();
    fill(folder);
    auto again = open_job_store(settings);
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_TRUE((*again)->recover());
    EXPECT_TRUE((*again)->cancel(open, "ada"));
    const auto removed = (*again)->remove(long_one);
    EXPECT_TRUE(removed) << removed.error().message;
    tidied_up(**again);
    EXPECT_TRUE(server::edit_text(directly(**again), {waiting, "ada"}, edits))
        << "there is room again";
    EXPECT_FALSE(fs::exists(folder / "jobs.reserve")) << "there is little";
    fs::remove(folder / "filler-1048576");
    tidied_up(**again);
    EXPECT_EQ(fs::file_size(folder / "jobs.reserve"), DiskReserve::bytes);
  });
  if (ended == 77) GTEST_SKIP() << "nothing can be mounted here";
  EXPECT_EQ(ended, 0);
}

}  // namespace
}  // namespace server
