#include "server/uploads_postgres/postgres_upload_catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "server/inputs/disk_room.h"
#include "server/jobs_postgres/database_calls.h"

namespace server {
namespace {

using postgres::Rows;
using postgres::Step;

constexpr char upload_columns[] = "id, owner, name, bytes, received, expires, metadata";

Upload read_upload(const Rows::Row& row) {
  return {.id = row.text("id"),
          .owner = row.text("owner"),
          .name = row.text("name"),
          .bytes = static_cast<std::uint64_t>(row.integer("bytes")),
          .received = static_cast<std::uint64_t>(row.integer("received")),
          .expires = row.real("expires"),
          .metadata = row.text("metadata")};
}

// Enters one at a time of an owner. The lock's name differs from that of the owner's jobs.
void lock_uploads(Step& step, const std::string& owner) {
  step.query("SELECT pg_advisory_xact_lock(hashtextextended('uploads of ' || $1, 0))", owner);
}

// How many bytes an upload counts with, as Upload::counted().
std::string counted_bytes() {
  return fmt::format("greatest(received, least(bytes, {}))", most_bytes_ahead);
}

Result<void> check_number(Step& step, const Upload& upload, const UploadTerms& terms) {
  const auto of_one = step.query(
      "SELECT count(*) AS uploads, count(*) FILTER (WHERE received < bytes) AS unfinished "
      "FROM uploads WHERE owner = $1",
      upload.owner);
  if (static_cast<std::size_t>(of_one[0].integer("uploads")) >= terms.most_of_one) {
    return too_many_uploads(terms.most_of_one);
  }
  const auto unfinished = static_cast<std::size_t>(of_one[0].integer("unfinished"));
  if (!upload.is_whole() && unfinished >= terms.most_unfinished_of_one) {
    return too_many_unfinished(terms.most_unfinished_of_one);
  }
  return {};
}

// Checks whether so many more bytes fit.
Result<void> check_bytes(Step& step, const std::string& owner, std::uint64_t more,
                         const UploadTerms& terms) {
  const auto sum = [&step](const std::string& condition, const std::string& whose) {
    const auto rows =
        step.query(fmt::format("SELECT coalesce(sum({}), 0)::bigint AS bytes FROM uploads WHERE {}",
                               counted_bytes(), condition),
                   whose);
    return static_cast<std::uint64_t>(rows[0].integer("bytes"));
  };
  if (sum("owner = $1", owner) + more > terms.bytes_of_one) {
    return too_many_bytes_of_uploads(terms.bytes_of_one);
  }
  if (sum("$1::text IS NOT NULL", owner) + more > terms.total_bytes) return no_room_for_uploads();
  return {};
}

class PostgresUploadCatalog final : public UploadCatalog, postgres::DatabaseCalls {
 public:
  // A request waits for these calls, so they give up sooner than those of jobs.
  explicit PostgresUploadCatalog(const PostgresUploadSettings& settings)
      : DatabaseCalls(postgres::ConnectionSettings{.address = settings.address,
                                                   .schema = settings.schema,
                                                   .statement_timeout = std::chrono::seconds(5),
                                                   .silence = std::chrono::seconds(10),
                                                   .answer_timeout = std::chrono::seconds(10)}) {}

  Result<EnteredUpload> add(const Upload& upload, const UploadTerms& terms) override {
    return attempt<EnteredUpload>([&](Step& step) -> Result<EnteredUpload> {
      lock_uploads(step, upload.owner);
      if (auto known = find_row(step, upload.id, upload.owner, "FOR UPDATE")) {
        if (upload.is_whole() && !known->is_whole()) return finish(step, upload, terms);
        return EnteredUpload{*std::move(known)};
      }
      if (upload.is_entered) return no_such_upload();
      if (const auto fits = check_number(step, upload, terms); !fits) return fits.error();
      const auto fits = check_bytes(step, upload.owner, upload.bytes, terms);
      if (!fits) return fits.error();
      const auto received = upload.is_whole() ? upload.bytes : 0;
      const double keep_s =
          upload.is_whole() ? terms.keep_s : std::min(terms.keep_s, longest_without_a_byte_s);
      const auto added = step.query(
          fmt::format("INSERT INTO uploads VALUES ($1, $2, $3, $4, $5, scribed_now() + $6::float8, "
                      "$7) RETURNING {}",
                      upload_columns),
          upload.id, upload.owner, upload.name, upload.bytes, received, keep_s, upload.metadata);
      return EnteredUpload{read_upload(added[0])};
    });
  }

  Result<std::uint64_t> add_part(const std::string& id, const std::string& owner,
                                 const UploadPart& part, const UploadTerms& terms) override {
    return attempt<std::uint64_t>([&](Step& step) -> Result<std::uint64_t> {
      lock_uploads(step, owner);
      const auto grown = step.query(
          "UPDATE uploads SET received = received + $4::bigint, expires = "
          "CASE WHEN received = 0 THEN scribed_now() + $5::float8 ELSE expires END "
          "WHERE id = $1 AND owner = $2 AND received = $3 AND received + $4::bigint < bytes "
          "RETURNING received",
          id, owner, part.from, part.bytes, terms.keep_s);
      if (grown.empty()) {
        const auto known = find_row(step, id, owner);
        return known ? wrong_offset(known->received) : no_such_upload();
      }
      const auto parts =
          step.query("SELECT count(*) AS parts FROM upload_parts WHERE upload = $1", id);
      if (parts[0].integer("parts") >= most_upload_parts) return too_many_parts();
      if (const auto fits = check_bytes(step, owner, 0, terms); !fits) return fits.error();
      step.query("INSERT INTO upload_parts VALUES ($1, $2, $3, $4)", part.id, id, part.from,
                 part.bytes);
      return static_cast<std::uint64_t>(grown[0].integer("received"));
    });
  }

