#include "server/jobs_sqlite/sqlite_job_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "platform/unique_fd.h"
#include "server/base/random_id.h"
#include "server/jobs/job_json.h"
#include "server/jobs/turn_rules.h"
#include "server/jobs_sqlite/find_jobs.h"
#include "server/jobs_sqlite/job_changes.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/job_slice.h"
#include "server/jobs_sqlite/job_writes.h"
#include "server/jobs_sqlite/owner_use.h"
#include "server/jobs_sqlite/queue_order.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/search_index.h"
#include "server/jobs_sqlite/store_error.h"
#include "server/jobs_sqlite/store_upkeep.h"
#include "server/jobs_sqlite/text_search.h"
#include "server/jobs_sqlite/text_versions.h"

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
                     .getInt64()) {}

  Result<Job> submit(JobRequest request, const JobLimits& limits) override {
    return attempt<Job>([&]() -> Result<Job> {
      SQLite::Transaction transaction(db_);
      if (auto known = find_by_key(db_, request.owner, request.idempotency_key)) {
        if (known->request.fingerprint == request.fingerprint) return *std::move(known);
        return key_reused();
      }
      const auto use = queue_use(db_, request.owner, limits, now_());
      const auto fits = check_limits(use, request.owner, request.live, limits);
      if (!fits) return fits.error();
      const Job job = new_job(std::move(request));
      write_new_job(db_, job.request.detached ? on_disk : in_memory, job,
                    cost_of_job(limits, job.request.owner));
      transaction.commit();
      numbers_ = job.number;
      return job;
    });
  }

  Result<void> check(const std::string& owner, const std::string& key,
                     const JobLimits& limits) override {
    return attempt<void>([&]() -> Result<void> {
      if (find_by_key(db_, owner, key)) return {};
      return check_limits(queue_use(db_, owner, limits, now_()), owner, false, limits);
    });
  }

  Result<std::optional<Job>> find(const std::string& id,
                                  const std::optional<std::string>& owner) override {
    return attempt<std::optional<Job>>([&] { return find_job(db_, id, owner); });
  }

  Result<std::vector<Job>> list(const std::optional<std::string>& owner, int limit,
                                const std::string& before) override {
    return attempt<std::vector<Job>>([&] { return list_jobs(db_, owner, limit, before); });
  }

  Result<JobSlice> slice(const std::optional<std::string>& owner, const JobFilter& filter,
                         const JobPlace& behind, int size) override {
    return attempt<JobSlice>([&] { return slice_of_jobs(db_, owner, filter, behind, size); });
  }

  Result<std::vector<protocol::Segment>> segments(const std::string& id, int first, int limit,
                                                  std::optional<int> version) override {
    return attempt<std::vector<protocol::Segment>>(
        [&] { return read_segments(db_, home_of(db_, id), id, first, limit, version); });
  }

  Result<void> set_speaker_names(const std::string& id,
                                 const protocol::SpeakerNames& names) override {
    return attempt<void>([&] {
      SQLite::Transaction transaction(db_);
      write_names(db_, home_of(db_, id), id, names);
      transaction.commit();
    });
  }

  Result<Job> change(const std::string& id, const std::string& owner,
                     const JobChange& change) override {
    return attempt<Job>([&]() -> Result<Job> {
      SQLite::Transaction transaction(db_);
      auto changed = change_job(db_, settings_, now_(), {id, owner}, change);
      if (changed) transaction.commit();
      return changed;
    });
  }

  EditResult edit(const TextTarget& target, std::span<const TextEdit> edits) override {
    return attempt_edit([&] { return edit_text(db_, target, edits, now_()); });
  }

  EditResult restore(const TextTarget& target, int version) override {
    return attempt_edit([&] { return restore_text(db_, target, version, now_()); });
  }

  Result<TextPage> text_page(const std::string& id, std::optional<int> version,
                             std::optional<std::int64_t> behind, int limit) override {
    return attempt<TextPage>(
        [&] { return read_page(db_, home_of(db_, id), id, version, behind, limit); });
  }

  Result<std::vector<TextVersion>> versions(const std::string& id, int from, int limit) override {
    return attempt<std::vector<TextVersion>>([&] { return read_versions(db_, id, from, limit); });
  }

  Result<std::vector<TextMatch>> matches(const std::string& id, const std::string& text,
                                         int most) override {
    return attempt<std::vector<TextMatch>>([&] { return matches_in(db_, id, text, most); });
  }

  Result<bool> index_next() override {
    return attempt<bool>([&] { return server::index_next(db_); });
  }

  Result<std::optional<Job>> claim(const ClaimRequest& request) override {
    return attempt<std::optional<Job>>([&]() -> std::optional<Job> {
      SQLite::Transaction transaction(db_);
      for (const Line& line : lines_of(request)) {
        const auto next = next_job(db_, line, request, now_());
        if (!next) continue;
        auto job = write_begin(db_, line, next->number, now_());
        if (!next->is_before_its_turn) note_turn(db_, line, next->number);
        transaction.commit();
        if (!request.waited_for) ++begun_;
        return job;
      }
      return std::nullopt;
    });
  }

  // Whatever SQLite fails at takes the writes of all runs back.
  std::vector<Result<void>> write_runs(std::span<const RunWrite> writes) override {
    std::vector<Result<void>> answers(writes.size());
    const auto done = attempt<void>([&] {
      SQLite::Transaction transaction(db_);
      for (std::size_t i = 0; i < writes.size(); ++i) {
        const char* home = home_of(db_, writes[i].claim.number);
        answers[i] = write_run(db_, home, writes[i]) ? Result<void>() : claim_lost();
      }
      transaction.commit();
    });
    if (!done) std::ranges::fill(answers, done);
    return answers;
  }

  Result<Job> finish(const Claim& claim, const JobEnd& end) override {
    return attempt<Job>([&]() -> Result<Job> {
      SQLite::Transaction transaction(db_);
      const char* home = home_of(db_, claim.number);
      const auto job = find_claimed(db_, home, claim);
      if (!job) return claim_lost();
      Job ended = write_end(db_, home, *job, end, {now_(), settings_.keep_s});
      transaction.commit();
      return ended;
    });
  }

  Result<void> requeue(const Claim& claim, bool counts) override {
    return attempt<void>([&] {
      const bool is_back = write_return(db_, home_of(db_, claim.number), claim, counts, now_());
      return is_back ? Result<void>() : claim_lost();
    });
  }

  Result<std::optional<Job>> cancel(const std::string& id,
                                    const std::optional<std::string>& owner) override {
    return attempt<std::optional<Job>>([&]() -> std::optional<Job> {
      SQLite::Transaction transaction(db_);
      const char* home = home_of(db_, id);
      const auto job = find_open(db_, home, id, owner);
      if (!job) return std::nullopt;
      const JobEnd end{.state = JobState::cancelled};
      Job ended = write_end(db_, home, *job, end, {now_(), settings_.keep_s});
      transaction.commit();
      return ended;
    });
  }

  Result<void> detach(const std::string& id) override {
    return attempt<void>([&] {
      SQLite::Transaction transaction(db_);
      move_to_disk(db_, id);
      transaction.commit();
    });
  }

  Result<void> remove(const std::string& id) override {
    return attempt<void>(
        [&] { run(fmt::format("DELETE FROM {}.jobs WHERE id = ?", home_of(db_, id)), id); });
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

  Result<int> count_waiting() override {
    return attempt<int>([&] { return count_waiting_jobs(db_); });
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
  template <class T, class Work>
  Result<T> attempt(Work work) {
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
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

  template <class Work>
  EditResult attempt_edit(Work work) {
    try {
      return work();
    } catch (const SQLite::Exception& exception) {
      return EditRefusal{.error = error_of(exception, settings_.file.filename())};
    }
  }

  template <class... Values>
  void run(const std::string& sql, const Values&... values) {
    SQLite::Statement statement(db_, sql);
    SQLite::bind(statement, values...);
    statement.exec();
  }

  // Returns where the next job is looked for, in this order.
  std::vector<Line> lines_of(const ClaimRequest& request) const {
    if (request.waited_for) return {{in_memory}};
    std::vector<Line> lines{{on_disk, false}, {on_disk, true}};
    if (is_turn_of_bulk(begun_)) std::ranges::reverse(lines);
    return lines;
  }

  Job new_job(JobRequest request) {
    Job job{.id = random_id(),
            .number = numbers_ + 1,
            .request = std::move(request),
            .created = now_()};
    if (!job.request.live) return job;
    job.state = JobState::running;
    job.epoch = job.attempts = 1;
    job.started = job.created;
    return job;
  }

  JobStoreSettings settings_;
  double (*now_)();
  SQLite::Database db_;
  std::int64_t numbers_;     // the last number that a job has, on the disk or in memory
  std::uint64_t begun_ = 0;  // jobs that nobody waited for
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
