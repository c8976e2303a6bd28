#include "server/jobs_postgres/postgres_job_store.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "server/jobs_postgres/database_calls.h"
#include "server/jobs_postgres/find_jobs.h"
#include "server/jobs_postgres/held_claims.h"
#include "server/jobs_postgres/job_changes.h"
#include "server/jobs_postgres/job_marks.h"
#include "server/jobs_postgres/job_rows.h"
#include "server/jobs_postgres/job_slice.h"
#include "server/jobs_postgres/job_writes.h"
#include "server/jobs_postgres/lease_keeper.h"
#include "server/jobs_postgres/news_line.h"
#include "server/jobs_postgres/nodes.h"
#include "server/jobs_postgres/owner_use.h"
#include "server/jobs_postgres/queue_order.h"
#include "server/jobs_postgres/schema.h"
#include "server/jobs_postgres/sound_to_do.h"
#include "server/jobs_postgres/store_error.h"
#include "server/jobs_postgres/store_upkeep.h"
#include "server/jobs_postgres/stored_bytes.h"
#include "server/jobs_postgres/text_rows.h"
#include "server/jobs_postgres/text_versions.h"
#include "server/jobs_postgres/writes_of_runs.h"

namespace server {
namespace {

using postgres::Failure;
using postgres::Step;

// All calls wait for each other. A migration may take longer.
constexpr std::chrono::milliseconds longest_statement{5'000};

class PostgresJobStore final : public JobStore, postgres::DatabaseCalls {
 public:
  PostgresJobStore(const PostgresStoreSettings& settings, postgres::Session session, int node)
      : DatabaseCalls(std::move(session)), settings_(settings), node_(node) {
    if (!settings.keeps_lease) return;
    keeper_.emplace(postgres::LeaseKeeper::Settings{.connection = session_.settings(),
                                                    .name = settings.node,
                                                    .lease_s = settings.lease_s,
                                                    .sweep = sweep_settings()},
                    node);
  }

  bool is_shared() const override { return true; }

  std::unique_ptr<JobNews> open_news(const JobNews::Hear& hear) override {
    if (!settings_.has_news) return nullptr;
    return std::make_unique<postgres::NewsLine>(
        postgres::NewsLine::Settings{.connection = session_.settings(),
                                     .is_gateway = settings_.only_accepts},
        hear);
  }

  Result<std::map<std::string, std::string>> marks(std::span<const std::string> ids) override {
    return attempt<std::map<std::string, std::string>>(
        [&](Step& step) { return postgres::marks_of(step, ids); });
  }

  // Whoever ended a job in a call without an answer has not lost it, and asks again.
  Result<std::vector<Claim>> lost_claims(std::span<const Claim> claims) override {
    auto lost =
        attempt<std::vector<Claim>>([&](Step& step) { return postgres::lost_of(step, claims); });
    if (lost) std::erase_if(*lost, [&](const Claim& one) { return held_.is_end_in_doubt(one); });
    return lost;
  }

  Result<Job> submit(JobRequest request, const JobLimits& limits) override {
    const auto submitted = [&](Step& step) -> Result<Job> {
      return postgres::submit_job(step, node(), request, limits);
    };
    auto job = attempt<Job>(submitted, [&] {
      if (request.live) held_.doubt_claim();
    });
    if (job && job->request.live) held_.add(claim_of(*job));
    return job;
  }

  Result<void> check(const std::string& owner, const std::string& key,
                     const JobLimits& limits) override {
    return attempt<void>([&](Step& step) -> Result<void> {
      if (postgres::find_by_key(step, owner, key)) return {};
      return check_limits(postgres::queue_use(step, owner, limits), owner, false, limits);
    });
  }

  Result<std::optional<Job>> find(const std::string& id,
                                  const std::optional<std::string>& owner) override {
    return attempt<std::optional<Job>>(
        [&](Step& step) { return postgres::find_job(step, id, owner); });
  }

  Result<std::vector<Job>> list(const std::optional<std::string>& owner, int limit,
                                const std::string& before) override {
    return attempt<std::vector<Job>>(
        [&](Step& step) { return postgres::list_jobs(step, owner, limit, before); });
  }

  Result<JobSlice> slice(const std::optional<std::string>& owner, const JobFilter& filter,
                         const JobPlace& behind, int size) override {
    return attempt<JobSlice>(
        [&](Step& step) { return postgres::slice_of_jobs(step, owner, filter, behind, size); });
  }

  Result<std::vector<protocol::Segment>> segments(const std::string& id, int first,
                                                  int limit) override {
    return attempt<std::vector<protocol::Segment>>(
        [&](Step& step) { return postgres::read_segments(step, id, first, limit); });
  }

  Result<void> set_speaker_names(const std::string& id,
                                 const protocol::SpeakerNames& names) override {
    return run([&](Step& step) { postgres::write_names(step, id, names); });
  }

  Result<Job> change(const std::string& id, const std::string& owner,
                     const JobChange& change) override {
    return attempt<Job>([&](Step& step) {
      return postgres::change_job(step, settings_, {id, owner}, change);
    });
  }

  EditBegin begin_edit(const TextTarget& target) override {
    return postgres::begin_edit(session_, target);
  }

  DraftWritten write_draft(TextDraft& draft) override {
    return postgres::write_draft(session_, draft);
  }

  // Nothing remains of a transaction that was not committed.
  Result<bool> drop_draft(TextDraft& draft) override {
    draft.opened.reset();
    return false;
  }

  Result<void> read_text(const std::string& id, const ReadText& read) override {
    return attempt<void>([&](Step& step) -> Result<void> {
      const auto number = postgres::number_of_job(step, id, std::nullopt);
      if (!number) return job_not_found(id);
      read(postgres::PostgresTextRows(step, *number));
      return {};
    });
  }

  Result<std::vector<TextVersion>> versions(const std::string& id, int from, int limit) override {
    return attempt<std::vector<TextVersion>>(
        [&](Step& step) { return postgres::read_versions(step, id, from, limit); });
  }

  Result<std::optional<std::vector<TextMatch>>> matches(const std::string& id,
                                                        const std::string& text,
                                                        int most) override {
    return attempt<std::optional<std::vector<TextMatch>>>(
        [&](Step& step) { return postgres::matches_in(step, id, text, most); });
  }

  Result<bool> index_next() override {
    return attempt<bool>([](Step& step) { return postgres::count_next(step); });
  }

  Result<std::optional<Job>> claim(const ClaimRequest& request) override {
    const auto claimed = [&](Step& step) {
      held_.settle_claims(step, node());
      return postgres::claim_next(step, node(), request, begun_);
    };
    auto job = attempt<std::optional<Job>>(claimed, [&] { held_.doubt_claim(); });
    if (!job) return job;
    held_.settled_claims();
    if (*job) held_.add(claim_of(**job));
    if (*job && !request.waited_for) ++begun_;
    return job;
  }

  std::vector<Result<void>> write_runs(std::span<const RunWrite> writes) override {
    postgres::WritesOfRuns together(held_, writes);
    const auto done = attempt<void>(
        [&](Step& step) -> Result<void> {
          together.write(step);
          return {};
        },
        [&] { together.doubt(); });
    return together.answers(done);
  }

  Result<Job> finish(const Claim& claim, const JobEnd& end) override {
    const auto finished = [&](Step& step) -> Result<Job> {
      if (const auto job = postgres::find_claimed(step, claim)) {
        return postgres::write_end(step, node(), *job, end, settings_.keep_s);
      }
      if (auto ended = held_.ended(step, claim)) return *std::move(ended);
      return claim_lost();
    };
    auto job = attempt<Job>(finished, [&] { held_.doubt_end(claim); });
    if (job) held_.remove(claim);
    return kept(claim, std::move(job));
  }

  Result<void> requeue(const Claim& claim, bool counts) override {
    const auto done = attempt<void>([&](Step& step) {
      return postgres::write_return(step, claim, counts) ? Result<void>() : claim_lost();
    });
    if (done) held_.remove(claim);
    return kept(claim, done);
  }

  Result<std::optional<Job>> cancel(const std::string& id,
                                    const std::optional<std::string>& owner) override {
    return attempt<std::optional<Job>>([&](Step& step) -> std::optional<Job> {
      const auto job = postgres::find_open(step, id, owner);
      if (!job) return std::nullopt;
      return postgres::write_end(step, node(), *job, {.state = JobState::cancelled},
                                 settings_.keep_s);
    });
  }

  Result<void> detach(const std::string& id) override {
    return run([&](Step& step) { postgres::write_detached(step, id); });
  }

  Result<void> remove(const std::string& id) override {
    return run([&](Step& step) { postgres::remove_job(step, id); });
  }

  Result<void> set_delivered(const std::string& id) override {
    return run(
        [&](Step& step) { step.query("UPDATE jobs SET delivered = true WHERE id = $1", id); });
  }

  Result<std::vector<KeptInput>> inputs() override {
    return attempt<std::vector<KeptInput>>([](Step& step) { return postgres::kept_inputs(step); });
  }

  Result<std::vector<Job>> undelivered() override {
    return attempt<std::vector<Job>>(
        [&](Step& step) { return postgres::undelivered_jobs(step, settings_.node); });
  }

  Result<int> recover() override {
    return attempt<int>(
        [&](Step& step) { return postgres::take_back(step, node(), sweep_settings()); });
  }

  Result<int> remove_expired() override {
    const auto expired =
        attempt<int>([&](Step& step) { return postgres::remove_old_jobs(step, settings_); });
    if (!expired || *expired > 0 || !excess_.is_due()) return expired;
    return attempt<int>([&](Step& step) { return excess_.remove(step, node().number, settings_); });
  }

  Result<std::vector<std::string>> waiting() override {
    return attempt<std::vector<std::string>>(
        [](Step& step) { return postgres::waiting_jobs(step); });
  }

  Result<std::optional<int>> place(const std::string& id) override {
    return attempt<std::optional<int>>(
        [&](Step& step) { return postgres::place_of_job(step, id); });
  }

  Result<int> count_waiting() override {
    return attempt<int>([](Step& step) { return postgres::count_waiting_jobs(step); });
  }

  Result<std::unique_ptr<StoreBackup>> back_up(const std::filesystem::path&) override {
    return Error{errc::unsupported, "the jobs are in PostgreSQL, which scribed does not back up",
                 "Back the database up by its own means: pg_dump, or an archive of its log."};
  }

  Result<std::map<std::string, double>> sound_to_do() override {
    return attempt<std::map<std::string, double>>(
        [](Step& step) { return postgres::read_sound_to_do(step); });
  }

  Result<bool> set_sound(const std::string& id, std::uint64_t bytes) override {
    return attempt<bool>([&](Step& step) { return postgres::write_sound(step, id, bytes); });
  }

  Result<std::vector<std::string>> sounds_left(int most) override {
    return attempt<std::vector<std::string>>(
        [&](Step& step) { return postgres::take_sounds_left(step, most); });
  }

  Result<OwnerUse> use_of(const std::string& owner) override {
    return attempt<OwnerUse>([&](Step& step) { return postgres::owner_use(step, owner); });
  }

  Result<std::optional<StoredBytes>> stored_bytes() override {
    return attempt<std::optional<StoredBytes>>(
        [](Step& step) { return std::optional(postgres::stored_of_all(step)); });
  }

  Result<void> add_sound(const std::string& owner, double seconds) override {
    return run([&](Step& step) { postgres::count_sound(step, owner, seconds); });
  }

 private:
  // Forgets a claim that is lost.
  template <class T>
  Result<T> kept(const Claim& claim, Result<T> answer) {
    if (!answer && answer.error().code == errc::claim_lost) held_.remove(claim);
    return answer;
  }

  postgres::Node node() const {
    return {keeper_ ? keeper_->node() : node_, settings_.node, settings_.only_accepts};
  }
  postgres::SweepSettings sweep_settings() const {
    return {settings_.max_begins, settings_.keep_s};
  }

  PostgresStoreSettings settings_;
  int node_;
  postgres::HeldClaims held_{};
  std::uint64_t begun_ = 0;  // jobs that nobody waited for
  postgres::ExcessJobs excess_{};
  std::optional<postgres::LeaseKeeper> keeper_{};
};

}  // namespace

Result<std::unique_ptr<JobStore>> open_postgres_job_store(const PostgresStoreSettings& settings) {
  try {
    postgres::Session session({.address = settings.address, .schema = settings.schema});
    const auto prepared = postgres::prepare_schema(session, postgres::Migration::where_empty);
    if (!prepared) return prepared.error();
    const int node = session.transact(
        [&](Step& step) { return postgres::begin_node(step, settings.node, settings.lease_s); });
    session.set_statement_timeout(longest_statement);
    return std::unique_ptr<JobStore>(
        std::make_unique<PostgresJobStore>(settings, std::move(session), node));
  } catch (const Failure& failure) {
    return postgres::opening_error_of(failure);
  }
}

}  // namespace server
