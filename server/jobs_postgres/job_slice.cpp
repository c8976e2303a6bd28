#include "server/jobs_postgres/job_slice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "protocol/text_rules.h"
#include "server/jobs/text_find.h"
#include "server/jobs_postgres/find_jobs.h"
#include "server/jobs_postgres/job_rows.h"
#include "server/jobs_postgres/text_index.h"
#include "server/jobs_postgres/text_rows.h"

namespace server::postgres {
namespace {

// The database looks through texts of so many segments in one slice.
constexpr int most_searched_at_once = 500;

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

// Whether all these folded texts stand in a job. Each is asked for by itself, so that no statement
// has a number of parameters of its own.
bool stand_in(Step& step, const std::vector<std::string>& texts, std::int64_t job) {
  const std::string sql =
      fmt::format("SELECT 1 FROM jobs AS slice WHERE number = $1 AND {}", has_text(2));
  return std::ranges::all_of(
      texts, [&](const std::string& text) { return !step.query(sql, job, text).empty(); });
}

std::vector<std::string> folded_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> folded;
  for (const auto& text : texts) folded.push_back(folded_text_of(text));
  std::erase(folded, "");
  return folded;
}

}  // namespace

// $1 to $4 choose the slice, the others filter it.
Result<JobSlice> slice_of_jobs(Step& step, const std::optional<std::string>& owner,
                               const JobFilter& filter, const JobPlace& behind, int size) {
  std::int64_t below = behind.number > 0 ? behind.number : std::numeric_limits<std::int64_t>::max();
  if (!behind.id.empty()) {
    const auto found = number_of_job(step, behind.id, owner);
    if (!found) return no_such_place(behind.id);
    below = *found;
  }
  const auto texts = folded_texts(filter.texts);
  std::optional<std::string> among;
  if (const auto found = jobs_with_texts(step, owner, texts)) {
    among = fmt::format("{{{}}}", fmt::join(*found, ","));
  }
  const std::string slice = fmt::format(
      "SELECT * FROM jobs WHERE number < $1 AND {} AND ($4::bigint[] IS NULL OR number "
      "= ANY ($4)) ORDER BY number DESC LIMIT $3",
      owner ? "owner = $2" : "$2::text IS NULL");
  JobSlice answer;
  int searched = 0;
  const auto all = step.query(fmt::format("SELECT count(*) AS count, min(number) AS last FROM ({}) "
                                          "AS slice",
                                          slice),
                              below, owner, size, among);
  if (all[0].integer("count") == size) answer.end = JobPlace{.number = all[0].integer("last")};
  std::string columns(job_columns);
  columns.replace(0, std::string_view("jobs.number").size(), "number");
  const std::string sql = fmt::format(
      "SELECT {} FROM ({}) AS slice WHERE ($5::int = 0 OR ($5::int & (1 << state)) <> 0) "
      "AND ($6::text = '' OR model = $6) AND ($7::text = '' OR language = $7) "
      "AND ($8::boolean IS NULL OR pinned = $8) ORDER BY number DESC",
      columns, slice);
  const auto rows = step.query(sql, below, owner, size, among, bits_of(filter.states), filter.model,
                               filter.language, filter.pinned);
  for (auto& job : read_all(rows)) {
    searched += texts.empty() ? 0 : job.segments;
    if (searched > most_searched_at_once) {
      answer.end = JobPlace{.number = job.number};
      answer.unread = std::move(job);
      break;
    }
    if (stand_in(step, texts, job.number)) answer.jobs.push_back(std::move(job));
  }
  return answer;
}

std::optional<std::vector<TextMatch>> matches_in(Step& step, const std::string& id,
                                                 const std::string& text, int most) {
  std::vector<TextMatch> found;
  const auto job = find_job(step, id, std::nullopt);
  const std::string wanted(protocol::strip(text));
  if (!job || wanted.empty()) return found;
  if (job->segments > most_read_at_once) return std::nullopt;
  const TextFinder finder(wanted, {.match_case = false});
  const auto slice =
      PostgresTextRows(step, job->number)
          .read(job->version, before_all_places, most_read_at_once, text_slice_bytes);
  if (slice.next && std::ssize(slice.segments) < job->segments) return std::nullopt;
  for (const auto& stored : slice.segments) {
    if (std::ssize(found) == most) break;
    const auto placed = decoded(stored);
    if (!placed) continue;
    const std::string said(protocol::strip(placed->segment.text));
    auto spans = finder.find_in(said);
    if (!spans.empty()) {
      found.push_back({placed->id, placed->segment.start, said, std::move(spans)});
    }
  }
  return found;
}

}  // namespace server::postgres
