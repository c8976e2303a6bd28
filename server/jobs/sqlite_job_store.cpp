#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "platform/unique_fd.h"
#include "server/base/owners_turn.h"
#include "server/base/random_id.h"
#include "server/jobs/job_json.h"
#include "server/jobs/job_rows.h"
#include "server/jobs/job_slice.h"
#include "server/jobs/job_store.h"
#include "server/jobs/owner_use.h"
#include "server/jobs/queue_order.h"
#include "server/jobs/schema.h"
#include "server/jobs/store_error.h"
#include "server/jobs/store_upkeep.h"

namespace server {
namespace {

double system_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// A job is on the disk, or in memory while its client waits for it; home_of() tells which.
class SqliteJobStore final : public JobStore {
 public:
  SqliteJobStore(const JobStoreSettings& settings, SQLite::Database db)
      : settings_(settings),
        now_(settings.now ? settings.now : system_now),
        db_(std::move(db)),
        numbers_(db_.execAndGet("SELECT coalesce(max(seq), 0) FROM main.sqlite_sequence "
                                "WHERE name = 'jobs'")
                     .getInt64()),
        turns_(db_.execAndGet("SELECT coalesce(max(turn), 0) FROM main.jobs").getInt64()) {}

  Result<Job> add(JobRequest request) override {
    return attempt<Job>([&]() -> Result<Job> {
      if (auto known = find_by_key(request)) {
        if (known->request.fingerprint == request.fingerprint) return *std::move(known);
        return Error{errc::key_reused, "this idempotency key was used for another request",
                     "Use a new key for each new request."};
      }
      const char* home = request.detached ? on_disk : in_memory;
      Job job{.id = random_id(), .request = std::move(request), .created = now_()};
      if (job.request.live) {
        job.state = JobState::running;
        job.attempts = 1;
        job.started = job.created;
      }
      SQLite::Transaction transaction(db_);
      run(fmt::format("INSERT INTO {}.jobs (number, id, owner, key, state, request, created, "
                      "detached, keep_s, attempts, started) "
                      "VALUES (?, ?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?)",
                      home),
          numbers_ + 1, job.id, job.request.owner, job.request.idempotency_key,
          number_of(job.state), encode(job.request), job.created, job.request.detached ? 1 : 0,
          job.request.keep_results_s.value_or(0), job.attempts, job.started);
      run(fmt::format("INSERT INTO {}.options VALUES (?, ?)", home), numbers_ + 1,
          encode(job.request.options));
      transaction.commit();
      ++numbers_;
      return job;
    });
  }

  Result<bool> knows_key(const std::string& owner, const std::string& key) override {
    return attempt<bool>(
        [&] { return find_by_key({.owner = owner, .idempotency_key = key}).has_value(); });
  }

  Result<std::optional<Job>> find(const std::string& id,
                                  const std::optional<std::string>& owner) override {
    return attempt<std::optional<Job>>([&] {
      SQLite::Statement query(
          db_, fmt::format("SELECT * FROM all_jobs WHERE id = ?1 AND {}", is_of(owner)));
      SQLite::bind(query, id, owner.value_or(""));
      return read_first(query);
    });
  }

  Result<std::vector<Job>> list(const std::optional<std::string>& owner, int limit,
                                const std::string& before) override {
    return attempt<std::vector<Job>>([&]() -> Result<std::vector<Job>> {
      if (!before.empty() && !number_of_job(db_, before, owner)) return no_such_place(before);
      SQLite::Statement query(
          db_, fmt::format("SELECT * FROM all_jobs WHERE {} AND (?3 = '' OR number < "
                           "(SELECT number FROM all_jobs WHERE id = ?3)) "
                           "ORDER BY number DESC LIMIT ?1",
                           is_of(owner)));
      SQLite::bind(query, limit, owner.value_or(""), before);
      return read_all(query);
    });
  }

  Result<JobSlice> slice(const std::optional<std::string>& owner, const JobFilter& filter,
                         const JobPlace& behind, int size) override {
    return attempt<JobSlice>([&] { return slice_of_jobs(db_, owner, filter, behind, size); });
  }

  Result<std::vector<protocol::Segment>> segments(const std::string& id, int first,
                                                  int limit) override {
    return attempt<std::vector<protocol::Segment>>(
        [&] { return read_segments(db_, home_of(id), id, first, limit); });
  }

  Result<void> set_speaker_names(const std::string& id,
                                 const protocol::SpeakerNames& names) override {
    return attempt<void>([&] {
      run(fmt::format("UPDATE {}.jobs SET speaker_names = ? WHERE id = ?", home_of(id)),
          encode(names), id);
    });
  }

