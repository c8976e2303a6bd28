#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/error.h"

namespace server {

// A key of a key file (see ApiKeys), as it is listed: never the key itself.
struct ListedKey {
  std::string name{};
  std::string id{};    // how its hash begins, which tells the keys of one name apart
  std::string rest{};  // rights and what else the line says; empty: the default
};

// The meaning of the rest of a line. A line that no server takes may say anything.
struct KeyTerms {
  std::vector<std::string> rights{};
  std::string until{};  // as the line has it; empty: the key has no end
  std::vector<std::pair<std::string, std::string>> limits{};  // name and number

  bool operator==(const KeyTerms&) const = default;
};

// Reads the rest of a line. One without rights has the usual ones.
KeyTerms key_terms(const std::string& rest);

// Returns the rest of a new key's line that says these terms, where no rights stand for the usual
// ones. The line is read again, as this program and as a server read it: terms with which it would
// say anything else, as a limit that holds a space and a right, are an error (usage).
Result<std::string> rest_of_line(const std::string& name, const KeyTerms& terms);

// These functions read and edit the text of a key file. Comments, blank lines and all that a line
// says besides stay as they are.
std::vector<ListedKey> key_lines(std::string_view text);

// Adds a line with the key's hash. `rest` may be empty.
std::string with_key(std::string_view text, const std::string& name, std::string_view key,
                     const std::string& rest);

// Removes the keys whose name or id is `which`, and appends them to `removed`.
std::string without_keys(std::string_view text, std::string_view which,
                         std::vector<ListedKey>& removed);

// Returns a new key of 256 random bits.
std::string new_key();

}  // namespace server
