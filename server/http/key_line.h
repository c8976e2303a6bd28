#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "server/base/error.h"
#include "server/http/principal.h"

namespace server {

// What a line of a file of keys says. The key itself is not kept.
struct KeyLine {
  std::string name{};
  KeyHash hash{};
  Rights rights{};
  std::optional<double> until{};  // seconds since 1970, when the key ends; nothing: never
  KeyLimits limits{};
};

// Parses "NAME KEY [RIGHTS] until=2027-01-31 running_jobs=2 # comment". The rights are transcribe
// and read_status where the line has none, and a date is valid to its end in UTC. Returns nothing
// for an empty line or a comment. Errors: usage.
Result<std::optional<KeyLine>> parse_key_line(std::string_view line);

// Checks that a name can be that of new keys: it has 1 to 64 letters, digits, ".", "_" and "-", and
// is neither "local", the owner of the jobs of a server without keys, nor "-". Errors: usage.
Result<void> check_key_name(std::string_view name);

// Checks that a key has 16 to 512 characters and no spaces. Errors: usage.
Result<void> check_key(std::string_view key);
KeyHash hash_of_key(std::string_view key);

}  // namespace server
