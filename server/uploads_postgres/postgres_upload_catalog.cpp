#include "server/uploads_postgres/postgres_upload_catalog.h"

#include <chrono>
#include <utility>

#include "server/inputs/disk_room.h"
#include "server/jobs_postgres/database_calls.h"

namespace server {
namespace {

using postgres::Rows;
using postgres::Step;

constexpr char upload_columns[] = "id, owner, name, bytes, expires";

Upload read_upload(const Rows::Row& row) {
  const auto bytes = static_cast<std::uint64_t>(row.integer("bytes"));
  return {.id = row.text("id"),
          .owner = row.text("owner"),
          .name = row.text("name"),
          .bytes = bytes,
          .received = bytes,
          .expires = row.real("expires")};
}

// Enters one at a time of an owner. The lock's name differs from that of the owner's jobs.
void lock_uploads(Step& step, const std::string& owner) {
  step.query("SELECT pg_advisory_xact_lock(hashtextextended('uploads of ' || $1, 0))", owner);
}

Result<void> check_terms(Step& step, const Upload& upload, const UploadTerms& terms) {
  const auto of_one = step.query(
      "SELECT count(*) AS uploads, coalesce(sum(bytes), 0)::bigint AS bytes FROM uploads "
      "WHERE owner = $1",
      upload.owner);
  if (static_cast<std::size_t>(of_one[0].integer("uploads")) >= terms.most_of_one) {
    return too_many_uploads(terms.most_of_one);
  }
  const auto own = static_cast<std::uint64_t>(of_one[0].integer("bytes"));
  if (own + upload.bytes > terms.bytes_of_one) return too_many_bytes(terms.bytes_of_one);
  const auto all = step.query("SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM uploads");
  const auto total = static_cast<std::uint64_t>(all[0].integer("bytes"));
  if (total + upload.bytes > terms.total_bytes) return no_room_for_uploads();
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

  Result<Upload> add(const Upload& upload, const UploadTerms& terms) override {
    return attempt<Upload>([&](Step& step) -> Result<Upload> {
      lock_uploads(step, upload.owner);
      if (auto known = find_row(step, upload.id, upload.owner)) return *std::move(known);
      if (const auto fits = check_terms(step, upload, terms); !fits) return fits.error();
      const auto added = step.query(
          std::string("INSERT INTO uploads VALUES ($1, $2, $3, $4, scribed_now() + $5::float8) "
                      "RETURNING ") +
              upload_columns,
          upload.id, upload.owner, upload.name, upload.bytes, terms.keep_s);
      return read_upload(added[0]);
    });
  }

  Result<std::optional<Upload>> find(const std::string& id, const std::string& owner) override {
    return attempt<std::optional<Upload>>(
        [&](Step& step) -> Result<std::optional<Upload>> { return find_row(step, id, owner); });
  }

  Result<std::vector<Upload>> list(const std::string& owner) override {
    return attempt<std::vector<Upload>>([&](Step& step) -> Result<std::vector<Upload>> {
      const auto rows = step.query(std::string("SELECT ") + upload_columns +
                                       " FROM uploads WHERE owner = $1 ORDER BY expires DESC, id",
                                   owner);
      std::vector<Upload> found;
      for (int i = 0; i < rows.size(); ++i) found.push_back(read_upload(rows[i]));
      return found;
    });
  }

  Result<bool> remove(const std::string& id, const std::string& owner) override {
    return attempt<bool>([&](Step& step) -> Result<bool> {
      return step.query("DELETE FROM uploads WHERE id = $1 AND owner = $2", id, owner).affected() >
             0;
    });
  }

  Result<std::vector<std::string>> take_expired(int most) override {
    return attempt<std::vector<std::string>>([&](Step& step) -> Result<std::vector<std::string>> {
      return ids_of(step.query(
          "WITH old AS MATERIALIZED (SELECT id FROM uploads WHERE expires <= scribed_now() "
          "LIMIT $1 FOR UPDATE SKIP LOCKED) "
          "DELETE FROM uploads USING old WHERE uploads.id = old.id RETURNING uploads.id",
          most));
    });
  }

  Result<std::vector<std::string>> missing(const std::vector<std::string>& ids) override {
    return attempt<std::vector<std::string>>([&](Step& step) -> Result<std::vector<std::string>> {
      std::string list;  // ids are of letters and digits
      for (const auto& id : ids) list += (list.empty() ? "" : ",") + id;
      return ids_of(
          step.query("SELECT id FROM unnest(string_to_array($1, ',')) AS given (id) "
                     "WHERE NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.id = given.id)",
                     list));
    });
  }

 private:
  static std::optional<Upload> find_row(Step& step, const std::string& id,
                                        const std::string& owner) {
    const auto rows = step.query(
        std::string("SELECT ") + upload_columns + " FROM uploads WHERE id = $1 AND owner = $2", id,
        owner);
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