  Result<std::optional<Job>> take(bool waited_for) override {
    return attempt<std::optional<Job>>([&]() -> std::optional<Job> {
      const char* home = waited_for ? in_memory : on_disk;
      const auto owners = waiting_owners(db_, home);
      const auto* turn = owners_turn(owners, waited_for ? settings_.max_waited_for_per_owner
                                                        : settings_.max_running_per_owner);
      if (!turn) return std::nullopt;
      SQLite::Statement query(db_,
                              fmt::format("UPDATE {}.jobs SET state = ?, attempts = attempts + 1, "
                                          "attempts_without_progress = attempts_without_progress + "
                                          "1, started = ?, turn = ? WHERE number = ? "
                                          "RETURNING *",
                                          home));
      SQLite::bind(query, number_of(JobState::running), now_(), turns_ + 1, turn->first);
      auto job = read_changed(query);
      if (!job) return job;
      ++turns_;
      read_options(db_, home, *job);
      return job;
    });
  }

  void set_most_running(int most, int most_waited_for) override {
    settings_.max_running_per_owner = most;
    settings_.max_waited_for_per_owner = most_waited_for;
  }

  Result<void> add_segments(const std::string& id,
                            std::span<const protocol::Segment> segments) override {
    return attempt<void>([&] {
      const char* home = home_of(id);
      SQLite::Transaction transaction(db_);
      for (const auto& segment : segments) {
        run(fmt::format("INSERT INTO {0}.segments SELECT id, segments, ? FROM {0}.jobs "
                        "WHERE id = ? AND state = ?",
                        home),
            encode(segment), id, number_of(JobState::running));
        run(fmt::format("UPDATE {}.jobs SET segments = segments + 1, "
                        "attempts_without_progress = iif(?1 > ?2, 0, attempts_without_progress) "
                        "WHERE id = ?3 AND state = ?4",
                        home),
            segment.end, segment.start, id, number_of(JobState::running));
      }
      transaction.commit();
    });
  }

  Result<void> set_progress(const std::string& id, double position, double duration,
                            const std::string& language) override {
    return attempt<void>([&] {
      run(fmt::format("UPDATE {}.jobs SET position = max(position, ?), "
                      "duration = max(duration, ?), language = ? WHERE id = ? AND state = ?",
                      home_of(id)),
          position, duration, language, id, number_of(JobState::running));
    });
  }

  Result<std::optional<Job>> finish(const std::string& id, const JobEnd& end) override {
    return attempt<std::optional<Job>>([&] {
      const char* home = home_of(id);
      SQLite::Transaction transaction(db_);
      SQLite::Statement update(
          db_, fmt::format("UPDATE {}.jobs SET state = ?1, finished = ?2, "
                           "expires = ?2 + iif(keep_s > 0, keep_s, ?3), "
                           "error = nullif(?4, ''), summary = ?5, duration = max(duration, ?9), "
                           "language = coalesce(nullif(?10, ''), language) "
                           "WHERE id = ?6 AND state IN (?7, ?8) RETURNING *",
                           home));
      SQLite::bind(update, number_of(end.state), now_(), settings_.keep_s,
                   end.error ? encode(*end.error) : std::string(), encode(end.summary), id,
                   number_of(JobState::queued), number_of(JobState::running), end.summary.duration,
                   end.summary.language);
      auto job = read_changed(update);
      if (job && !end.exclusive_turns.empty()) {
        job->segments = name_stored_speakers(db_, home, id, end.exclusive_turns);
      }
      drop_options(db_, home);
      transaction.commit();
      return job;
    });
  }

  Result<void> requeue(const std::string& id, bool counts) override {
    return attempt<void>([&] {
      run(fmt::format("UPDATE {}.jobs SET state = ?1, attempts = attempts - ?2, "
                      "attempts_without_progress = max(0, attempts_without_progress - ?2) WHERE id "
                      "= ?3 AND state = ?4",
                      home_of(id)),
          number_of(JobState::queued), counts ? 0 : 1, id, number_of(JobState::running));
    });
  }

  Result<void> detach(const std::string& id) override {
    return attempt<void>([&] {
      SQLite::Transaction transaction(db_);
      run("UPDATE memory.jobs SET detached = 1 WHERE id = ?", id);
      run("INSERT INTO main.jobs SELECT * FROM memory.jobs WHERE id = ?", id);
      run("INSERT INTO main.options SELECT * FROM memory.options WHERE job = "
          "(SELECT number FROM memory.jobs WHERE id = ?)",
          id);
      run("INSERT INTO main.segments SELECT * FROM memory.segments WHERE job = ?", id);
      run("DELETE FROM memory.jobs WHERE id = ?", id);
      transaction.commit();
    });
  }

