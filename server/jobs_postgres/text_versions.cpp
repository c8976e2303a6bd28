#include "server/jobs_postgres/text_versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "server/jobs/edited_text.h"
#include "server/jobs/job_json.h"
#include "server/jobs_postgres/find_jobs.h"
#include "server/jobs_postgres/job_changes.h"
#include "server/jobs_postgres/job_rows.h"
#include "server/jobs_postgres/store_error.h"
#include "server/jobs_postgres/stored_bytes.h"
#include "server/jobs_postgres/text_rows.h"

namespace server::postgres {
namespace {

// Each row is a statement.
constexpr std::size_t rows_of_a_slice = 64;

int count_revisions(Step& step, const Job& job) {
  const auto rows = step.query(
      "SELECT count(*) AS count FROM (SELECT 1 FROM revisions WHERE job = $1 LIMIT $2) AS counted",
      job.number, max_revisions);
  return static_cast<int>(rows[0].integer("count"));
}

// Makes the version of a draft, whose rows are written, that of the job.
void write_version(Step& step, const Job& job, const TextDraft& draft) {
  const TextChange& change = draft.change;
  step.query("INSERT INTO versions VALUES ($1, $2, scribed_now(), $3)", job.number, change.version,
             draft.origin);
  step.query(fmt::format("UPDATE jobs SET text_bytes = {}, version = $3, segments = $4, "
                         "speaker_names = $5, kept = true, expires = 0 WHERE number = $1",
                         grown_text_bytes),
             job.number, stored_bytes_of(draft), change.version, change.segments,
             encode(change.speaker_names));
  if (change.speaker_names == job.speaker_names) return;
  Job named = job;
  named.speaker_names = change.speaker_names;
  write_found_by(step, named);
}

// Finds the job whose text is to be changed. It is locked, so that of two who edit one comes first.
boost::system::result<Job, EditRefusal> job_to_edit(Step& step, const TextTarget& target) {
  auto job = job_to_change(step, target.id, target.owner);
  if (!job) return EditRefusal{.error = job.error()};
  if (auto refusal = check_editable(*job, target)) return *std::move(refusal);
  return *std::move(job);
}

std::size_t end_of_slice(const TextDraft& draft) {
  const std::size_t most = std::min(draft.rows.size(), draft.written + rows_of_a_slice);
  std::size_t end = draft.written;
  std::size_t bytes = 0;
  for (; end < most && bytes < text_slice_bytes; ++end) bytes += draft.rows[end].content.size();
  return end;
}

// Another daemon may be writing the next version, too. Its rows would be waited for.
bool may_write(Step& step, const Job& job) {
  return step
      .query(
          "SELECT pg_try_advisory_xact_lock(hashtextextended('scribed edit ' || $1::text, 0)) AS "
          "may",
          job.id)[0]
      .flag("may");
}

EditRefusal is_being_written(const Job& job) {
  return {.error = {"store_busy", "Another edit of this text is being written.",
                    "Try again in a while."},
          .version = job.version};
}

// Looks, without a lock, whether the text still has the version for which the draft was made.
std::optional<EditRefusal> was_overtaken(Step& step, const TextDraft& draft) {
  const auto job = find_job(step, draft.job.id, draft.job.request.owner);
  if (!job) return EditRefusal{.error = job_not_found(draft.job.id)};
  return check_editable(*job, {job->id, job->request.owner, draft.job.version});
}

void write_rows(Step& step, const TextDraft& draft, std::size_t end) {
  PostgresTextRows rows(step, draft.job.number);
  for (std::size_t i = draft.written; i < end; ++i) {
    rows.write(draft.change.version, draft.rows[i]);
  }
}

DraftWritten finish_draft(Step& step, TextDraft& draft, std::size_t end) {
  const Job& read = draft.job;
  const auto job = job_to_edit(step, {read.id, read.request.owner, read.version});
  if (!job) return job.error();
  write_rows(step, draft, end);
  draft.change.speaker_names = names_after(draft, *job);
  write_version(step, *job, draft);
  return true;
}

// A failure becomes the error that clients may see.
template <class Answer, class Work>
Answer attempt(const Work& work) {
  try {
    return work();
  } catch (const Failure& failure) {
    return EditRefusal{.error = error_of(failure)};
  }
}

// A draft of several slices.
struct OpenDraft {
  explicit OpenDraft(const ConnectionSettings& settings)
      : connection(settings), transaction(connection, settings) {}

  Connection connection;
  Transaction transaction;
};

DraftWritten write_slice(const ConnectionSettings& settings, TextDraft& draft, std::size_t end) {
  const bool is_first = draft.opened == nullptr;
  if (is_first) draft.opened = std::make_shared<OpenDraft>(settings);
  const auto open = std::static_pointer_cast<OpenDraft>(draft.opened);
  Step step(open->connection);
  if (is_first && !may_write(step, draft.job)) return is_being_written(draft.job);
  if (auto refusal = was_overtaken(step, draft)) return *std::move(refusal);
  if (end < draft.rows.size()) {
    write_rows(step, draft, end);
    return false;
  }
  const auto done = finish_draft(step, draft, end);
  if (done) open->transaction.commit();
  draft.opened.reset();
  return done;
}

}  // namespace

EditBegin begin_edit(Session& session, const TextTarget& target) {
  const auto begin = [&](Step& step) -> EditBegin {
    auto job = job_to_edit(step, target);
    if (!job) return job.error();
    if (auto full = check_room(*job, count_revisions(step, *job))) return *std::move(full);
    if (!PostgresTextRows(step, job->number).prepare_for_edits()) return std::optional<Job>();
    return std::optional(*std::move(job));
  };
  return attempt<EditBegin>([&] { return session.transact(begin); });
}

DraftWritten write_draft(Session& session, TextDraft& draft) {
  const std::size_t end = end_of_slice(draft);
  const auto at_once = [&](Step& step) -> DraftWritten {
    if (!may_write(step, draft.job)) return is_being_written(draft.job);
    return finish_draft(step, draft, end);
  };
  const bool is_only = draft.written == 0 && end == draft.rows.size();
  const auto written = attempt<DraftWritten>([&] {
    return is_only ? session.transact(at_once) : write_slice(session.settings(), draft, end);
  });
  if (written) draft.written = end;
  if (!written) draft.opened.reset();
  return written;
}

std::vector<TextVersion> read_versions(Step& step, const std::string& id, int from, int limit) {
  const auto rows = step.query(
      "SELECT version, created, origin FROM versions WHERE job = (SELECT number FROM jobs "
      "WHERE id = $1) AND version <= $2 ORDER BY version DESC LIMIT $3",
      id, from, limit);
  std::vector<TextVersion> found;
  for (int i = 0; i < rows.size(); ++i) {
    found.push_back(text_version(static_cast<int>(rows[i].integer("version")),
                                 rows[i].real("created"), rows[i].text("origin")));
  }
  return found;
}

}  // namespace server::postgres
