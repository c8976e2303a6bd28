#include "server/jobs/job_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "server/base/random_id.h"

namespace server {
namespace {

namespace fs = std::filesystem;

double test_time = 1000;

class JobStoreTest : public testing::Test {
 protected:
  JobStoreTest() {
    folder_ = fs::temp_directory_path() / ("scribed-jobs-" + random_id());
    fs::create_directory(folder_);
    settings_ = {.file = folder_ / "jobs.sqlite", .now = [] { return test_time; }};
    test_time = 1000;
    reopen();
  }
  ~JobStoreTest() override {
    store_.reset();
    fs::remove_all(folder_);
  }

  // As after a crash: nothing is handed over but the file.
  void reopen() {
    store_.reset();
    store_ = open_job_store(settings_).value();
  }

  Job add(const std::string& owner = "ada", const std::string& key = "", bool detached = true) {
    JobRequest request{.model = "base",
                       .input = "/a.wav",
                       .owner = owner,
                       .idempotency_key = key,
                       .detached = detached};
    request.options.language = "de";
    request.decoder.track = 2;
    return store_->add(std::move(request)).value();
  }
  Job find(const std::string& id) { return store_->find(id, "ada").value().value(); }
  Job add_waited_for(const std::string& owner) { return add(owner, "", false); }
  std::string take(bool waited_for = false) {
    const auto job = store_->take(waited_for).value();
    return job ? job->id : "";
  }

