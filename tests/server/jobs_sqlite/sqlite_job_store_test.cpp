#include "server/jobs_sqlite/sqlite_job_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using test::segment;

class SqliteJobStore : public test::JobStoreTest {};

TEST_F(SqliteJobStore, KeepsAJobAsItWasAccepted) {
  const Job added = add();
  reopen();
  const Job job = find(added.id);
  EXPECT_EQ(job.state, JobState::queued);
  EXPECT_EQ(job.created, 1000);
  EXPECT_EQ(job.request.model, "base");
  EXPECT_EQ(job.request.options.language, "de");
  EXPECT_EQ(job.request.decoder.track, 2);
  EXPECT_FALSE(job.request.decoder.channel);
}

TEST_F(SqliteJobStore, IsForItsOwnerAlone) {
  const Job job = add("ada");
  EXPECT_FALSE(store_->find(job.id, "bob").value());
  EXPECT_TRUE(store_->list("bob", 10, "").value().empty());
  EXPECT_EQ(store_->list("ada", 10, "").value().size(), 1u);
}

TEST_F(SqliteJobStore, TheSameKeyOfTheSameOwnerIsTheSameJob) {
  const Job first = add("ada", "k");
  EXPECT_EQ(add("ada", "k").id, first.id);
  EXPECT_NE(add("bob", "k").id, first.id);
  EXPECT_NE(add("ada", "").id, add("ada", "").id);
}

TEST_F(SqliteJobStore, ListsTheNewestFirstInPages) {
  const std::string a = add().id, b = add().id, c = add().id;
  const auto page = store_->list("ada", 2, "").value();
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0].id, c);
  EXPECT_EQ(page[1].id, b);
  const auto rest = store_->list("ada", 2, b).value();
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].id, a);
  EXPECT_EQ(store_->list("ada", 2, "gone").error().code, errc::usage);
  EXPECT_EQ(store_->list("bob", 2, b).error().code, errc::usage);
}

TEST_F(SqliteJobStore, SegmentsOutliveTheProcess) {
  const std::string id = add().id;
  take();
  const protocol::Segment two[] = {segment(0), segment(1)};
  ASSERT_TRUE(store_->add_segments(id, two));
  const protocol::Segment third[] = {segment(2)};
  ASSERT_TRUE(store_->add_segments(id, third));
  ASSERT_TRUE(store_->set_progress(id, 6, 9, "de"));
  reopen();
  const Job job = find(id);
  EXPECT_EQ(job.segments, 3);
  EXPECT_EQ(job.position, 6);
  const auto page = store_->segments(id, 1, 1).value();
  ASSERT_EQ(page.size(), 1u);
  EXPECT_EQ(page[0], segment(1));
}

// Segments of an earlier process are named and cut like those that came later.
TEST_F(SqliteJobStore, NamesTheSpeakersOfAllSegmentsWhenAJobEnds) {
  const std::string id = add().id;
  take();
  protocol::Segment first = segment(0);
  first.text = " Ja. Nein.";
  first.words = {{0, 1, " Ja.", 1, 1}, {1, 2, " Nein.", 1, 1}};
  ASSERT_TRUE(store_->add_segments(id, std::vector{first}));
  reopen();
  ASSERT_TRUE(store_->recover());
  take();
  ASSERT_TRUE(store_->add_segments(id, std::vector{segment(1)}));
  JobEnd end;
  end.summary.turns = end.exclusive_turns = {{0, 1, "A"}, {1, 4, "B"}};
  EXPECT_EQ(store_->finish(id, end).value()->segments, 3);
  reopen();
  EXPECT_EQ(find(id).segments, 3);
  const auto named = store_->segments(id, 0, 10).value();
  ASSERT_EQ(named.size(), 3u);
  EXPECT_EQ(named[0].text + "|" + named[1].text, " Ja.| Nein.");
  EXPECT_EQ(named[0].speaker + named[1].speaker + named[2].speaker, "ABB");
  EXPECT_EQ(named[1].tokens, std::vector{2});
  EXPECT_EQ(named[2].id, 2);
}

TEST_F(SqliteJobStore, PositionAndDurationNeverGoBackAndSegmentsDoNotMoveThem) {
  const std::string id = add().id;
  take();
  ASSERT_TRUE(store_->set_progress(id, 6, 9, "de"));
  ASSERT_TRUE(store_->set_progress(id, 5, 0, "de"));
  const protocol::Segment later[] = {segment(4)};
  ASSERT_TRUE(store_->add_segments(id, later));
  EXPECT_EQ(find(id).position, 6);
  EXPECT_EQ(find(id).duration, 9);
}

TEST_F(SqliteJobStore, EndsOnce) {
  const std::string id = add().id;
  take();
  const JobEnd failed{JobState::failed, Error{"worker_died", "it died", "try again"}};
  const auto ended = store_->finish(id, failed).value();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->state, JobState::failed);
  EXPECT_FALSE(store_->finish(id, {JobState::done}).value());
  const Job job = find(id);
  EXPECT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error, failed.error);
  EXPECT_EQ(job.finished, 1000);
}

