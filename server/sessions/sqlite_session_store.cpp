#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "platform/unique_fd.h"
#include "server/sessions/session_store.h"

namespace server {
namespace {

constexpr int session_schema_version = 1;

constexpr char session_tables[] = R"(
CREATE TABLE sessions (
  token BLOB PRIMARY KEY,
  key BLOB NOT NULL,
  name TEXT NOT NULL,
  ends REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE shares (
  id TEXT PRIMARY KEY,
  token BLOB NOT NULL UNIQUE,
  job TEXT NOT NULL,
  owner TEXT NOT NULL,
  created REAL NOT NULL,
  ends REAL NOT NULL
) STRICT, WITHOUT ROWID;
)";

// SQLite's result codes, without a dependency on its header.
constexpr int sqlite_corrupt = 11, sqlite_full = 13, sqlite_not_a_database = 26;

Error session_error(const SQLite::Exception& failure) {
  const std::string what = fmt::format("The store of sessions fails: {}.", failure.what());
  switch (failure.getErrorCode()) {
    case sqlite_full:
      return {errc::out_of_disk, what, "Make room on the disk."};
    case sqlite_corrupt:
    case sqlite_not_a_database:
      return {"damaged_store", what, "Restart scribed: it starts without sessions and links."};
    default:
      return {errc::io_error, what, "See whether scribed may write into its state folder."};
  }
}

KeyHash hash_in(const SQLite::Column& column) {
  KeyHash hash{};
  const auto* bytes = static_cast<const unsigned char*>(column.getBlob());
  const auto count = std::min(hash.size(), static_cast<std::size_t>(column.getBytes()));
  if (bytes != nullptr) std::copy_n(bytes, count, hash.begin());
  return hash;
}

void bind_hash(SQLite::Statement& statement, int place, const KeyHash& hash) {
  statement.bind(place, hash.data(), static_cast<int>(hash.size()));
}

class SqliteSessionStore final : public SessionStore {
 public:
  explicit SqliteSessionStore(SQLite::Database db) : db_(std::move(db)) {}

  // The file is this process's alone, which knows what it has changed.
  Result<SessionChanges> changes(std::int64_t) override {
    return attempt<SessionChanges>([this] {
      return SessionChanges{.are_all = true, .sessions = sessions(), .shares = shares()};
    });
  }

  Result<void> add(const Session& session) override {
    return attempt<void>([&] {
      SQLite::Statement insert(db_, "INSERT INTO sessions VALUES (?, ?, ?, ?)");
      bind_hash(insert, 1, session.token);
      bind_hash(insert, 2, session.key);
      insert.bind(3, session.name);
      insert.bind(4, session.ends);
      insert.exec();
    });
  }

  Result<void> add(const Share& share) override {
    return attempt<void>([&] {
      SQLite::Statement insert(db_, "INSERT INTO shares VALUES (?, ?, ?, ?, ?, ?)");
      insert.bind(1, share.id);
      bind_hash(insert, 2, share.token);
      insert.bind(3, share.job);
      insert.bind(4, share.owner);
      insert.bind(5, share.created);
      insert.bind(6, share.ends);
      insert.exec();
    });
  }

  Result<void> remove_session(const KeyHash& token) override {
    return attempt<void>([&] {
      SQLite::Statement remove(db_, "DELETE FROM sessions WHERE token = ?");
      bind_hash(remove, 1, token);
      remove.exec();
    });
  }

  Result<void> remove_shares(std::span<const std::string> ids) override {
    return attempt<void>([&] {
      SQLite::Transaction together(db_);
      SQLite::Statement remove(db_, "DELETE FROM shares WHERE id = ?");
      for (const auto& id : ids) {
        remove.bind(1, id);
        remove.exec();
        remove.reset();
      }
      together.commit();
    });
  }

 private:
  std::vector<Session> sessions() {
    std::vector<Session> found;
    SQLite::Statement rows(db_, "SELECT token, key, name, ends FROM sessions ORDER BY ends");
    while (rows.executeStep()) {
      found.push_back({.token = hash_in(rows.getColumn(0)),
                       .key = hash_in(rows.getColumn(1)),
                       .name = rows.getColumn(2).getString(),
                       .ends = rows.getColumn(3).getDouble()});
    }
    return found;
  }

  std::vector<Share> shares() {
    std::vector<Share> found;
    SQLite::Statement rows(
        db_, "SELECT id, token, job, owner, created, ends FROM shares ORDER BY created");
    while (rows.executeStep()) {
      found.push_back({.id = rows.getColumn(0).getString(),
                       .token = hash_in(rows.getColumn(1)),
                       .job = rows.getColumn(2).getString(),
                       .owner = rows.getColumn(3).getString(),
                       .created = rows.getColumn(4).getDouble(),
                       .ends = rows.getColumn(5).getDouble()});
    }
    return found;
  }

  template <class T, class Work>
  static Result<T> attempt(const Work& work) {
    try {
      if constexpr (std::is_void_v<T>) {
        work();
        return {};
      } else {
        return work();
      }
    } catch (const SQLite::Exception& failure) {
      return session_error(failure);
    }
  }

  SQLite::Database db_;
};

// SQLite would make the file with the modes of the process.
Result<void> make_private_file(const std::filesystem::path& file) {
  const platform::UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (fd) return {};
  return Error{errc::io_error,
               fmt::format("{} cannot be made: {}.", file.string(), std::strerror(errno)),
               "See whether scribed may write there."};
}

void prepare_session_database(SQLite::Database& db) {
  db.setBusyTimeout(1000);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  const int version = db.execAndGet("PRAGMA user_version").getInt();
  if (version > session_schema_version) {
    throw SQLite::Exception("it is of a later version of scribed", sqlite_not_a_database);
  }
  if (version == session_schema_version) return;
  SQLite::Transaction transaction(db);
  db.exec(session_tables);
  db.exec(fmt::format("PRAGMA user_version = {}", session_schema_version));
  transaction.commit();
}

}  // namespace

Result<std::unique_ptr<SessionStore>> open_session_store(const std::filesystem::path& file) {
  if (!file.empty()) {
    if (const auto made = make_private_file(file); !made) return made.error();
  }
  try {
    SQLite::Database db(file.empty() ? std::string(":memory:") : file.string(),
                        SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    prepare_session_database(db);
    return std::unique_ptr<SessionStore>(new SqliteSessionStore(std::move(db)));
  } catch (const SQLite::Exception& failure) {
    return session_error(failure);
  }
}

}  // namespace server
