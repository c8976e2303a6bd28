#include "server/jobs_postgres/job_slice.h"

#include <fmt/format.h>

#include <limits>

#include "protocol/text_rules.h"
#include "server/jobs/text_find.h"
#include "server/jobs_postgres/find_jobs.h"
#include "server/jobs_postgres/job_rows.h"
#include "server/jobs_postgres/text_rows.h"

namespace server::postgres {
namespace {

// Returns a number with a bit for each state.
int bits_of(const std::vector<JobState>& states) {
  int bits = 0;
  for (const JobState state : states) bits |= 1 << static_cast<int>(state);
  return bits;
}

// Holds for a job in which the text $n stands: in its title, a name, or a segment of its newest
// version. A row of several segments has never been edited.
std::string has_text(int parameter) {
  return fmt::format(
      "(strpos(slice.found_by, ${0}) > 0 OR EXISTS (SELECT 1 FROM segments AS s "
      "WHERE s.job = slice.number AND strpos(s.folded, ${0}) > 0 AND NOT EXISTS "
      "(SELECT 1 FROM revisions AS r WHERE r.job = s.job AND r.segment = s.first)) "
      "OR EXISTS (SELECT 1 FROM revisions AS r WHERE r.job = slice.number "
      "AND strpos(r.folded, ${0}) > 0 AND NOT EXISTS (SELECT 1 FROM revisions AS later "
      "WHERE later.job = r.job AND later.segment = r.segment AND later.version > r.version)))",
      parameter);
}

}  // namespace

// $1 to $3 choose the slice, the others filter it.
Result<JobSlice> slice_of_jobs(Step& step, const std::optional<std::string>& owner,
                               const JobFilter& filter, const JobPlace& behind, int size) {
  std::int64_t below = behind.number > 0 ? behind.number : std::numeric_limits<std::int64_t>::max();
  if (!behind.id.empty()) {
    const auto found = number_of_job(step, behind.id, owner);
    if (!found) return no_such_place(behind.id);
    below = *found;
  }
  const std::string slice =
      fmt::format("SELECT * FROM jobs WHERE number < $1 AND {} ORDER BY number DESC LIMIT $3",
                  owner ? "owner = $2" : "$2::text IS NULL");
  JobSlice answer;
  const auto all = step.query(fmt::format("SELECT count(*) AS count, min(number) AS last FROM ({}) "
                                          "AS slice",
                                          slice),
                              below, owner, size);
  if (all[0].integer("count") == size) answer.end = JobPlace{.number = all[0].integer("last")};
  std::string columns(job_columns);
  columns.replace(0, std::string_view("jobs.number").size(), "number");
  std::string sql = fmt::format(
      "SELECT {} FROM ({}) AS slice WHERE ($4::int = 0 OR ($4::int & (1 << state)) <> 0) "
      "AND ($5::text = '' OR model = $5) AND ($6::text = '' OR language = $6) "
      "AND ($7::boolean IS NULL OR pinned = $7)",
      columns, slice);
  // Each text is asked for by itself, so that no statement has a number of parameters of its own.
  const auto rows =
      step.query(sql + " ORDER BY number DESC", below, owner, size, bits_of(filter.states),
                 filter.model, filter.language, filter.pinned);
  for (auto& job : read_all(rows)) {
    bool passes = true;
    for (const auto& text : filter.texts) {
      const std::string wanted = folded_text_of(text);
      if (wanted.empty() || !passes) continue;
      passes = !step.query(fmt::format("SELECT 1 FROM jobs AS slice WHERE number = $1 AND {}",
                                       has_text(2)),
                           job.number, wanted)
                    .empty();
    }
    if (passes) answer.jobs.push_back(std::move(job));
  }
  return answer;
}

std::vector<TextMatch> matches_in(Step& step, const std::string& id, const std::string& text,
                                  int most) {
  std::vector<TextMatch> found;
  const auto job = find_job(step, id, std::nullopt);
  const std::string wanted(protocol::strip(text));
  if (!job || wanted.empty()) return found;
  for (const auto& placed : PostgresTextRows(step, job->number).read(job->version, -1, -1, 0)) {
    if (std::ssize(found) == most) break;
    const std::string said(protocol::strip(placed.segment.text));
    auto spans = find_in(said, wanted, {.match_case = false});
    if (!spans.empty()) {
      found.push_back({placed.id, placed.segment.start, said, std::move(spans)});
    }
  }
  return found;
}

}  // namespace server::postgres
