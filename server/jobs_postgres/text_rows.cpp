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

// The database walks over so many segments in a call.
constexpr int most_looks = 500;

// Segments of a job by number, with those that lie in one row taken apart.
constexpr char decided[] =
    "SELECT s.first + part.place - 1 AS number, part.body::text AS content FROM segments AS s "
    "CROSS JOIN LATERAL json_array_elements(s.body) WITH ORDINALITY AS part (body, place) ";

// Segments of the job $1 that some version has revised, behind a place ({0} {1}), from one to the
// next in the order of places: of a segment with a long history one revision is looked at.
constexpr char revised_segments[] =
    "WITH RECURSIVE walk AS ((SELECT place, segment, 1 AS looks FROM revisions WHERE job = $1 "
    "AND place {0} {1} ORDER BY place {2}, segment {2} LIMIT 1) UNION ALL "
    "SELECT next.place, next.segment, walk.looks + 1 FROM walk CROSS JOIN LATERAL "
    "(SELECT place, segment FROM revisions WHERE job = $1 "
    "AND (place, segment) {0} (walk.place, walk.segment) ORDER BY place {2}, segment {2} LIMIT 1) "
    "AS next WHERE walk.looks < {3} OR next.place = walk.place) ";

// Selects the contents of those segments in version $2, but for those that it does not have.
constexpr char held_revisions[] =
    "SELECT walk.segment, walk.place, held.content FROM walk CROSS JOIN LATERAL "
    "(SELECT content FROM revisions WHERE job = $1 AND segment = walk.segment AND version <= $2 "
    "ORDER BY version DESC LIMIT 1) AS held WHERE held.content IS NOT NULL";

// Holds for a row of one segment that no revision has replaced by version $2.
constexpr char is_unchanged[] =
    "NOT EXISTS (SELECT 1 FROM revisions AS r WHERE r.job = $1 AND r.segment = s.first "
    "AND r.version <= $2)";

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
      job_, first, limit < 0 ? std::nullopt : std::optional(limit));
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

// Segments that no version has together may have one place: all of it is looked at.
std::optional<double> PostgresTextRows::reach(bool is_forward, double place) const {
  const auto rows = step_.query(
      fmt::format(
          fmt::runtime(std::string(revised_segments) + "SELECT place FROM walk WHERE looks = {3}"),
          is_forward ? ">" : "<", "$2::float8", is_forward ? "ASC" : "DESC", most_looks),
      job_, place);
  if (rows.empty()) return std::nullopt;
  return rows[0].real("place");
}

// Each of the two parts is read in the order of an index, as far as it is needed.
TextSlice PostgresTextRows::query(int version, bool is_forward, double place, int limit) const {
  const auto reached = reach(is_forward, place);
  // The places of what was decided are whole numbers.
  const auto edge = static_cast<std::int64_t>(is_forward ? std::floor(place) : std::ceil(place));
  constexpr double last_number = std::numeric_limits<int>::max();
  const double end = reached.value_or(is_forward ? last_number : 0);
  const auto last = static_cast<std::int64_t>(is_forward ? std::floor(end) : std::ceil(end));
  const char* const order = is_forward ? "ASC" : "DESC";
  const auto held = fmt::format(fmt::runtime(revised_segments), is_forward ? ">" : "<",
                                "$3::float8", order, most_looks) +
                    held_revisions;
  const auto rows = step_.query(
      fmt::format(
          "(SELECT s.first::bigint AS segment, s.first::float8 AS place, (s.body -> 0)::text AS "
          "content FROM segments AS s WHERE s.job = $1 AND s.first {0} $4::int "
          "AND s.first {1} $7::int AND {3} ORDER BY s.first {2} LIMIT $5) UNION ALL "
          "(SELECT * FROM ({4}) AS held WHERE place {1} $6::float8 ORDER BY place {2} LIMIT $5) "
          "ORDER BY place {2} LIMIT $5",
          is_forward ? ">" : "<", is_forward ? "<=" : ">=", order, is_unchanged, held),
      job_, version, place, edge, limit, end, last);
  TextSlice slice;
  for (int i = 0; i < rows.size(); ++i) {
    slice.segments.push_back(
        {rows[i].integer("segment"), rows[i].real("place"), rows[i].text("content")});
  }
  slice.next = rows.size() == limit ? slice.segments.back().place : reached;
  return slice;
}

TextSlice PostgresTextRows::read(int version, double behind, int limit, std::size_t bytes) const {
  const int most = std::min(limit, most_rows_of_a_slice);
  TextSlice slice;
  if (is_prepared()) {
    slice = query(version, true, behind, most);
  } else {
    slice.segments = read_decided(static_cast<std::int64_t>(std::floor(behind)) + 1, most);
    if (std::ssize(slice.segments) == most) slice.next = slice.segments.back().place;
  }
  std::size_t size = 0;
  for (std::size_t read = 0; size < slice.segments.size() && read < bytes; ++size) {
    read += slice.segments[size].content.size();
  }
  if (size < slice.segments.size()) slice.next = slice.segments[size - 1].place;
  slice.segments.resize(size);
  return slice;
}

TextSlice PostgresTextRows::before(int version, double place) const {
  return query(version, false, place, 1);
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

IdSlice PostgresTextRows::changed_since(int version, std::int64_t above, int limit) const {
  const auto rows = step_.query(
      "WITH RECURSIVE walk AS ((SELECT segment, 1 AS looks FROM revisions WHERE job = $1 "
      "AND segment > $2 ORDER BY segment LIMIT 1) UNION ALL SELECT next.segment, walk.looks + 1 "
      "FROM walk CROSS JOIN LATERAL (SELECT segment FROM revisions WHERE job = $1 "
      "AND segment > walk.segment ORDER BY segment LIMIT 1) AS next WHERE walk.looks < $4) "
      "SELECT segment, EXISTS (SELECT 1 FROM revisions WHERE job = $1 "
      "AND segment = walk.segment AND version > $3) AS is_changed FROM walk ORDER BY segment",
      job_, above, version, text_slice_looks);
  IdSlice slice;
  for (int i = 0; i < rows.size(); ++i) {
    const std::int64_t segment = rows[i].integer("segment");
    if (rows[i].flag("is_changed")) slice.ids.push_back(segment);
    const bool is_full = std::ssize(slice.ids) == limit;
    if (is_full || i + 1 == text_slice_looks) slice.next = segment;
    if (is_full) break;
  }
  return slice;
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
