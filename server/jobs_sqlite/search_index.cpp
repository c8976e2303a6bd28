#include "server/jobs_sqlite/search_index.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "protocol/text_rules.h"
#include "server/jobs/folded_text.h"
#include "server/jobs/searched_names.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/text_rows.h"

namespace server {
namespace {

void put(SQLite::Database& db, std::int64_t row, std::string_view text) {
  SQLite::Statement remove(db, "DELETE FROM main.search WHERE rowid = ?");
  SQLite::bind(remove, row);
  remove.exec();
  const auto content = protocol::strip(text);
  if (content.empty()) return;
  SQLite::Statement add(db, "INSERT INTO main.search (rowid, text) VALUES (?, ?)");
  SQLite::bind(add, row, folded_utf8(content));
  add.exec();
}

void put_title(SQLite::Database& db, const Job& job) {
  const std::string& file = job.request.title;
  put(db, search_row(job.number, title_row), job.title.empty() ? file : job.title + "\n" + file);
}

void put_speakers(SQLite::Database& db, const Job& job) {
  put(db, search_row(job.number, names_row),
      fmt::format("{}", fmt::join(names_in(db, on_disk, job), "\n")));
}

}  // namespace

std::int64_t search_row(std::int64_t job, std::int64_t row) {
  return job << row_bits | row;
}

std::int64_t job_of_row(std::int64_t row) {
  return row >> row_bits;
}

bool is_indexed(SQLite::Database& db, std::int64_t job) {
  SQLite::Statement query(db, "SELECT 1 FROM main.jobs WHERE number = ? AND indexed = 1");
  SQLite::bind(query, job);
  return query.executeStep();
}

void index_title(SQLite::Database& db, const Job& job) {
  if (is_indexed(db, job.number)) put_title(db, job);
}

void index_speakers(SQLite::Database& db, const Job& job) {
  if (is_indexed(db, job.number)) put_speakers(db, job);
}

void index_segment(SQLite::Database& db, std::int64_t job, std::int64_t segment,
                   const std::string& text) {
  if (segment < first_unused_segment && is_indexed(db, job))
    put(db, search_row(job, segment), text);
}

void index_job(SQLite::Database& db, const Job& job) {
  SQLite::Statement forget(db, "DELETE FROM main.search WHERE rowid BETWEEN ? AND ?");
  SQLite::bind(forget, search_row(job.number, 0), search_row(job.number, title_row));
  forget.exec();
  put_title(db, job);
  put_speakers(db, job);
  const SqliteTextRows rows(db, on_disk, job.id, job.number);
  for (const auto& [id, text] : rows.texts(job.version)) {
    if (id < first_unused_segment) put(db, search_row(job.number, id), text);
  }
  SQLite::Statement done(db, "UPDATE main.jobs SET indexed = 1 WHERE number = ?");
  SQLite::bind(done, job.number);
  done.exec();
}

bool index_next(SQLite::Database& db) {
  SQLite::Statement query(db,
                          "SELECT * FROM main.jobs WHERE indexed = 0 ORDER BY number DESC LIMIT 1");
  const auto job = read_first(query);
  if (!job) return false;
  query.reset();
  SQLite::Transaction transaction(db);
  index_job(db, *job);
  transaction.commit();
  return true;
}

std::vector<std::string> names_in(SQLite::Database& db, const char* database, const Job& job) {
  std::vector<std::string> speakers;
  SQLite::Statement query(
      db, fmt::format("SELECT DISTINCT json_extract(segment, '$.speaker') FROM {}.segments "
                      "WHERE job = ?",
                      database));
  SQLite::bind(query, job.id);
  while (query.executeStep()) speakers.push_back(query.getColumn(0).getString());
  return searched_names(job, speakers);
}

}  // namespace server
