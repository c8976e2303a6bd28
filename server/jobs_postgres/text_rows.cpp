#include "server/jobs_postgres/text_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "protocol/json_parse.h"
#include "server/jobs_postgres/job_rows.h"

namespace server::postgres {
namespace {

// A read that is bounded by bytes is bounded by rows, too, since the database sends all of them.
constexpr int most_rows_of_a_slice = 50;
constexpr int rows_taken_apart_at_once = 8;

// Segments of a job by number, with those that lie in one row taken apart.
constexpr char decided[] =
    "SELECT s.first + part.place - 1 AS number, part.body::text AS content FROM segments AS s "
    "CROSS JOIN LATERAL json_array_elements(s.body) WITH ORDINALITY AS part (body, place) ";

// The revisions of the job $1 that hold in version $2; without content, they say that a segment is
// gone.
constexpr char held_revisions[] =
    "SELECT r.segment, r.place, r.content FROM revisions AS r WHERE r.job = $1 "
    "AND r.version <= $2 AND r.content IS NOT NULL AND NOT EXISTS (SELECT 1 FROM revisions AS "
    "later "
    "WHERE later.job = $1 AND later.segment = r.segment AND later.version > r.version "
    "AND later.version <= $2)";

// Holds for a row of one segment that no revision has replaced by version $2.
constexpr char is_unchanged[] =
    "NOT EXISTS (SELECT 1 FROM revisions AS r WHERE r.job = $1 AND r.segment = s.first "
    "AND r.version <= $2)";

std::optional<std::int64_t> limit_or_all(int limit) {
  if (limit < 0) return std::nullopt;
  return limit;
}

}  // namespace

// A job that was edited has a row for each segment; another one has no revisions.
bool PostgresTextRows::is_prepared() const {
  return !step_.query("SELECT 1 FROM versions WHERE job = $1 LIMIT 1", job_).empty() ||
         !step_.query("SELECT 1 FROM revisions WHERE job = $1 LIMIT 1", job_).empty();
}

std::vector<StoredSegment> PostgresTextRows::read_decided(std::int64_t first, int limit) const {
  if (first < 0 || first > std::numeric_limits<int>::max()) return {};
  const auto rows = step_.query(
      fmt::format("SELECT number, content FROM ({} WHERE s.job = $1 AND s.first >= "
                  "(SELECT coalesce(max(first), 0) FROM segments WHERE job = $1 AND first <= $2)"
                  "{}) AS each WHERE number >= $2 ORDER BY number LIMIT $3",
                  decided, limit < 0 ? "" : " AND s.first < $2::bigint + $3::bigint"),
      job_, first, limit_or_all(limit));
  std::vector<StoredSegment> found;
  for (int i = 0; i < rows.size(); ++i) {
    const std::int64_t number = rows[i].integer("number");
    found.push_back({number, static_cast<double>(number), rows[i].text("content")});
  }
  return found;
}

// The labels stay JSON in the database: it cannot make a text of one with a NUL.
std::vector<std::string> PostgresTextRows::speakers() const {
  const auto rows = step_.query(
      "SELECT DISTINCT (part.body -> 'speaker')::text AS speaker FROM segments AS s "
      "CROSS JOIN LATERAL json_array_elements(s.body) AS part (body) WHERE s.job = $1 ORDER BY 1",
      job_);
  std::vector<std::string> found;
  for (int i = 0; i < rows.size(); ++i) {
    if (rows[i].is_null("speaker")) continue;
    const auto label =
        protocol::json::parse_object(fmt::format("{{\"speaker\": {}}}", rows[i].text("speaker")));
    auto text = label ? label->value("speaker", "") : std::string();
    if (!text.empty()) found.push_back(std::move(text));
  }
  return found;
}

bool PostgresTextRows::prepare_for_edits() {
  if (is_prepared()) return true;
  const auto together =
      step_.query("SELECT first FROM segments WHERE job = $1 AND count > 1 ORDER BY first LIMIT $2",
                  job_, rows_taken_apart_at_once);
  if (together.empty()) return true;
  step_.query(
      "WITH together AS (DELETE FROM segments WHERE job = $1 AND count > 1 AND first <= $2 "
      "RETURNING *) "
      "INSERT INTO segments SELECT t.job, t.first + part.place - 1, 1, "
      "json_build_array(part.body), "
      "coalesce((string_to_array(t.folded, chr(30)))[part.place], '') FROM together AS t "
      "CROSS JOIN LATERAL json_array_elements(t.body) WITH ORDINALITY AS part (body, place)",
      job_, together[together.size() - 1].integer("first"));
  return together.size() < rows_taken_apart_at_once;
}

// Each of the two parts is read in the order of an index, as far as it is needed.
std::vector<StoredSegment> PostgresTextRows::query(int version, bool is_forward, double place,
                                                   int limit, int skipped) const {
  const char* which = is_forward ? ">" : "<";
  const char* order = is_forward ? "ASC" : "DESC";
  // The places of what was decided are whole numbers.
  const auto edge = static_cast<std::int64_t>(is_forward ? std::floor(place) : std::ceil(place));
  const std::optional<std::int64_t> reach =
      limit < 0 ? std::nullopt : std::optional<std::int64_t>(std::int64_t{limit} + skipped);
  const auto rows = step_.query(
      fmt::format(
          "(SELECT s.first::bigint AS segment, s.first::float8 AS place, (s.body -> 0)::text AS "
          "content FROM segments AS s WHERE s.job = $1 AND s.first {0} $4::int AND {2} "
          "ORDER BY s.first {1} LIMIT $5) UNION ALL "
          "(SELECT * FROM ({3}) AS held WHERE place {0} $3::float8 ORDER BY place {1} LIMIT $5) "
          "ORDER BY place {1} LIMIT $6 OFFSET $7",
          which, order, is_unchanged, held_revisions),
      job_, version, place, edge, reach, limit_or_all(limit), skipped);
  std::vector<StoredSegment> found;
  for (int i = 0; i < rows.size(); ++i) {
    found.push_back({rows[i].integer("segment"), rows[i].real("place"), rows[i].text("content")});
  }
  return found;
}

std::vector<StoredSegment> PostgresTextRows::read(int version, double behind, int limit,
                                                  int skipped, std::size_t bytes) const {
  const bool is_slice = bytes <= text_slice_bytes;
  if (is_slice && (limit < 0 || limit > most_rows_of_a_slice)) limit = most_rows_of_a_slice;
  const auto first = static_cast<std::int64_t>(std::floor(behind)) + 1 + skipped;
  auto found =
      is_prepared() ? query(version, true, behind, limit, skipped) : read_decided(first, limit);
  std::size_t size = 0;
  for (std::size_t read = 0; size < found.size() && read < bytes; ++size) {
    read += found[size].content.size();
  }
  found.resize(size);
  return found;
}

std::optional<StoredSegment> PostgresTextRows::before(int version, double place) const {
  auto found = query(version, false, place, 1, 0);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::optional<StoredSegment> PostgresTextRows::behind(int version, double place) const {
  auto found = query(version, true, place, 1, 0);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::optional<StoredSegment> PostgresTextRows::find(int version, std::int64_t segment) const {
  const auto revision = step_.query(
      "SELECT place, content FROM revisions WHERE job = $1 AND segment = $2 AND version <= $3 "
      "ORDER BY version DESC LIMIT 1",
      job_, segment, version);
  if (!revision.empty()) {
    if (revision[0].is_null("content")) return std::nullopt;
    return StoredSegment{segment, revision[0].real("place"), revision[0].text("content")};
  }
  auto found = read_decided(segment, 1);
  if (found.empty() || found.front().id != segment) return std::nullopt;
  return std::move(found.front());
}

std::optional<double> PostgresTextRows::place_of(std::int64_t segment) const {
  const auto revision = step_.query(
      "SELECT place FROM revisions WHERE job = $1 AND segment = $2 LIMIT 1", job_, segment);
  if (!revision.empty()) return revision[0].real("place");
  const auto decided_here = step_.query(
      "SELECT 1 FROM segments WHERE job = $1 AND first <= $2::bigint AND first + count > "
      "$2::bigint",
      job_, segment);
  if (decided_here.empty()) return std::nullopt;
  return static_cast<double>(segment);
}

std::vector<std::int64_t> PostgresTextRows::changed_since(int version, std::int64_t above,
                                                          int limit) const {
  const auto rows = step_.query(
      "SELECT DISTINCT segment FROM revisions WHERE job = $1 AND segment > $2 AND version > $3 "
      "ORDER BY segment LIMIT $4",
      job_, above, version, limit);
  std::vector<std::int64_t> found;
  for (int i = 0; i < rows.size(); ++i) found.push_back(rows[i].integer("segment"));
  return found;
}

std::int64_t PostgresTextRows::unused_id() const {
  const auto rows = step_.query(
      "SELECT greatest((SELECT coalesce(max(first + count), 0) FROM segments WHERE job = $1), "
      "(SELECT coalesce(max(segment), -1) + 1 FROM revisions WHERE job = $1)) AS id",
      job_);
  return rows[0].integer("id");
}

void PostgresTextRows::write(int version, const DraftRow& row) {
  const auto content = row.content.empty() ? std::nullopt : std::optional(row.content);
  step_.query("INSERT INTO revisions VALUES ($1, $2, $3, $4, $5, $6)", job_, row.segment, version,
              row.place, content, folded_text_of(row.text));
}

}  // namespace server::postgres
