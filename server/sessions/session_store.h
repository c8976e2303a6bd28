#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/base/error.h"
#include "server/http/key_line.h"

namespace server {

// A browser that has signed in. Its cookie and its key are kept as their SHA-256 alone. Times are
// seconds since 1970.
struct Session {
  KeyHash token{};     // of what the cookie holds
  KeyHash key{};       // of the key that it signed in with
  std::string name{};  // of that key
  double ends = 0;
};

// A link by which others read one job. Its token is kept as its SHA-256 alone.
struct Share {
  std::string id{};
  KeyHash token{};
  std::string job{};
  std::string owner{};  // of the job, who has made the link
  double created = 0;
  double ends = 0;
};

// A key for live sessions alone, which a program with a key of its own makes for a page or an app
// that it does not trust with that. It is kept as its SHA-256 alone.
struct ClientSecret {
  KeyHash value{};
  std::string maker{};           // the name of the key that has made it
  std::optional<KeyHash> key{};  // that key; nothing: the server needed none
  double ends = 0;               // no session begins with it after that
  std::string session{};         // what its sessions begin with, as JSON
};

// What a store has, or what has changed in it.
struct SessionChanges {
  bool are_all = false;             // these are all there are
  std::vector<Session> sessions{};  // that were added, the one that ends first before the others
  std::vector<Share> shares{};      // that were added, the oldest first
  std::vector<ClientSecret> secrets{};      // that were added
  std::vector<KeyHash> ended_sessions{};    // by the hash of the token
  std::vector<std::string> ended_shares{};  // by id
  std::int64_t last = 0;                    // the number of the last change
};

// Keeps sessions and share links over restarts. When one of its calls returns, its change is on the
// disk. It is used by one thread at a time. All errors are io_error, out_of_disk or damaged_store;
// database_unavailable and internal where a database has it.
class SessionStore {
 public:
  virtual ~SessionStore() = default;

  // Returns whether other daemons change it, too.
  virtual bool is_shared() const { return false; }

  // Returns what has changed since the change of that number; 0: all that is there.
  virtual Result<SessionChanges> changes(std::int64_t behind) = 0;

  virtual Result<void> add(const Session& session) = 0;
  virtual Result<void> add(const Share& share) = 0;
  // A store that no other daemon uses does not keep it: secrets end with their daemon there.
  virtual Result<void> add(const ClientSecret& /*secret*/) { return {}; }
  // What is not there is no error.
  virtual Result<void> remove_session(const KeyHash& token) = 0;
  // Removes all of them, or none.
  virtual Result<void> remove_shares(std::span<const std::string> ids) = 0;
};

// Opens the store in SQLite. An empty `file` is a store in memory. The file is made with mode 0600;
// one that is damaged, or of a later version of scribed, is an error, damaged_store.
Result<std::unique_ptr<SessionStore>> open_session_store(const std::filesystem::path& file);

}  // namespace server
