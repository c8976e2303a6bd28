#include "server/jobs_sqlite/sqlite_job_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/jobs/turn_rules.h"
#include "server/jobs_sqlite/disk_space.h"
#include "server/jobs_sqlite/find_jobs.h"
#include "server/jobs_sqlite/job_changes.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/job_slice.h"
#include "server/jobs_sqlite/job_writes.h"
#include "server/jobs_sqlite/open_database.h"
#include "server/jobs_sqlite/owner_use.h"
#include "server/jobs_sqlite/queue_order.h"
#include "server/jobs_sqlite/removed_jobs.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/search_index.h"
#include "server/jobs_sqlite/sqlite_calls.h"
#include "server/jobs_sqlite/store_error.h"
#include "server/jobs_sqlite/store_upkeep.h"
#include "server/jobs_sqlite/stored_bytes.h"
#include "server/jobs_sqlite/text_rows.h"
#include "server/jobs_sqlite/text_search.h"
#include "server/jobs_sqlite/text_versions.h"

namespace server {
namespace {

// How long others wait for a piece of what a removal has left.
constexpr std::chrono::milliseconds longest_piece{20};

double system_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// A job is on the disk, or in memory while its client waits for it; home_of() tells which.
class SqliteJobStore final : public JobStore, SqliteCalls {
 public:
  SqliteJobStore(const JobStoreSettings& settings, SQLite::Database db, DiskReserve reserve)
      : SqliteCalls(std::move(db), std::move(reserve), settings.file.filename(),
                    settings.longest_call),
        settings_(settings),
        now_(settings.now ? settings.now : system_now),
        numbers_(db_.execAndGet("SELECT coalesce(max(seq), 0) FROM main.sqlite_sequence "
                                "WHERE name = 'jobs'")
                     .getInt64()) {
    reserve_.make();
  }

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
      const Job job = new_job(std::move(request), numbers_ + 1, now_());
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