TEST_F(SqliteJobStore, AWaitingJobCanBeCancelled) {
  const std::string id = add().id;
  EXPECT_TRUE(store_->finish(id, {.state = JobState::cancelled}).value());
  EXPECT_EQ(take(), "");
}

// Returns the bytes that this process has read from files.
std::size_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  std::size_t bytes = 0;
  file >> name >> bytes;
  return bytes;
}

TEST_F(SqliteJobStore, LongOptionsAreReadForTheWorkAloneAndGoWithIt) {
  constexpr std::size_t long_text = 1 << 20;
  constexpr int jobs = 20;
  for (int i = 0; i < jobs; ++i) {
    JobRequest request{.input = "/a.wav", .owner = "ada"};
    request.options.hotwords = std::string(long_text, 'x');
    request.options.task = protocol::Task::translate;
    ASSERT_TRUE(store_->add(std::move(request)));
  }
  reopen();
  const auto before = bytes_read();
  const auto listed = store_->list("ada", 100, "").value();
  ASSERT_EQ(listed.size(), static_cast<std::size_t>(jobs));
  EXPECT_EQ(listed[0].request.options.task, protocol::Task::translate);
  ASSERT_TRUE(store_->find(listed[0].id, "ada").value());
  EXPECT_EQ(store_->inputs().value().size(), 0u);
  EXPECT_LT(bytes_read() - before, long_text);
  const auto taken = store_->take(false).value().value();
  EXPECT_EQ(taken.request.options.hotwords.size(), long_text);
  for (const auto& job : listed) store_->finish(job.id, {JobState::done}).value();
  store_.reset();
  SQLite::Database db(settings_.file.string());
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM options").getInt(), 0);
  EXPECT_LT(db.execAndGet("SELECT max(length(request)) FROM jobs").getInt(), 4096);
}

TEST_F(SqliteJobStore, AKeyBelongsToOneRequest) {
  const auto submit = [this](const char* fingerprint) {
    JobRequest request{.input = "/a.wav", .owner = "ada", .idempotency_key = "k"};
    request.fingerprint = fingerprint;
    return store_->add(std::move(request));
  };
  const std::string id = submit("one").value().id;
  EXPECT_EQ(submit("one").value().id, id);
  const auto other = submit("two");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, errc::key_reused);
}

TEST_F(SqliteJobStore, ARemovedJobIsGoneWithItsText) {
  const std::string id = add().id;
  take();
  const protocol::Segment one[] = {segment(0)};
  ASSERT_TRUE(store_->add_segments(id, one));
  ASSERT_TRUE(store_->remove(id));
  EXPECT_FALSE(store_->find(id, "ada").value());
  EXPECT_TRUE(store_->segments(id, 0, 10).value().empty());
}

TEST_F(SqliteJobStore, IsPrivate) {
  struct ::stat status {};
  ASSERT_EQ(::stat(settings_.file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(SqliteJobStore, AnEndedJobChangesNoMoreAndAnOrderlyStopIsNoAttempt) {
  const std::string id = add().id;
  take();
  ASSERT_TRUE(store_->requeue(id, false));
  EXPECT_EQ(find(id).attempts, 0);
  take();
  store_->finish(id, {JobState::cancelled}).value();
  const protocol::Segment late[] = {segment(0)};
  ASSERT_TRUE(store_->add_segments(id, late));
  ASSERT_TRUE(store_->set_progress(id, 5, 6, "de"));
  EXPECT_EQ(find(id).segments, 0);
  EXPECT_EQ(find(id).position, 0);
}

// A child process adds jobs, reports each that was accepted, and is killed meanwhile.
TEST_F(SqliteJobStore, WhatWasAcceptedIsThereAfterAKill) {
  store_.reset();
  for (int round = 0; round < 10; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto store = open_job_store(settings_);
      while (store) {
        const auto job = (*store)->add({.owner = "ada"});
        if (!job || ::write(ends[1], job->id.data(), job->id.size()) < 0) ::_exit(1);
      }
      ::_exit(1);
    }
    ::close(ends[1]);
    std::string ids(26 * 5, '\0');
    std::size_t got = 0;
    while (got < ids.size()) {
      const auto n = ::read(ends[0], ids.data() + got, ids.size() - got);
      ASSERT_GT(n, 0);
      got += static_cast<std::size_t>(n);
    }
    ::kill(child, SIGKILL);
    char more[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], more, sizeof more)) > 0;) {
      ids.append(more, static_cast<std::size_t>(n));
    }
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    reopen();
    for (std::size_t at = 0; at + 26 <= ids.size(); at += 26) {
      EXPECT_TRUE(store_->find(ids.substr(at, 26), "ada").value()) << "in round " << round;
    }
    store_.reset();
  }
}

}  // namespace
}  // namespace server
