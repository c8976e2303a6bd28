#include "server/jobs_postgres/text_versions.h"

#include <fmt/format.h>

#include <utility>

#include "server/jobs/edited_text.h"
#include "server/jobs/job_json.h"
#include "server/jobs_postgres/job_changes.h"
#include "server/jobs_postgres/job_rows.h"
#include "server/jobs_postgres/stored_bytes.h"
#include "server/jobs_postgres/text_rows.h"

namespace server::postgres {
namespace {

int count_revisions(Step& step, const Job& job) {
  const auto rows = step.query(
      "SELECT count(*) AS count FROM (SELECT 1 FROM revisions WHERE job = $1 LIMIT $2) AS counted",
      job.number, max_revisions);
  return static_cast<int>(rows[0].integer("count"));
}

void write_version(Step& step, const Job& job, const EditedText& edited) {
  const TextChange& change = edited.change;
  step.query("INSERT INTO versions VALUES ($1, $2, scribed_now(), $3)", job.number, change.version,
             edited.origin);
  step.query(fmt::format("UPDATE jobs SET text_bytes = {}, version = $3, segments = $4, "
                         "speaker_names = $5 WHERE number = $1",
                         grown_text_bytes),
             job.number, bytes_of(edited), change.version, change.segments,
             encode(change.speaker_names));
  if (change.speaker_names == job.speaker_names) return;
  Job named = job;
  named.speaker_names = change.speaker_names;
  write_found_by(step, named);
}

// Makes a version by `work(rows, job)`. The job is locked, so that of two who edit one comes first.
template <class Work>
EditResult make_version(Step& step, const TextTarget& target, Work work) {
  const auto job = job_to_change(step, target.id, target.owner);
  if (!job) return EditRefusal{.error = job.error()};
  if (auto refusal = check_editable(*job, target)) return *std::move(refusal);
  if (auto full = check_room(*job, count_revisions(step, *job))) return *std::move(full);
  PostgresTextRows rows(step, job->number);
  rows.prepare_for_edits();
  auto edited = work(rows, *job);
  if (!edited) return edited.error();
  if (edited->change.version == job->version) {
    step.take_back();
  } else if (auto full = check_growth(*job, target, bytes_of(*edited))) {
    return *std::move(full);
  } else {
    write_version(step, *job, *edited);
  }
  return std::move(edited->change);
}

}  // namespace

EditResult edit_text(Step& step, const TextTarget& target, std::span<const TextEdit> edits) {
  return make_version(
      step, target, [&](TextRows& rows, const Job& job) { return apply_edits(rows, job, edits); });
}

EditResult restore_text(Step& step, const TextTarget& target, int version) {
  return make_version(step, target, [&](TextRows& rows, const Job& job) {
    return apply_restore(rows, job, version);
  });
}

Result<TextPage> read_text_page(Step& step, const std::string& id, std::optional<int> version,
                                std::optional<std::int64_t> behind, int limit) {
  const auto job = step.query("SELECT number, version FROM jobs WHERE id = $1", id);
  if (job.empty()) return job_not_found(id);
  const PostgresTextRows rows(step, job[0].integer("number"));
  return read_page(rows, static_cast<int>(job[0].integer("version")), version, behind, limit);
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