  Result<std::vector<protocol::Segment>> segments(const std::string& id, int first,
                                                  int limit) override {
    return attempt<std::vector<protocol::Segment>>(
        [&] { return read_segments(db_, home_of(db_, id), id, first, limit); });
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

  EditBegin begin_edit(const TextTarget& target) override {
    return attempt_edit<EditBegin>([&] { return server::begin_edit(db_, target); });
  }

  DraftWritten write_draft(TextDraft& draft) override {
    return attempt_edit<DraftWritten>([&] { return server::write_draft(db_, draft, now_()); });
  }

  Result<bool> drop_draft(TextDraft& draft) override {
    return attempt<bool>([&] {
      SQLite::Transaction transaction(db_);
      const bool has_more = server::drop_draft(db_, draft.job.number);
      transaction.commit();
      return has_more;
    });
  }

  Result<void> read_text(const std::string& id, const ReadText& read) override {
    return attempt<void>([&]() -> Result<void> {
      const auto number = number_of_job(db_, id, std::nullopt);
      if (!number) return job_not_found(id);
      read(SqliteTextRows(db_, home_of(db_, id), id, *number));
      return {};
    });
  }

  Result<std::vector<TextVersion>> versions(const std::string& id, int from, int limit) override {
    return attempt<std::vector<TextVersion>>([&] { return read_versions(db_, id, from, limit); });
  }

  Result<std::optional<std::vector<TextMatch>>> matches(const std::string& id,
                                                        const std::string& text,
                                                        int most) override {
    return attempt<std::optional<std::vector<TextMatch>>>(
        [&] { return matches_in(db_, id, text, most); });
  }

  Result<bool> index_next() override {
    return attempt<bool>([&] {
      const bool has_counted = count_next(db_);
      return server::index_next(db_, index_turns_) || has_counted;
    });
  }

  Result<std::optional<Job>> claim(const ClaimRequest& request) override {
    return attempt<std::optional<Job>>([&]() -> std::optional<Job> {
      SQLite::Transaction transaction(db_);
      for (const Line& line : lines_of(request, begun_)) {
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
    const auto done = attempt<void>(no_deadline, [&] {
      SQLite::Transaction transaction(db_);
      for (std::size_t i = 0; i < writes.size(); ++i) answers[i] = write_run(db_, writes[i]);
      transaction.commit();
    });
    if (!done) std::ranges::fill(answers, done);
    return answers;
  }

  Result<Job> finish(const Claim& claim, const JobEnd& end) override {
    return attempt_on_reserve<Job>([&] {
      return finish_job(db_, claim, end, {now_(), settings_.keep_s});
    });
  }

  Result<void> requeue(const Claim& claim, bool counts) override {
    return attempt_on_reserve<void>([&]() -> Result<void> {
      const bool is_back = write_return(db_, home_of(db_, claim.number), claim, counts, now_());
      return is_back ? Result<void>() : claim_lost();
    });
  }

  Result<std::optional<Job>> cancel(const std::string& id,
                                    const std::optional<std::string>& owner) override {
    return attempt_on_reserve<std::optional<Job>>([&] {
      return cancel_job(db_, id, owner, {now_(), settings_.keep_s});
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
    return attempt_on_reserve<void>(
        [&] { run(fmt::format("DELETE FROM {}.jobs WHERE id = ?", home_of(db_, id)), id); });
  }

  Result<bool> tidy_up() override {
    return attempt_on_reserve<bool>([&] {
      const bool has_more =
          remove_left(db_, longest_piece) || merge_index(db_) || give_back_pages(db_);
      if (has_more) return true;
      empty_log(db_);
      reserve_.make();
      return false;
    });
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
    return attempt_on_reserve<int>([&] {
      drop_drafts(db_);
      return recover_jobs(db_, settings_, now_());
    });
  }

  Result<int> remove_expired() override {
    return attempt_on_reserve<int>([&] { return remove_old_jobs(db_, settings_, now_()); });
  }

  Result<std::vector<std::string>> waiting() override {
    return attempt<std::vector<std::string>>([&] { return waiting_jobs(db_); });
  }

  Result<int> count_waiting() override {
    return attempt<int>([&] { return count_waiting_jobs(db_); });
  }

  Result<std::unique_ptr<StoreBackup>> back_up(const std::filesystem::path& file) override {
    return attempt<std::unique_ptr<StoreBackup>>(
        [&] { return std::make_unique<JobBackup>(static_cast<SqliteCalls&>(*this), file); });
  }

  Result<OwnerUse> use_of(const std::string& owner) override {
    return attempt<OwnerUse>([&] { return owner_use(db_, owner, now_()); });
  }

  Result<std::optional<StoredBytes>> stored_bytes() override {
    return attempt<std::optional<StoredBytes>>([&]() -> std::optional<StoredBytes> {
      const int changes = db_.getTotalChanges();
      if (std::exchange(counted_at_, changes) == changes) return std::nullopt;
      return stored_of_all(db_);
    });
  }

  Result<void> add_sound(const std::string& owner, double seconds) override {
    return attempt<void>([&] { count_sound(db_, owner, seconds, now_()); });
  }

 private:
  JobStoreSettings settings_;
  double (*now_)();
  std::int64_t numbers_;     // the last number that a job has, on the disk or in memory
  std::uint64_t begun_ = 0;  // jobs that nobody waited for
  IndexTurns index_turns_{};
  int counted_at_ = -1;  // SQLite's number of changes when stored_bytes() was read last
};

}  // namespace

Result<std::unique_ptr<JobStore>> open_job_store(const JobStoreSettings& settings) {
  DiskReserve reserve(settings.file.parent_path() / "jobs.reserve");
  auto db = open_job_database(settings.file, reserve);
  if (!db) return db.error();
  try {
    return std::unique_ptr<JobStore>(
        std::make_unique<SqliteJobStore>(settings, *std::move(db), std::move(reserve)));
  } catch (const SQLite::Exception& exception) {
    return error_of(exception, settings.file);
  }
}

}  // namespace server
