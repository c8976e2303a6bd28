#pragma once

#include <boost/beast/http/fields.hpp>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/error.h"
#include "server/http/key_line.h"
#include "server/http/principal.h"

namespace server {

// The keys that may use this server, kept only as their SHA-256.
class ApiKeys {
 public:
  // Makes an open server: no key is asked for, and everybody is "local" and may do everything. The
  // first call of add_…() ends that for good, even if it fails.
  ApiKeys() = default;

  // Adds a file's keys, one a line as parse_key_line() has it. A name may have several keys.
  // Errors: usage; bad_config where the file holds no key.
  Result<void> add_file(const std::filesystem::path& file);
  Result<void> add_lines(std::string_view text);
  // Adds one key with all rights, by the name "default". Errors: usage.
  Result<void> add_key(std::string_view key);

  bool is_open() const { return is_open_; }
  std::size_t size() const { return keys_.size(); }
  // Returns the number of different names (owners of jobs).
  std::size_t names() const;
  // Returns the limits of each name that has some. Of several lines of a name the smallest holds.
  const std::map<std::string, KeyLimits>& limits() const { return limits_; }
  // Returns whether that name has keys that have not ended and all of those have the right. It is
  // for clients that were authenticated before.
  bool may(std::string_view name, Right right, std::time_t now = std::time(nullptr)) const;
  // Reads "Authorization: Bearer KEY" and nothing else. Errors: unauthorized. The time does not
  // depend on where a wrong key differs.
  Result<Principal> authenticate(const boost::beast::http::fields& headers,
                                 std::time_t now = std::time(nullptr)) const;
  // Returns whose key this is, for a client that sends it in another way. Otherwise as above.
  Result<Principal> find(std::string_view key, std::time_t now = std::time(nullptr)) const;
  // Returns the proofs (key_proof.h) that this server knows the keys of that id, without those that
  // have ended.
  std::vector<std::string> proofs(std::string_view id, std::string_view nonce,
                                  std::string_view address,
                                  std::time_t now = std::time(nullptr)) const;
  // Returns whose key has this SHA-256, for who has shown the key before. Otherwise as above.
  Result<Principal> find_hash(const KeyHash& hash, std::time_t now = std::time(nullptr)) const;

 private:
  Result<void> add_line(std::string_view text);

  bool is_open_ = true;
  std::vector<KeyLine> keys_{};
  std::map<std::string, KeyLimits> limits_{};
};

}  // namespace server
