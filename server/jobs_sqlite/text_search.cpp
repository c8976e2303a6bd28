#include "server/jobs_sqlite/text_search.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "protocol/text_rules.h"
#include "server/jobs/folded_text.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/search_index.h"
#include "server/jobs_sqlite/text_rows.h"

namespace server {
namespace {

constexpr std::size_t trigram = 3;

std::string phrase_of(const std::string& text) {
  return "\"" + protocol::replace_all(text, "\"", "\"\"") + "\"";
}

const char* home_of(const Job& job) {
  return job.request.detached ? on_disk : in_memory;
}

bool contains(std::string_view text, const std::string& wanted) {
  return folded_utf8(text).find(wanted) != std::string::npos;
}

// Returns all segments of a text that is read in one call; nothing: it is long, or has a long
// history.
std::optional<std::vector<PlacedSegment>> read_whole(SQLite::Database& db, const Job& job) {
  if (job.segments > most_read_at_once) return std::nullopt;
  const SqliteTextRows rows(db, home_of(job), job.id, job.number);
  const auto slice = rows.read(job.version, before_all_places, most_read_at_once, text_slice_bytes);
  if (slice.next && std::ssize(slice.segments) < job.segments) return std::nullopt;
  std::vector<PlacedSegment> found;
  for (const auto& stored : slice.segments) {
    if (auto one = decoded(stored)) found.push_back(*std::move(one));
  }
  return found;
}

// Returns the first column of the first row of a query.
template <class... Values>
std::optional<std::int64_t> first_of(SQLite::Database& db, const std::string& sql,
                                     const Values&... values) {
  SQLite::Statement query(db, sql);
  SQLite::bind(query, values...);
  if (!query.executeStep() || query.getColumn(0).isNull()) return std::nullopt;
  return query.getColumn(0).getInt64();
}

}  // namespace

TextSearch::TextSearch(SQLite::Database& db, std::span<const std::string> texts) : db_(db) {
  for (const auto& text : texts) {
    std::string wanted = folded_utf8(protocol::strip(text));
    if (wanted.empty()) continue;
    if (wanted_.empty()) first_text_ = protocol::strip(text);
    const bool is_long = protocol::length(wanted) >= trigram;
    std::string phrase = is_long ? phrase_of(wanted) : "";
    wanted_.push_back({std::move(wanted), std::move(phrase)});
  }
}

std::optional<std::int64_t> TextSearch::next(const std::optional<std::string>& owner,
                                             std::int64_t number) {
  const std::int64_t below =
      number > 0 ? number : std::numeric_limits<std::int64_t>::max() >> row_bits;
  const auto lead =
      std::ranges::find_if(wanted_, [](const auto& one) { return !one.phrase.empty(); });
  const std::string mine = owner ? " AND owner = ?2" : " AND ?2 = ''";
  const std::string of_owner = owner.value_or("");
  if (lead == wanted_.end()) {
    return first_of(db_, "SELECT max(number) FROM all_jobs WHERE number < ?1" + mine, below,
                    of_owner);
  }
  const auto row = first_of(
      db_, "SELECT rowid FROM main.search WHERE search MATCH ? AND rowid < ? ORDER BY rowid DESC",
      lead->phrase, search_row(below, 0));
  const auto on_the_disk =
      first_of(db_, "SELECT max(number) FROM main.jobs WHERE indexed = 0 AND number < ?1" + mine,
               below, of_owner);
  const auto here = first_of(db_, "SELECT max(number) FROM memory.jobs WHERE number < ?1" + mine,
                             below, of_owner);
  const std::int64_t newest =
      std::max({row ? job_of_row(*row) : 0, on_the_disk.value_or(0), here.value_or(0)});
  if (newest == 0) return std::nullopt;
  return newest;
}

bool TextSearch::is_in_index(const Job& job, const Wanted& wanted) {
  const std::int64_t first = search_row(job.number, 0), last = search_row(job.number, title_row);
  if (wanted.phrase.empty()) {
    return first_of(db_, "SELECT 1 FROM main.search WHERE rowid BETWEEN ? AND ? AND instr(text, ?)",
                    first, last, wanted.text)
        .has_value();
  }
  return first_of(db_, "SELECT 1 FROM main.search WHERE search MATCH ? AND rowid BETWEEN ? AND ?",
                  wanted.phrase, first, last)
      .has_value();
}

// The rows of a job are read where a text is too short for the index.
bool TextSearch::has_to_read(const Job& job) {
  const bool has_short =
      std::ranges::any_of(wanted_, [](const Wanted& one) { return one.phrase.empty(); });
  return has_short || !is_indexed(db_, job.number);
}

std::optional<bool> TextSearch::passes(const Job& job) {
  if (job.segments > most_read_at_once && has_to_read(job)) return std::nullopt;
  if (is_indexed(db_, job.number)) {
    return std::ranges::all_of(wanted_, [&](const Wanted& one) { return is_in_index(job, one); });
  }
  auto segments = read_whole(db_, job);
  if (!segments) return std::nullopt;
  auto texts = names_in(db_, home_of(job), job);
  texts.push_back(job.title);
  texts.push_back(job.request.title);
  for (auto& one : *segments) texts.push_back(std::move(one.segment.text));
  return std::ranges::all_of(wanted_, [&](const Wanted& one) {
    return std::ranges::any_of(texts,
                               [&](const std::string& text) { return contains(text, one.text); });
  });
}

std::optional<std::vector<std::int64_t>> TextSearch::segments_with(const Job& job,
                                                                   const Wanted& wanted, int most) {
  std::vector<std::int64_t> found;
  if (!is_indexed(db_, job.number)) {
    const auto segments = read_whole(db_, job);
    if (!segments) return std::nullopt;
    for (const auto& one : *segments) {
      if (static_cast<int>(found.size()) == most) break;
      if (contains(one.segment.text, wanted.text)) found.push_back(one.id);
    }
    return found;
  }
  const bool is_short = wanted.phrase.empty();
  SQLite::Statement query(
      db_, fmt::format("SELECT rowid FROM main.search WHERE {} AND rowid BETWEEN ?2 AND ?3 "
                       "ORDER BY rowid LIMIT ?4",
                       is_short ? "instr(text, ?1)" : "search MATCH ?1"));
  SQLite::bind(query, is_short ? wanted.text : wanted.phrase, search_row(job.number, 0),
               search_row(job.number, first_unused_segment - 1), most);
  while (query.executeStep()) {
    found.push_back(query.getColumn(0).getInt64() - search_row(job.number, 0));
  }
  return found;
}

std::optional<std::vector<TextMatch>> TextSearch::matches(const Job& job, int most) {
  std::vector<TextMatch> found;
  if (wanted_.empty()) return found;
  if (job.segments > most_read_at_once && has_to_read(job)) return std::nullopt;
  const SqliteTextRows rows(db_, home_of(job), job.id, job.number);
  const TextFinder finder(first_text_, {.match_case = false});
  const auto ids = segments_with(job, wanted_.front(), most);
  if (!ids) return std::nullopt;
  for (const std::int64_t id : *ids) {
    const auto stored = rows.find(job.version, id);
    const auto placed = stored ? decoded(*stored) : std::nullopt;
    if (!placed) continue;
    const std::string text(protocol::strip(placed->segment.text));
    auto spans = finder.find_in(text);
    if (spans.empty()) continue;
    found.push_back({id, placed->segment.start, text, std::move(spans)});
  }
  return found;
}

std::optional<std::vector<TextMatch>> matches_in(SQLite::Database& db, const std::string& id,
                                                 const std::string& text, int most) {
  SQLite::Statement query(db, "SELECT * FROM all_jobs WHERE id = ?");
  SQLite::bind(query, id);
  const auto job = read_first(query);
  if (!job) return std::vector<TextMatch>();
  return TextSearch(db, {&text, 1}).matches(*job, most);
}

}  // namespace server