  Result<void> remove(const std::string& id) override {
    return attempt<void>(
        [&] { run(fmt::format("DELETE FROM {}.jobs WHERE id = ?", home_of(id)), id); });
  }

  Result<void> set_delivered(const std::string& id) override {
    return attempt<void>([&] { run("UPDATE main.jobs SET delivered = 1 WHERE id = ?", id); });
  }

  Result<std::vector<KeptInput>> inputs() override {
    return attempt<std::vector<KeptInput>>([&] { return kept_inputs(db_); });
  }

  Result<std::vector<Job>> undelivered() override {
    return attempt<std::vector<Job>>([&] { return undelivered_jobs(db_); });
  }

  Result<int> recover() override {
    return attempt<int>([&] { return recover_jobs(db_, settings_, now_()); });
  }

  Result<int> remove_expired() override {
    return attempt<int>([&] { return remove_old_jobs(db_, settings_, now_()); });
  }

  Result<std::vector<std::string>> waiting() override {
    return attempt<std::vector<std::string>>([&] { return waiting_jobs(db_); });
  }

  Result<int> count_waiting(const std::optional<std::string>& owner) override {
    return attempt<int>([&] {
      SQLite::Statement query(
          db_, "SELECT count(*) FROM all_jobs WHERE state = ?1 AND (?2 OR owner = ?3)");
      SQLite::bind(query, number_of(JobState::queued), owner ? 0 : 1, owner.value_or(""));
      query.executeStep();
      return query.getColumn(0).getInt();
    });
  }

  Result<std::vector<std::filesystem::path>> back_up(const std::filesystem::path& file) override {
    return attempt<std::vector<std::filesystem::path>>([&] { return back_up_jobs(db_, file); });
  }

  Result<OwnerUse> use_of(const std::string& owner) override {
    return attempt<OwnerUse>([&] { return owner_use(db_, owner, now_()); });
  }

  Result<void> add_sound(const std::string& owner, double seconds) override {
    return attempt<void>([&] { count_sound(db_, owner, seconds, now_()); });
  }

 private:
  static int number_of(JobState state) { return static_cast<int>(state); }

  template <class T, class Work>
  Result<T> attempt(Work work) {
    try {
      if constexpr (std::is_void_v<T>) {
        work();
        return {};
      } else {
        return work();
      }
    } catch (const SQLite::Exception& exception) {
      // Clients may see this error, and need not know where the folder lies.
      return error_of(exception, settings_.file.filename());
    }
  }

  template <class... Values>
  void run(const std::string& sql, const Values&... values) {
    SQLite::Statement statement(db_, sql);
    SQLite::bind(statement, values...);
    statement.exec();
  }

  const char* home_of(const std::string& id) {
    SQLite::Statement query(db_, "SELECT 1 FROM memory.jobs WHERE id = ?");
    SQLite::bind(query, id);
    return query.executeStep() ? in_memory : on_disk;
  }

  std::optional<Job> find_by_key(const JobRequest& request) {
    if (request.idempotency_key.empty()) return std::nullopt;
    SQLite::Statement query(db_, "SELECT * FROM all_jobs WHERE owner = ? AND key = ?");
    SQLite::bind(query, request.owner, request.idempotency_key);
    return read_first(query);
  }

  JobStoreSettings settings_;
  double (*now_)();
  SQLite::Database db_;
  std::int64_t numbers_;  // the last number that a job has, on the disk or in memory
  std::int64_t turns_;    // how often take() has returned a job
};

}  // namespace

Result<std::unique_ptr<JobStore>> open_job_store(const JobStoreSettings& settings) {
  // SQLite gives its other files the mode of this one. The file is closed before SQLite locks it:
  // closing any descriptor of a file drops all locks that the process has on it.
  platform::UniqueFd file(
      ::open(settings.file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file) {
    return Error{"io_error", fmt::format("{}: {}", settings.file.string(), std::strerror(errno)),
                 "Check that its folder exists and may be written to."};
  }
  file.reset();
  try {
    SQLite::Database db(settings.file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    if (const auto prepared = prepare_job_database(db); !prepared) return prepared.error();
    return std::unique_ptr<JobStore>(std::make_unique<SqliteJobStore>(settings, std::move(db)));
  } catch (const SQLite::Exception& exception) {
    return error_of(exception, settings.file);
  }
}

}  // namespace server
