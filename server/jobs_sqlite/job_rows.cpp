#include "server/jobs_sqlite/job_rows.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <utility>

#include "protocol/word_speakers.h"
#include "server/jobs/edited_text.h"
#include "server/jobs/job_json.h"
#include "server/jobs_sqlite/text_rows.h"

namespace server {

Job read_job(SQLite::Statement& row) {
  Job job;
  job.id = row.getColumn("id").getString();
  job.number = row.getColumn("number").getInt64();
  job.state = static_cast<JobState>(row.getColumn("state").getInt());
  if (auto request = decode_request(row.getColumn("request").getString())) {
    job.request = *std::move(request);
  }
  job.epoch = row.getColumn("epoch").getInt64();
  job.attempts = row.getColumn("attempts").getInt();
  job.attempts_without_progress = row.getColumn("attempts_without_progress").getInt();
  job.created = row.getColumn("created").getDouble();
  job.started = row.getColumn("started").getDouble();
  job.finished = row.getColumn("finished").getDouble();
  job.expires = row.getColumn("expires").getDouble();
  job.position = row.getColumn("position").getDouble();
  job.duration = row.getColumn("duration").getDouble();
  job.language = row.getColumn("language").getString();
  job.segments = row.getColumn("segments").getInt();
  job.title = row.getColumn("title").getString();
  job.pinned = row.getColumn("pinned").getInt() != 0;
  job.version = row.getColumn("version").getInt();
  if (const auto error = row.getColumn("error"); !error.isNull()) {
    job.error = decode_error(error.getString());
  }
  if (const auto summary = row.getColumn("summary"); !summary.isNull()) {
    job.summary = decode_summary(summary.getString());
  }
  job.speaker_names = decode_speaker_names(row.getColumn("speaker_names").getString());
  job.request.detached = row.getColumn("detached").getInt() != 0;
  const double keep_s = row.getColumn("keep_s").getDouble();
  if (keep_s > 0) job.request.keep_results_s = keep_s;
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

std::vector<protocol::Segment> read_segments(SQLite::Database& db, const char* database,
                                             const std::string& id, int first, int limit) {
  SQLite::Statement job(db,
                        fmt::format("SELECT speaker_names FROM {}.jobs WHERE id = ?", database));
  SQLite::bind(job, id);
  if (!job.executeStep()) return {};
  const auto names = decode_speaker_names(job.getColumn(0).getString());
  SQLite::Statement query(db, fmt::format("SELECT segment FROM {}.segments WHERE job = ? "
                                          "AND number >= ? ORDER BY number LIMIT ?",
                                          database));
  SQLite::bind(query, id, first, limit);
  std::vector<protocol::Segment> found;
  while (query.executeStep()) {
    auto segment = decode_segment(query.getColumn(0).getString());
    if (!segment) continue;
    segment->speaker = protocol::called(names, segment->speaker);
    found.push_back(*std::move(segment));
  }
  return found;
}

namespace {

int count_segments(SQLite::Database& db, const char* database, const std::string& id) {
  SQLite::Statement count(db,
                          fmt::format("SELECT count(*) FROM {}.segments WHERE job = ?", database));
  SQLite::bind(count, id);
  count.executeStep();
  return count.getColumn(0).getInt();
}

}  // namespace

int name_stored_speakers(SQLite::Database& db, const char* database, const std::string& id,
                         std::span<const protocol::SpeakerTurn> turns) {
  constexpr int all = -1;
  const auto segments = read_segments(db, database, id, 0, all);
  // A row that cannot be read would be lost: then nobody is named.
  const int stored = count_segments(db, database, id);
  if (stored != static_cast<int>(segments.size())) return stored;
  const auto named = protocol::name_speakers(segments, turns);
  SQLite::Statement remove(db, fmt::format("DELETE FROM {}.segments WHERE job = ?", database));
  SQLite::bind(remove, id);
  remove.exec();
  SQLite::Statement add(db, fmt::format("INSERT INTO {}.segments VALUES (?, ?, ?)", database));
  int number = 0;
  for (const auto& segment : named) {
    SQLite::bind(add, id, number++, encode(segment));
    add.exec();
    add.reset();
  }
  SQLite::Statement count(db,
                          fmt::format("UPDATE {}.jobs SET segments = ? WHERE id = ?", database));
  SQLite::bind(count, number, id);
  count.exec();
  return number;
}

void read_options(SQLite::Database& db, const char* database, Job& job) {
  SQLite::Statement query(db, fmt::format("SELECT options FROM {0}.options WHERE job = "
                                          "(SELECT number FROM {0}.jobs WHERE id = ?)",
                                          database));
  SQLite::bind(query, job.id);
  if (!query.executeStep()) return;
  if (auto options = decode_options(query.getColumn(0).getString())) {
    job.request.options = *std::move(options);
  }
}

void drop_options(SQLite::Database& db, const char* database) {
  SQLite::Statement drop(db, fmt::format("DELETE FROM {0}.options WHERE job NOT IN "
                                         "(SELECT number FROM {0}.jobs WHERE state IN (?, ?))",
                                         database));
  SQLite::bind(drop, static_cast<int>(JobState::queued), static_cast<int>(JobState::running));
  drop.exec();
}

}  // namespace server
