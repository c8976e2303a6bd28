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
#include "server/jobs/job_store.h"
#include "server/jobs/schema.h"
#include "server/jobs/store_error.h"

namespace server {
namespace {

double system_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

class SqliteJobStore final : public JobStore {
 public:
  SqliteJobStore(const JobStoreSettings& settings, SQLite::Database db)
      : settings_(settings),
        now_(settings.now ? settings.now : system_now),
        db_(std::move(db)),
        turns_(db_.execAndGet("SELECT coalesce(max(turn), 0) FROM jobs").getInt64()) {}

  Result<Job> add(JobRequest request) override {
    return attempt<Job>([&]() -> Result<Job> {
      SQLite::Transaction transaction(db_);
      if (auto known = find_by_key(request)) {
        if (known->request.fingerprint == request.fingerprint) return *std::move(known);
        return Error{errc::key_reused, "this idempotency key was used for another request",
                     "Use a new key for each new request."};
      }
      Job job{.id = random_id(), .request = std::move(request), .created = now_()};
      SQLite::Statement insert(
          db_,
          "INSERT INTO jobs (id, owner, key, state, request, created, detached) "
          "VALUES (?, ?, nullif(?, ''), ?, ?, ?, ?)");
      SQLite::bind(insert, job.id, job.request.owner, job.request.idempotency_key,
                   static_cast<int>(job.state), encode(job.request), job.created,
                   job.request.detached ? 1 : 0);
      insert.exec();
      SQLite::Statement keep(db_, "INSERT INTO options VALUES (last_insert_rowid(), ?)");
      SQLite::bind(keep, encode(job.request.options));
      keep.exec();
      transaction.commit();
      return job;
    });
  }

  Result<bool> knows_key(const std::string& owner, const std::string& key) override {
    return attempt<bool>(
        [&] { return find_by_key({.owner = owner, .idempotency_key = key}).has_value(); });
  }

  Result<std::optional<Job>> find(const std::string& id, const std::string& owner) override {
    return attempt<std::optional<Job>>([&] {
      SQLite::Statement query(db_, "SELECT * FROM jobs WHERE id = ? AND owner = ?");
      SQLite::bind(query, id, owner);
      return read_first(query);
    });
  }

  Result<std::vector<Job>> list(const std::string& owner, int limit,
                                const std::string& before) override {
    return attempt<std::vector<Job>>([&]() -> Result<std::vector<Job>> {
      if (!before.empty() && !has(before, owner)) {
        return Error{errc::usage, fmt::format("There is no job {} to go on behind.", before),
                     "It was deleted, or has expired: begin with the first page again."};
      }
      SQLite::Statement query(
          db_,
          "SELECT * FROM jobs WHERE owner = ?1 AND (?3 = '' OR number < "
          "(SELECT number FROM jobs WHERE id = ?3)) ORDER BY number DESC LIMIT ?2");
      SQLite::bind(query, owner, limit, before);
      return read_all(query);
    });
  }

  Result<std::vector<protocol::Segment>> segments(const std::string& id, int first,
                                                  int limit) override {
    return attempt<std::vector<protocol::Segment>>([&] {
      SQLite::Statement query(db_,
                              "SELECT segment FROM segments WHERE job = ? AND number >= ? "
                              "ORDER BY number LIMIT ?");
      SQLite::bind(query, id, first, limit);
      std::vector<protocol::Segment> found;
      while (query.executeStep()) {
        if (auto segment = decode_segment(query.getColumn(0).getString())) {
          found.push_back(*std::move(segment));
        }
      }
      return found;
    });
  }

