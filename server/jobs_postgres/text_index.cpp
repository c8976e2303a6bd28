#include "server/jobs_postgres/text_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/text_rules.h"

namespace server::postgres {
namespace {

constexpr int most_rows = 2000;

// A user who may not make the extension may find it made by another one, perhaps in a schema that
// only that one may use. The tables are the same without the index.
constexpr char make_index[] = R"(
DO $make$
DECLARE
  letters text;
BEGIN
  BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXCEPTION WHEN OTHERS THEN
    NULL;
  END;
  SELECT quote_ident(nspname) || '.gin_trgm_ops' INTO letters FROM pg_extension
    JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm';
  IF letters IS NULL THEN
    RETURN;
  END IF;
  EXECUTE 'CREATE INDEX IF NOT EXISTS segments_by_letters ON segments USING gin (folded '
    || letters || ')';
  EXECUTE 'CREATE INDEX IF NOT EXISTS revisions_by_letters ON revisions USING gin (folded '
    || letters || ')';
  EXECUTE 'CREATE INDEX IF NOT EXISTS jobs_by_letters ON jobs USING gin (found_by '
    || letters || ')';
EXCEPTION WHEN insufficient_privilege THEN
  NULL;
END
$make$;
)";

// Three letters or figures in a row, as the database knows them, are what the index has; a text
// without would have all of it read.
bool can_be_found(Step& step, const std::string& text) {
  return step
      .query(
          "SELECT to_regclass('segments_by_letters') IS NOT NULL AND $1 ~ '[[:alnum:]]{3}' AS "
          "can_be",
          text)[0]
      .flag("can_be");
}

std::size_t count_letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

// Returns the pattern of LIKE for texts that have this one in them.
std::string pattern_of(std::string text) {
  for (const char* special : {"\\", "%", "_"}) {
    text = protocol::replace_all(text, special, std::string("\\") + special);
  }
  return "%" + text + "%";
}

}  // namespace

void make_text_index(Step& step) {
  step.execute(make_index);
}

// The longest text is in the fewest jobs, so the others are looked for in those.
std::optional<std::vector<std::int64_t>> jobs_with_texts(Step& step,
                                                         const std::optional<std::string>& owner,
                                                         const std::vector<std::string>& texts) {
  const auto longest = std::ranges::max_element(texts, {}, count_letters);
  if (longest == texts.end() || !can_be_found(step, *longest)) return std::nullopt;
  const auto rows_of = [](const char* table, const char* job, const char* text) {
    return fmt::format(
        "(SELECT own.number FROM {0} AS found JOIN jobs AS own ON own.number = found.{1} "
        "WHERE found.{2} LIKE $1 AND ($2::text IS NULL OR own.owner = $2) LIMIT $3)",
        table, job, text);
  };
  const auto rows = step.query(
      fmt::format("SELECT number FROM ({} UNION ALL {} UNION ALL {}) AS found",
                  rows_of("segments", "job", "folded"), rows_of("revisions", "job", "folded"),
                  rows_of("jobs", "number", "found_by")),
      pattern_of(*longest), owner, most_rows);
  if (rows.size() >= most_rows) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < rows.size(); ++i) numbers.push_back(rows[i].integer("number"));
  return numbers;
}

}  // namespace server::postgres
