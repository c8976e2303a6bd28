#include "server/jobs_postgres/stored_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace server::postgres {
namespace {

constexpr std::int64_t row_bytes = 32;  // that a row takes besides its text
constexpr int most_rows_at_once = 100'000;

// Of the job with the number in the column that is named.
std::string text_bytes_of(const char* number) {
  return fmt::format(
      "(SELECT coalesce(sum(octet_length(body::text)), 0) FROM segments WHERE job = {0}) + "
      "(SELECT coalesce(sum({1} + octet_length(origin)), 0) FROM versions WHERE job = {0}) + "
      "(SELECT coalesce(sum({1} + coalesce(octet_length(content), 0)), 0) FROM revisions "
      "WHERE job = {0})",
      number, row_bytes);
}

}  // namespace

void count_text(Step& step, std::int64_t job) {
  step.query(fmt::format("UPDATE jobs SET text_bytes = {} WHERE number = $1",
                         text_bytes_of("jobs.number")),
             job);
}

bool count_next(Step& step) {
  return step.query(
                 fmt::format("UPDATE jobs SET text_bytes = {} WHERE number = (SELECT number FROM "
                             "jobs WHERE text_bytes < 0 ORDER BY number DESC LIMIT 1 FOR UPDATE "
                             "SKIP LOCKED)",
                             text_bytes_of("jobs.number")))
             .affected() > 0;
}

std::int64_t stored_of_owner(Step& step, const std::string& owner) {
  const auto rows = step.query(
      "SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM stored WHERE owner = $1", owner);
  return rows[0].integer("bytes");
}

StoredBytes stored_of_all(Step& step) {
  const auto rows =
      step.query("SELECT owner, sum(bytes)::bigint AS bytes FROM stored GROUP BY owner");
  StoredBytes found;
  for (int i = 0; i < rows.size(); ++i) {
    const auto bytes = std::max<std::int64_t>(0, rows[i].integer("bytes"));
    if (bytes > 0) found[rows[i].text("owner")] = static_cast<std::uint64_t>(bytes);
  }
  return found;
}

void put_stored_together(Step& step) {
  step.query(
      "WITH picked AS MATERIALIZED (SELECT ctid FROM stored LIMIT $1 FOR UPDATE SKIP LOCKED), "
      "gone AS (DELETE FROM stored USING picked WHERE stored.ctid = picked.ctid "
      "RETURNING owner, bytes) INSERT INTO stored SELECT owner, sum(bytes) FROM gone "
      "GROUP BY owner HAVING sum(bytes) <> 0",
      most_rows_at_once);
}

}  // namespace server::postgres
