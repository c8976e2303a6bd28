#pragma once

#include <array>
#include <boost/beast/http/fields.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/error.h"

namespace server {

enum class Right {
  transcribe,   // and read, cancel and delete one's own jobs and uploads
  read_status,  // the models, jobs and health of the whole server
  manage,       // load and unload models
};

using Rights = std::set<Right>;

// The sender of a request. `name` is the owner of jobs and uploads.
struct Principal {
  std::string name{};
  Rights rights{};

  bool may(Right right) const { return rights.contains(right); }
};

// The keys that may use this server, kept only as their SHA-256.
class ApiKeys {
 public:
  // Makes an open server: no key is asked for, and everybody is "local" and may do everything. The
  // first call of add_…() ends that for good, even if it fails.
  ApiKeys() = default;

  // Adds a file's keys, one a line: a name, a key (or "sha256:" and its hash in hexadecimal), and
  // in brackets the rights, which are transcribe and read_status by default. "#" begins a comment.
  // A name may have several keys. Errors: usage; bad_config where the file holds no key.
  Result<void> add_file(const std::filesystem::path& file);
  Result<void> add_lines(std::string_view text);
  // Adds one key with all rights, by the name "default". Errors: usage.
  Result<void> add_key(std::string_view key);

  bool is_open() const { return is_open_; }
  std::size_t size() const { return keys_.size(); }
  // Returns the number of different names (owners of jobs).
  std::size_t names() const;
  // Returns whether that name has keys and all of them have the right. It is for clients that were
  // authenticated before.
  bool may(std::string_view name, Right right) const;
  // Reads "Authorization: Bearer KEY" and nothing else. Errors: unauthorized. The time does not
  // depend on where a wrong key differs.
  Result<Principal> authenticate(const boost::beast::http::fields& headers) const;

 private:
  using Hash = std::array<unsigned char, 32>;
  struct Key {
    Hash hash{};
    Principal principal{};
  };

  Result<void> add_line(std::string_view line);
  static Hash hash_of(std::string_view key);
  static bool parse_hash(std::string_view hex, Hash& hash);

  bool is_open_ = true;
  std::vector<Key> keys_;
};

}  // namespace server