  Result<std::optional<Job>> take(bool waited_for) override {
    return attempt<std::optional<Job>>([&]() -> std::optional<Job> {
      const auto owners = waiting_owners(db_, waited_for);
      const auto* turn = owners_turn(owners, waited_for ? settings_.max_waited_for_per_owner
                                                        : settings_.max_running_per_owner);
      if (!turn) return std::nullopt;
      SQLite::Statement query(
          db_,
          "UPDATE jobs SET state = ?, attempts = attempts + 1, "
          "fruitless = fruitless + 1, started = ?, turn = ? WHERE number = ? RETURNING *");
      SQLite::bind(query, static_cast<int>(JobState::running), now_(), turns_ + 1, turn->first);
      auto job = read_changed(query);
      if (!job) return job;
      ++turns_;
      read_options(db_, *job);
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
      SQLite::Transaction transaction(db_);
      for (const auto& segment : segments) {
        SQLite::Statement insert(db_,
                                 "INSERT INTO segments SELECT id, segments, ? FROM jobs "
                                 "WHERE id = ? AND state = ?");
        SQLite::bind(insert, encode(segment), id, static_cast<int>(JobState::running));
        insert.exec();
        SQLite::Statement count(
            db_,
            "UPDATE jobs SET segments = segments + 1, "
            "fruitless = iif(?1 > ?2, 0, fruitless) WHERE id = ?3 AND state = ?4");
        SQLite::bind(count, segment.end, segment.start, id, static_cast<int>(JobState::running));
        count.exec();
      }
      transaction.commit();
    });
  }

  Result<void> set_progress(const std::string& id, double position, double duration,
                            const std::string& language) override {
    return attempt<void>([&] {
      SQLite::Statement update(db_,
                               "UPDATE jobs SET position = max(position, ?), "
                               "duration = max(duration, ?), language = ? "
                               "WHERE id = ? AND state = ?");
      SQLite::bind(update, position, duration, language, id, static_cast<int>(JobState::running));
      update.exec();
    });
  }

  Result<std::optional<Job>> finish(const std::string& id, const JobEnd& end) override {
    return attempt<std::optional<Job>>([&] {
      SQLite::Transaction transaction(db_);
      SQLite::Statement update(
          db_,
          "UPDATE jobs SET state = ?1, finished = ?2, expires = ?3, error = nullif(?4, ''), "
          "summary = ?5, duration = max(duration, ?9), "
          "language = coalesce(nullif(?10, ''), language) "
          "WHERE id = ?6 AND state IN (?7, ?8) RETURNING *");
      SQLite::bind(update, static_cast<int>(end.state), now_(), now_() + settings_.keep_s,
                   end.error ? encode(*end.error) : std::string(), encode(end.summary), id,
                   static_cast<int>(JobState::queued), static_cast<int>(JobState::running),
                   end.summary.duration, end.summary.language);
      auto job = read_changed(update);
      drop_options(db_);
      transaction.commit();
      return job;
    });
  }

  Result<void> requeue(const std::string& id, bool counts) override {
    return attempt<void>([&] {
      SQLite::Statement update(db_,
                               "UPDATE jobs SET state = ?1, attempts = attempts - ?2, "
                               "fruitless = max(0, fruitless - ?2) WHERE id = ?3 AND state = ?4");
      SQLite::bind(update, static_cast<int>(JobState::queued), counts ? 0 : 1, id,
                   static_cast<int>(JobState::running));
      update.exec();
    });
  }

  Result<void> detach(const std::string& id) override {
    return change("UPDATE jobs SET detached = 1 WHERE id = ?", id);
  }

  Result<void> remove(const std::string& id) override {
    return change("DELETE FROM jobs WHERE id = ?", id);
  }

  Result<void> set_told(const std::string& id) override {
    return change("UPDATE jobs SET told = 1 WHERE id = ?", id);
  }

  Result<std::vector<KeptInput>> inputs() override {
    return attempt<std::vector<KeptInput>>([&] {
      SQLite::Statement query(db_, "SELECT request FROM jobs WHERE state IN (?, ?)");
      SQLite::bind(query, static_cast<int>(JobState::queued), static_cast<int>(JobState::running));
      std::vector<KeptInput> found;
      while (query.executeStep()) {
        const auto request = decode_request(query.getColumn(0).getString());
        if (request && request->input_is_ours) found.push_back({request->input, request->owner});
      }
      return found;
    });
  }

  Result<std::vector<Job>> untold() override {
    return attempt<std::vector<Job>>([&] { return untold_jobs(db_); });
  }

