#include "server/jobs_sqlite/text_versions.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/jobs/job_json.h"
#include "server/jobs/job_text.h"
#include "server/jobs_sqlite/job_changes.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/search_index.h"
#include "server/jobs_sqlite/text_editor.h"

namespace server {
namespace {

using Ops = std::map<std::string, int>;

// What a version says of how it was made: {"ops": {"text": 2}}, or {"restored": 3}.
std::string encode_origin(const Ops& ops, std::optional<int> restored) {
  nlohmann::json origin{{"ops", ops}};
  if (restored) origin["restored"] = *restored;
  return protocol::json::dump(origin);
}

TextVersion read_version_row(SQLite::Statement& row) {
  TextVersion version{.version = row.getColumn(0).getInt(),
                      .created = row.getColumn(1).getDouble()};
  const auto origin = protocol::json::parse_object(row.getColumn(2).getString());
  if (!origin) return version;
  version.ops = origin->value("ops", Ops());
  if (origin->contains("restored")) version.restored = origin->value("restored", 0);
  return version;
}

// Finds the job whose text is to be changed.
boost::system::result<Job, EditRefusal> job_to_edit(SQLite::Database& db,
                                                    const TextTarget& target) {
  auto job = job_to_change(db, target.id, target.owner);
  if (!job) return EditRefusal{.error = job.error()};
  if (!has_ended(job->state)) {
    return EditRefusal{.error = {errc::job_not_ended,
                                 "The job has not ended, so its text may still change.",
                                 "Edit it when it has ended."}};
  }
  if (target.version && *target.version != job->version) {
    return EditRefusal{
        .error = {errc::version_conflict,
                  fmt::format("The text has changed meanwhile: it has version {}, and not {}.",
                              job->version, *target.version),
                  "Read the segments again, and edit those."},
        .version = job->version};
  }
  return *std::move(job);
}

std::optional<Error> check_room(SQLite::Database& db, const Job& job) {
  SQLite::Statement query(db,
                          "SELECT count(*) FROM (SELECT 1 FROM main.revisions WHERE job = ? "
                          "LIMIT ?)");
  SQLite::bind(query, job.number, max_revisions);
  query.executeStep();
  if (job.version < max_versions && query.getColumn(0).getInt() < max_revisions) return {};
  return Error{"too_many_versions", "The text has too many versions to be edited any further.",
               "Download it, and edit the file."};
}

void write_version(SQLite::Database& db, const Job& job, const TextChange& change,
                   const std::string& origin, double now) {
  SQLite::Statement add(db, "INSERT INTO main.versions VALUES (?, ?, ?, ?)");
  SQLite::bind(add, job.number, change.version, now, origin);
  add.exec();
  SQLite::Statement update(db,
                           "UPDATE main.jobs SET version = ?, segments = ?, speaker_names = ? "
                           "WHERE number = ?");
  SQLite::bind(update, change.version, change.segments, encode(change.speaker_names), job.number);
  update.exec();
  for (const auto& [id, segment] : change.changed) {
    index_segment(db, job.number, id, segment.text);
  }
  for (const auto id : change.removed) index_segment(db, job.number, id, "");
  if (change.speaker_names == job.speaker_names) return;
  Job named = job;
  named.speaker_names = change.speaker_names;
  index_speakers(db, named);
}

// Without a change nothing is committed.
TextChange finish(SQLite::Database& db, SQLite::Transaction& transaction, const Job& job,
                  const TextEditor& editor, const std::string& origin, double now) {
  auto change = editor.change();
  if (change.version == job.version) return change;
  write_version(db, job, change, origin, now);
  transaction.commit();
  return change;
}

}  // namespace

EditResult edit_text(SQLite::Database& db, const TextTarget& target,
                     std::span<const TextEdit> edits, double now) {
  SQLite::Transaction transaction(db);
  const auto job = job_to_edit(db, target);
  if (!job) return job.error();
  if (auto full = check_room(db, *job)) return EditRefusal{*std::move(full), {}, job->version};
  TextRows rows(db, on_disk, job->id, job->number);
  TextEditor editor(rows, *job);
  Ops ops;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const auto applied = editor.apply(edits[i]);
    if (!applied) return EditRefusal{applied.error(), i, job->version};
    ++ops[name_of(edits[i])];
  }
  return finish(db, transaction, *job, editor, encode_origin(ops, {}), now);
}

EditResult restore_text(SQLite::Database& db, const TextTarget& target, int version, double now) {
  SQLite::Transaction transaction(db);
  const auto job = job_to_edit(db, target);
  if (!job) return job.error();
  if (auto full = check_room(db, *job)) return EditRefusal{*std::move(full), {}, job->version};
  if (version < 0 || version > job->version) {
    return EditRefusal{no_such_version(version, job->version), {}, job->version};
  }
  TextRows rows(db, on_disk, job->id, job->number);
  TextEditor editor(rows, *job);
  editor.restore(version);
  return finish(db, transaction, *job, editor, encode_origin({{"restore", 1}}, version), now);
}

Result<TextPage> read_page(SQLite::Database& db, const char* database, const std::string& id,
                           std::optional<int> version, std::optional<std::int64_t> behind,
                           int limit) {
  SQLite::Statement query(
      db, fmt::format("SELECT number, version FROM {}.jobs WHERE id = ?", database));
  SQLite::bind(query, id);
  if (!query.executeStep()) return job_not_found(id);
  const int newest = query.getColumn(1).getInt();
  TextPage page{.version = version.value_or(newest)};
  if (page.version < 0 || page.version > newest) return no_such_version(page.version, newest);
  const TextRows rows(db, database, id, query.getColumn(0).getInt64());
  double place = -1;
  if (behind) {
    const auto found = rows.place_of(*behind);
    if (!found) {
      return Error{errc::usage,
                   fmt::format("The job never had a segment {} to go on behind.", *behind),
                   "Begin with the first page again."};
    }
    place = *found;
  }
  for (auto& one : rows.read(page.version, place, limit + 1)) {
    page.segments.push_back({one.id, std::move(one.segment)});
  }
  page.has_more = static_cast<int>(page.segments.size()) > limit;
  if (page.has_more) page.segments.pop_back();
  return page;
}

std::vector<TextVersion> read_versions(SQLite::Database& db, const std::string& id, int from,
                                       int limit) {
  SQLite::Statement query(db,
                          "SELECT version, created, ops FROM main.versions WHERE job = "
                          "(SELECT number FROM main.jobs WHERE id = ?) AND version <= ? "
                          "ORDER BY version DESC LIMIT ?");
  SQLite::bind(query, id, from, limit);
  std::vector<TextVersion> found;
  while (query.executeStep()) found.push_back(read_version_row(query));
  return found;
}

}  // namespace server
