#include "server/jobs/job_rows.h"

#include <SQLiteCpp/VariadicBind.h>

#include <utility>

#include "server/jobs/job_json.h"

namespace server {

Job read_job(SQLite::Statement& row) {
  Job job;
  job.id = row.getColumn("id").getString();
  job.state = static_cast<JobState>(row.getColumn("state").getInt());
  if (auto request = decode_request(row.getColumn("request").getString())) {
    job.request = *std::move(request);
  }
  job.attempts = row.getColumn("attempts").getInt();
  job.fruitless = row.getColumn("fruitless").getInt();
  job.created = row.getColumn("created").getDouble();
  job.started = row.getColumn("started").getDouble();
  job.finished = row.getColumn("finished").getDouble();
  job.expires = row.getColumn("expires").getDouble();
  job.position = row.getColumn("position").getDouble();
  job.duration = row.getColumn("duration").getDouble();
  job.language = row.getColumn("language").getString();
  job.segments = row.getColumn("segments").getInt();
  if (const auto error = row.getColumn("error"); !error.isNull()) {
    job.error = decode_error(error.getString());
  }
  if (const auto summary = row.getColumn("summary"); !summary.isNull()) {
    job.summary = decode_summary(summary.getString());
  }
  job.request.detached = row.getColumn("detached").getInt() != 0;
  return job;
}

std::vector<Job> read_all(SQLite::Statement& query) {
  std::vector<Job> jobs;
  while (query.executeStep()) jobs.push_back(read_job(query));
  return jobs;
}

std::optional<Job> read_first(SQLite::Statement& query) {
  if (!query.executeStep()) return std::nullopt;
  return read_job(query);
}

std::optional<Job> read_changed(SQLite::Statement& change) {
  auto job = read_first(change);
  while (change.hasRow()) change.executeStep();
  return job;
}

void read_options(SQLite::Database& db, Job& job) {
  SQLite::Statement query(db,
                          "SELECT options FROM options WHERE job = "
                          "(SELECT number FROM jobs WHERE id = ?)");
  SQLite::bind(query, job.id);
  if (!query.executeStep()) return;
  if (auto options = decode_options(query.getColumn(0).getString())) {
    job.request.options = *std::move(options);
  }
}

void drop_options(SQLite::Database& db) {
  SQLite::Statement drop(db,
                         "DELETE FROM options WHERE job NOT IN "
                         "(SELECT number FROM jobs WHERE state IN (?, ?))");
  SQLite::bind(drop, static_cast<int>(JobState::queued), static_cast<int>(JobState::running));
  drop.exec();
}

std::vector<Job> untold_jobs(SQLite::Database& db) {
  SQLite::Statement query(
      db,
      "SELECT * FROM jobs WHERE finished > 0 AND told = 0 "
      "AND json_extract(request, '$.webhook') != '' "
      "ORDER BY row_number() OVER (PARTITION BY owner ORDER BY number), number LIMIT 1000");
  return read_all(query);
}

int remove_excess(SQLite::Database& db, std::int64_t most_of_one) {
  SQLite::Statement remove(
      db,
      "DELETE FROM jobs WHERE number IN (SELECT number FROM "
      "(SELECT number, row_number() OVER (PARTITION BY owner ORDER BY number DESC) AS place "
      "FROM jobs WHERE finished > 0 AND owner IN "
      "(SELECT owner FROM jobs GROUP BY owner HAVING count(*) > ?1)) WHERE place > ?1)");
  SQLite::bind(remove, most_of_one);
  return remove.exec();
}

std::vector<WaitingOwner> waiting_owners(SQLite::Database& db, bool waited_for) {
  SQLite::Statement query(
      db,
      "SELECT min(number), "
      "(SELECT count(*) FROM jobs AS own WHERE own.state = ?2 AND own.owner = waiting.owner "
      "AND own.detached = ?3), "
      "(SELECT max(turn) FROM jobs AS own WHERE own.owner = waiting.owner) "
      "FROM jobs AS waiting WHERE state = ?1 AND detached = ?3 GROUP BY owner");
  SQLite::bind(query, static_cast<int>(JobState::queued), static_cast<int>(JobState::running),
               waited_for ? 0 : 1);
  std::vector<WaitingOwner> owners;
  while (query.executeStep()) {
    owners.push_back({.first = query.getColumn(0).getInt64(),
                      .running = query.getColumn(1).getInt(),
                      .last_begun = query.getColumn(2).getInt64()});
  }
  return owners;
}

// By owners_turn(), if nothing that runs ends meanwhile: with the n-th of an owner's jobs that
// wait, n - 1 more of them run, which were begun later than anything that runs now. Jobs that a
// client waits for have places of their own, and come first here.
std::vector<std::string> waiting_jobs(SQLite::Database& db) {
  SQLite::Statement query(
      db,
      "SELECT id FROM (SELECT id, detached, "
      "row_number() OVER (PARTITION BY owner, detached ORDER BY number) AS nth, "
      "first_value(number) OVER (PARTITION BY owner, detached ORDER BY number) AS first, "
      "(SELECT count(*) FROM jobs AS own WHERE own.state = ?2 AND own.owner = waiting.owner "
      "AND own.detached = waiting.detached) AS running, "
      "(SELECT max(turn) FROM jobs AS own WHERE own.owner = waiting.owner) AS begun "
      "FROM jobs AS waiting WHERE state = ?1) "
      "ORDER BY detached, running + nth, nth, begun, first");
  SQLite::bind(query, static_cast<int>(JobState::queued), static_cast<int>(JobState::running));
  std::vector<std::string> ids;
  while (query.executeStep()) ids.push_back(query.getColumn(0).getString());
  return ids;
}

}  // namespace server