  fs::path folder_;
  JobStoreSettings settings_;
  std::unique_ptr<JobStore> store_;
};

protocol::Segment segment(int id) {
  return {.id = id, .start = id * 2.0, .end = id * 2.0 + 2, .text = " Wort.", .tokens = {1, 2}};
}

TEST_F(JobStoreTest, KeepsAJobAsItWasAccepted) {
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

TEST_F(JobStoreTest, IsForItsOwnerAlone) {
  const Job job = add("ada");
  EXPECT_FALSE(store_->find(job.id, "bob").value());
  EXPECT_TRUE(store_->list("bob", 10, "").value().empty());
  EXPECT_EQ(store_->list("ada", 10, "").value().size(), 1u);
}

TEST_F(JobStoreTest, TheSameKeyOfTheSameOwnerIsTheSameJob) {
  const Job first = add("ada", "k");
  EXPECT_EQ(add("ada", "k").id, first.id);
  EXPECT_NE(add("bob", "k").id, first.id);
  EXPECT_NE(add("ada", "").id, add("ada", "").id);
}

TEST_F(JobStoreTest, ListsTheNewestFirstInPages) {
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

TEST_F(JobStoreTest, OwnersTakeTurns) {
  const std::string ada1 = add("ada").id, ada2 = add("ada").id, ada3 = add("ada").id;
  const std::string bob1 = add("bob").id, bob2 = add("bob").id;
  std::vector<std::string> order;
  for (int i = 0; i < 5; ++i) {
    test_time += 1;
    order.push_back(take());
  }
  EXPECT_EQ(order, (std::vector<std::string>{ada1, bob1, ada2, bob2, ada3}));
  EXPECT_EQ(take(), "");
  EXPECT_EQ(store_->count_waiting({}).value(), 0);
}

TEST_F(JobStoreTest, WhoHasFewerRunningComesFirst) {
  const std::string ada1 = add("ada").id, ada2 = add("ada").id, ada3 = add("ada").id;
  for (int i = 0; i < 2; ++i) {
    test_time += 1;
    take();
  }
  const std::string bob1 = add("bob").id, bob2 = add("bob").id;
  EXPECT_EQ(take(), bob1);
  test_time += 1;
  EXPECT_EQ(take(), bob2) << "ada has two, although bob's last one was begun later";
  EXPECT_EQ(take(), ada3);
}

TEST_F(JobStoreTest, OneOwnerCannotHoldEveryPlace) {
  settings_.max_running_per_owner = 2;
  reopen();
  const std::string ada1 = add("ada").id, ada2 = add("ada").id, ada3 = add("ada").id;
  EXPECT_EQ(take(), ada1);
  EXPECT_EQ(take(), ada2);
  EXPECT_EQ(take(), "");
  const std::string bob1 = add("bob").id;
  EXPECT_EQ(take(), bob1);
  EXPECT_EQ(take(), "");
  store_->finish(ada1, {}).value();
  EXPECT_EQ(take(), ada3);
}

TEST_F(JobStoreTest, JobsThatAClientWaitsForAreTakenByThemselves) {
  settings_.max_running_per_owner = 1;
  settings_.max_waited_for_per_owner = 2;
  reopen();
  const std::string file = add("ada").id;
  const std::string clip = add_waited_for("ada").id, next = add_waited_for("ada").id;
  const std::string third = add_waited_for("ada").id;
  EXPECT_EQ(take(), file);
  EXPECT_EQ(take(), "");
  EXPECT_EQ(take(true), clip);
  EXPECT_EQ(take(true), next) << "what runs for nobody does not count";
  EXPECT_EQ(take(true), "") << "each kind has a limit of its own";
  ASSERT_TRUE(store_->detach(third));
  store_->finish(file, {}).value();
  EXPECT_EQ(take(), third) << "its client has left it to itself";
}

TEST_F(JobStoreTest, SegmentsOutliveTheProcess) {
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

TEST_F(JobStoreTest, PositionAndDurationNeverGoBackAndSegmentsDoNotMoveThem) {
  const std::string id = add().id;
  take();
  ASSERT_TRUE(store_->set_progress(id, 6, 9, "de"));
  ASSERT_TRUE(store_->set_progress(id, 5, 0, "de"));
  const protocol::Segment later[] = {segment(4)};
  ASSERT_TRUE(store_->add_segments(id, later));
  EXPECT_EQ(find(id).position, 6);
  EXPECT_EQ(find(id).duration, 9);
}

TEST_F(JobStoreTest, TellsInWhichOrderJobsWillBeTaken) {
  for (const char* owner : {"bob", "eve", "bob"}) {
    add(owner);
    test_time += 1;
    EXPECT_NE(take(), "");
  }
  for (const char* owner : {"ada", "bob", "dan", "ada", "eve", "bob", "eve", "ada"}) add(owner);
  const auto order = store_->waiting().value();
  std::vector<std::string> taken;
  for (test_time += 1;; test_time += 1) {
    const std::string id = take();
    if (id.empty()) break;
    taken.push_back(id);
  }
  EXPECT_EQ(taken.size(), 8u);
  EXPECT_EQ(order, taken);
  EXPECT_EQ(store_->waiting().value(), std::vector<std::string>());
}

TEST_F(JobStoreTest, EndsOnce) {
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

TEST_F(JobStoreTest, AWaitingJobCanBeCancelled) {
  const std::string id = add().id;
  EXPECT_TRUE(store_->finish(id, {.state = JobState::cancelled}).value());
  EXPECT_EQ(take(), "");
}

TEST_F(JobStoreTest, WhatWasRunningWaitsAgainAndFailsInTheEnd) {
  const std::string id = add().id;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(take(), id);
    EXPECT_EQ(find(id).attempts, attempt);
    reopen();
    EXPECT_EQ(store_->recover().value(), 1);
  }
  const Job job = find(id);
  EXPECT_EQ(job.state, JobState::failed);
  ASSERT_TRUE(job.error);
  EXPECT_EQ(job.error->code, "too_many_attempts");
  EXPECT_EQ(store_->recover().value(), 0);
}

TEST_F(JobStoreTest, AJobThatGetsFurtherIsNotGivenUp) {
  const std::string id = add().id;
  for (int attempt = 1; attempt <= 10; ++attempt) {
    EXPECT_EQ(take(), id);
    const protocol::Segment one[] = {segment(attempt)};
    ASSERT_TRUE(store_->add_segments(id, one));
    reopen();
    store_->recover().value();
    EXPECT_EQ(find(id).state, JobState::queued);
  }
  EXPECT_EQ(find(id).attempts, 10);
}

TEST_F(JobStoreTest, ForgetsEndedJobsInTimeAndKnowsTheFilesOfOthers) {
  JobRequest upload{.input = "/spool/x", .input_is_ours = true, .owner = "ada"};
  const std::string ours = store_->add(std::move(upload)).value().id;
  const std::string theirs = add().id, waiting = add().id;
  const auto inputs = store_->inputs().value();
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].file, "/spool/x");
  EXPECT_EQ(inputs[0].owner, "ada");
  EXPECT_EQ(take(), ours);
  const protocol::Segment one[] = {segment(0)};
  ASSERT_TRUE(store_->add_segments(ours, one));
  store_->finish(ours, {JobState::done}).value();
  store_->finish(theirs, {JobState::done}).value();
  test_time += settings_.keep_s - 1;
  EXPECT_TRUE(store_->inputs().value().empty());
  EXPECT_EQ(store_->remove_expired().value(), 0);
  test_time += 1;
  EXPECT_EQ(store_->remove_expired().value(), 2);
  EXPECT_FALSE(store_->find(theirs, "ada").value());
  EXPECT_TRUE(store_->segments(ours, 0, 10).value().empty());
  EXPECT_TRUE(store_->find(waiting, "ada").value());
}

TEST_F(JobStoreTest, AJobWhoseClientWaitedEndsWithTheProcessUnlessItWasDetached) {
  const std::string waited =
      store_->add({.input = "/a.wav", .owner = "ada", .detached = false}).value().id;
  const std::string kept =
      store_->add({.input = "/b.wav", .owner = "ada", .detached = false}).value().id;
  ASSERT_TRUE(store_->detach(kept));
  reopen();
  store_->recover().value();
  EXPECT_EQ(find(waited).state, JobState::cancelled);
  EXPECT_EQ(take(), kept);
}

TEST_F(JobStoreTest, TurnsGoOnWhereTheClockIsSetBack) {
  const std::string ada1 = add("ada").id, ada2 = add("ada").id;
  const std::string bob1 = add("bob").id, bob2 = add("bob").id;
  test_time = 400'000'000;  // for a moment, at the start of the machine
  EXPECT_EQ(take(), ada1);
  test_time = 1000;
  EXPECT_EQ(take(), bob1);
  EXPECT_EQ(take(), ada2) << "ada's turn was before bob's, whatever the clock said";
  EXPECT_EQ(take(), bob2);
}

TEST_F(JobStoreTest, AJobThatEndedUnderAWrongClockIsNotKeptForEver) {
  const std::string id = add().id;
  test_time = 400'000'000;
  store_->finish(id, {JobState::done}).value();
  test_time = 2000;
  EXPECT_EQ(store_->remove_expired().value(), 0);
  test_time = 2000 + settings_.keep_s;
  EXPECT_EQ(store_->remove_expired().value(), 1);
}

// Bytes that this process has read from files.
std::size_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  std::size_t bytes = 0;
  file >> name >> bytes;
  return bytes;
}

TEST_F(JobStoreTest, LongOptionsAreReadForTheWorkAloneAndGoWithIt) {
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

TEST_F(JobStoreTest, AKeyBelongsToOneRequest) {
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

TEST_F(JobStoreTest, KeepsHowItWentAndWhoIsToBeTold) {
  JobRequest request{.input = "/a.wav", .owner = "ada", .webhook = "https://example.org/hook"};
  const std::string id = store_->add(std::move(request)).value().id;
  add();
  EXPECT_TRUE(store_->untold().value().empty());
  protocol::Transcript summary{.text = " Wort.", .segments = {segment(0)}, .device = "cpu"};
  summary.warnings = {"a warning"};
  summary.duration = 12;
  summary.language = "de";
  store_->finish(id, {.state = JobState::done, .summary = summary}).value();
  reopen();
  const auto untold = store_->untold().value();
  ASSERT_EQ(untold.size(), 1u);
  EXPECT_EQ(untold[0].summary.device, "cpu");
  EXPECT_EQ(untold[0].summary.warnings, summary.warnings);
  EXPECT_EQ(untold[0].summary.text, "");
  EXPECT_EQ(untold[0].duration, 12);
  EXPECT_EQ(untold[0].language, "de");
  ASSERT_TRUE(store_->set_told(id));
  EXPECT_TRUE(store_->untold().value().empty());
}

TEST_F(JobStoreTest, WhoIsToBeToldOfManyJobsHidesNobodyElse) {
  std::vector<std::string> ids;
  for (const char* owner : {"ada", "ada", "ada", "bob"}) {
    JobRequest request{.input = "/a.wav", .owner = owner, .webhook = "https://example.org/hook"};
    ids.push_back(store_->add(std::move(request)).value().id);
    store_->finish(ids.back(), {.state = JobState::done}).value();
  }
  std::vector<std::string> order;
  for (const Job& job : store_->untold().value()) order.push_back(job.id);
  EXPECT_EQ(order, (std::vector{ids[0], ids[3], ids[1], ids[2]}));
}

TEST_F(JobStoreTest, OfTooManyEndedJobsOfOneTheOldestGo) {
  settings_.max_kept_per_owner = 2;
  reopen();
  const std::string waiting = add().id;
  std::vector<std::string> ended;
  for (int i = 0; i < 3; ++i) {
    ended.push_back(add().id);
    store_->finish(ended.back(), {.state = JobState::done}).value();
  }
  store_->finish(add("bob").id, {.state = JobState::done}).value();
  EXPECT_EQ(store_->remove_expired().value(), 1);
  std::vector<std::string> left;
  for (const auto& job : store_->list("ada", 10, "").value()) left.push_back(job.id);
  EXPECT_EQ(left, (std::vector<std::string>{ended[2], ended[1], waiting}));
  EXPECT_EQ(store_->list("bob", 10, "").value().size(), 1u);
}

TEST_F(JobStoreTest, ARemovedJobIsGoneWithItsText) {
  const std::string id = add().id;
  take();
  const protocol::Segment one[] = {segment(0)};
  ASSERT_TRUE(store_->add_segments(id, one));
  ASSERT_TRUE(store_->remove(id));
  EXPECT_FALSE(store_->find(id, "ada").value());
  EXPECT_TRUE(store_->segments(id, 0, 10).value().empty());
}

TEST_F(JobStoreTest, IsPrivate) {
  struct ::stat status {};
  ASSERT_EQ(::stat(settings_.file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

// The other process must not inherit what SQLite knows here, so it is made before the store.
TEST_F(JobStoreTest, BelongsToOneProcess) {
  store_.reset();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    char go = 0;
    const bool told = ::read(ends[0], &go, 1) == 1;
    const auto store = open_job_store(settings_);
    ::_exit(told && !store && store.error().code == "store_busy" ? 0 : 1);
  }
  reopen();
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  int status = 0;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(JobStoreTest, AnEndedJobChangesNoMoreAndAnOrderlyStopIsNoAttempt) {
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

TEST_F(JobStoreTest, SaysWhatIsWrongWithTheFile) {
  std::ofstream(folder_ / "text") << "This is no database, and long enough to be looked at.";
  const auto damaged = open_job_store({.file = folder_ / "text"});
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, "damaged_store");
  EXPECT_EQ(exit_code(damaged.error().code), ExitCode::model);
  const auto missing = open_job_store({.file = folder_ / "none" / "jobs"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "io_error");
}

TEST_F(JobStoreTest, SaysThatTheFileIsDamagedOrOfALaterVersion) {
  for (int i = 0; i < 200; ++i) add();
  store_.reset();
  const auto copy = folder_ / "copy";
  fs::copy_file(settings_.file, copy);
  fs::resize_file(copy, 8192);
  auto damaged = open_job_store({.file = copy});
  const auto found = damaged ? (*damaged)->recover() : Result<int>(damaged.error());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, "damaged_store");
  SQLite::Database(settings_.file.string(), SQLite::OPEN_READWRITE)
      .exec("PRAGMA user_version = 99");
  const auto later = open_job_store(settings_);
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().code, "newer_store");
}

// A process that adds jobs, tells of each that was accepted, and is killed in the middle of it.
TEST_F(JobStoreTest, WhatWasAcceptedIsThereAfterAKill) {
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
    std::string told(26 * 5, '\0');
    std::size_t got = 0;
    while (got < told.size()) {
      const auto n = ::read(ends[0], told.data() + got, told.size() - got);
      ASSERT_GT(n, 0);
      got += static_cast<std::size_t>(n);
    }
    ::kill(child, SIGKILL);
    char more[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], more, sizeof more)) > 0;) {
      told.append(more, static_cast<std::size_t>(n));
    }
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    reopen();
    for (std::size_t at = 0; at + 26 <= told.size(); at += 26) {
      EXPECT_TRUE(store_->find(told.substr(at, 26), "ada").value()) << "in round " << round;
    }
    store_.reset();
  }
}

}  // namespace
}  // namespace server