  Result<int> recover() override {
    return attempt<int>([&] {
      const Error worn_out{
          "too_many_attempts",
          fmt::format("scribed ended {} times while it worked on this, and got no further",
                      settings_.max_attempts),
          "Look into the log, and submit it again."};
      const Error abandoned{"cancelled", "scribed ended while its client waited for the text", ""};
      SQLite::Transaction transaction(db_);
      SQLite::Statement abandon(db_,
                                "UPDATE jobs SET state = ?1, finished = ?2, expires = ?3, "
                                "error = ?4 WHERE state IN (?5, ?6) AND detached = 0");
      SQLite::bind(abandon, static_cast<int>(JobState::cancelled), now_(),
                   now_() + settings_.keep_s, encode(abandoned), static_cast<int>(JobState::queued),
                   static_cast<int>(JobState::running));
      abandon.exec();
      SQLite::Statement fail(db_,
                             "UPDATE jobs SET state = ?1, finished = ?2, expires = ?3, error = ?4 "
                             "WHERE state = ?5 AND fruitless >= ?6");
      SQLite::bind(fail, static_cast<int>(JobState::failed), now_(), now_() + settings_.keep_s,
                   encode(worn_out), static_cast<int>(JobState::running), settings_.max_attempts);
      const int failed = fail.exec();
      SQLite::Statement again(db_, "UPDATE jobs SET state = ? WHERE state = ?");
      SQLite::bind(again, static_cast<int>(JobState::queued), static_cast<int>(JobState::running));
      const int waiting = again.exec();
      drop_options(db_);
      transaction.commit();
      return failed + waiting;
    });
  }

  Result<int> remove_expired() override {
    return attempt<int>([&] {
      const double now = now_();
      SQLite::Statement shorten(db_, "UPDATE jobs SET expires = ?1 WHERE expires > ?1");
      SQLite::bind(shorten, now + settings_.keep_s);
      shorten.exec();
      SQLite::Statement remove(db_, "DELETE FROM jobs WHERE expires > 0 AND expires <= ?");
      SQLite::bind(remove, now);
      const int expired = remove.exec();
      return expired + remove_excess(db_, settings_.max_kept_per_owner);
    });
  }

  Result<std::vector<std::string>> waiting() override {
    return attempt<std::vector<std::string>>([&] { return waiting_jobs(db_); });
  }

  Result<int> count_waiting(const std::optional<std::string>& owner) override {
    return attempt<int>([&] {
      SQLite::Statement query(db_,
                              "SELECT count(*) FROM jobs WHERE state = ?1 AND (?2 OR owner = ?3)");
      SQLite::bind(query, static_cast<int>(JobState::queued), owner ? 0 : 1, owner.value_or(""));
      query.executeStep();
      return query.getColumn(0).getInt();
    });
  }

 private:
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
      // Clients may get this, and need not know where the folder lies.
      return error_of(exception, settings_.file.filename());
    }
  }

  Result<void> change(const char* statement, const std::string& id) {
    return attempt<void>([&] {
      SQLite::Statement update(db_, statement);
      SQLite::bind(update, id);
      update.exec();
    });
  }

  bool has(const std::string& id, const std::string& owner) {
    SQLite::Statement query(db_, "SELECT 1 FROM jobs WHERE id = ? AND owner = ?");
    SQLite::bind(query, id, owner);
    return query.executeStep();
  }

  std::optional<Job> find_by_key(const JobRequest& request) {
    if (request.idempotency_key.empty()) return std::nullopt;
    SQLite::Statement query(db_, "SELECT * FROM jobs WHERE owner = ? AND key = ?");
    SQLite::bind(query, request.owner, request.idempotency_key);
    return read_first(query);
  }

  JobStoreSettings settings_;
  double (*now_)();
  SQLite::Database db_;
  std::int64_t turns_;  // how often take() has given a job
};

}  // namespace

Result<std::unique_ptr<JobStore>> open_job_store(const JobStoreSettings& settings) {
  // SQLite gives its other files the mode of this one. Closed before SQLite locks it: closing any
  // descriptor of a file drops all locks that the process has on it.
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