  Result<void> keep_coming(const std::vector<std::string>& ids, double keep_s) override {
    return attempt<void>([&](Step& step) -> Result<void> {
      step.query(
          "UPDATE uploads SET expires = scribed_now() + $2::float8 "
          "WHERE id = ANY (string_to_array($1, ',')) AND received = 0",
          list_of(ids), keep_s);
      return {};
    });
  }

  Result<std::vector<UploadPart>> parts(const std::string& id) override {
    return attempt<std::vector<UploadPart>>([&](Step& step) -> Result<std::vector<UploadPart>> {
      const auto rows = step.query(
          "SELECT id, first, bytes FROM upload_parts WHERE upload = $1 ORDER BY first", id);
      std::vector<UploadPart> found;
      for (int i = 0; i < rows.size(); ++i) {
        found.push_back({.id = rows[i].text("id"),
                         .from = static_cast<std::uint64_t>(rows[i].integer("first")),
                         .bytes = static_cast<std::uint64_t>(rows[i].integer("bytes"))});
      }
      return found;
    });
  }

  Result<std::optional<Upload>> find(const std::string& id, const std::string& owner) override {
    return attempt<std::optional<Upload>>(
        [&](Step& step) -> Result<std::optional<Upload>> { return find_row(step, id, owner); });
  }

  Result<std::vector<Upload>> list(const std::string& owner) override {
    return attempt<std::vector<Upload>>([&](Step& step) -> Result<std::vector<Upload>> {
      const auto rows = step.query(
          fmt::format("SELECT {} FROM uploads WHERE owner = $1 ORDER BY expires DESC, id",
                      upload_columns),
          owner);
      std::vector<Upload> found;
      for (int i = 0; i < rows.size(); ++i) found.push_back(read_upload(rows[i]));
      return found;
    });
  }

  Result<std::vector<std::string>> remove(const std::string& id,
                                          const std::string& owner) override {
    return attempt<std::vector<std::string>>([&](Step& step) -> Result<std::vector<std::string>> {
      return forget(step, step.query("SELECT id FROM uploads WHERE id = $1 AND owner = $2 "
                                     "FOR UPDATE",
                                     id, owner));
    });
  }

  Result<std::vector<std::string>> take_expired(int most) override {
    return attempt<std::vector<std::string>>([&](Step& step) -> Result<std::vector<std::string>> {
      return forget(step, step.query("SELECT id FROM uploads WHERE expires <= scribed_now() "
                                     "LIMIT $1 FOR UPDATE SKIP LOCKED",
                                     most));
    });
  }

  Result<std::vector<std::string>> missing(const std::vector<std::string>& ids) override {
    return attempt<std::vector<std::string>>([&](Step& step) -> Result<std::vector<std::string>> {
      return ids_of(
          step.query("SELECT id FROM unnest(string_to_array($1, ',')) AS given (id) "
                     "WHERE NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.id = given.id) "
                     "AND NOT EXISTS (SELECT 1 FROM upload_parts WHERE upload_parts.id = given.id)",
                     list_of(ids)));
    });
  }

  Result<std::vector<std::string>> unfinished(const std::vector<std::string>& ids) override {
    return attempt<std::vector<std::string>>([&](Step& step) -> Result<std::vector<std::string>> {
      return ids_of(
          step.query("SELECT id FROM uploads WHERE id = ANY (string_to_array($1, ',')) "
                     "AND received < bytes",
                     list_of(ids)));
    });
  }

 private:
  // The row is locked.
  static Result<EnteredUpload> finish(Step& step, const Upload& upload, const UploadTerms& terms) {
    const auto rows =
        step.query(fmt::format("UPDATE uploads SET received = bytes, "
                               "expires = scribed_now() + $2::float8 WHERE id = $1 RETURNING {}",
                               upload_columns),
                   upload.id, terms.keep_s);
    if (const auto fits = check_bytes(step, upload.owner, 0, terms); !fits) return fits.error();
    return EnteredUpload{
        read_upload(rows[0]),
        ids_of(step.query("DELETE FROM upload_parts WHERE upload = $1 RETURNING id", upload.id))};
  }

  // Removes uploads whose rows are locked, and returns their ids and those of their parts.
  static std::vector<std::string> forget(Step& step, const Rows& uploads) {
    auto ids = ids_of(uploads);
    const std::string list = list_of(ids);
    std::ranges::move(ids_of(step.query("DELETE FROM upload_parts "
                                        "WHERE upload = ANY (string_to_array($1, ',')) "
                                        "RETURNING id",
                                        list)),
                      std::back_inserter(ids));
    step.query("DELETE FROM uploads WHERE id = ANY (string_to_array($1, ','))", list);
    return ids;
  }

  // Ids are of letters and digits.
  static std::string list_of(const std::vector<std::string>& ids) {
    return fmt::format("{}", fmt::join(ids, ","));
  }

  static std::optional<Upload> find_row(Step& step, const std::string& id, const std::string& owner,
                                        const char* lock = "") {
    const auto rows = step.query(
        fmt::format("SELECT {} FROM uploads WHERE id = $1 AND owner = $2 {}", upload_columns, lock),
        id, owner);
    if (rows.empty()) return std::nullopt;
    return read_upload(rows[0]);
  }

  static std::vector<std::string> ids_of(const Rows& rows) {
    std::vector<std::string> ids;
    for (int i = 0; i < rows.size(); ++i) ids.push_back(rows[i].text("id"));
    return ids;
  }
};

}  // namespace

std::unique_ptr<UploadCatalog> open_postgres_upload_catalog(
    const PostgresUploadSettings& settings) {
  return std::make_unique<PostgresUploadCatalog>(settings);
}

}  // namespace server
