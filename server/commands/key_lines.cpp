#include "server/commands/key_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "server/base/random_bytes.h"
#include "server/http/key_line.h"
#include "server/http/principal.h"
#include "server/models/digest.h"

namespace server {
namespace {

constexpr std::string_view hash_prefix = "sha256:";
constexpr std::size_t id_digits = 12;

std::string hex_hash(std::string_view key) {
  Hasher hasher(Digest::Kind::sha256, key.size());
  hasher.update({key.data(), key.size()});
  return hasher.finish();
}

// Reads a line as ApiKeys does; nothing for a comment and a blank line.
std::optional<ListedKey> read_line(std::string_view line) {
  std::istringstream words{std::string(line)};
  ListedKey found;
  std::string key;
  if (!(words >> found.name) || found.name.starts_with('#') || !(words >> key)) return std::nullopt;
  for (std::string word; words >> word && !word.starts_with('#');) {
    found.rest += (found.rest.empty() ? "" : " ") + word;
  }
  const bool is_hashed = key.starts_with(hash_prefix);
  const std::string hash = is_hashed ? key.substr(hash_prefix.size()) : hex_hash(key);
  found.id = hash.substr(0, id_digits);
  return found;
}

// Calls `take` with each line and its end.
template <class Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto size = end == text.npos ? text.size() : end + 1;
    take(text.substr(0, size));
    text.remove_prefix(size);
  }
}

}  // namespace

KeyTerms key_terms(const std::string& rest) {
  KeyTerms terms;
  std::istringstream words(rest);
  std::string names;
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == word.npos) {
      names += word + ",";
    } else if (word.starts_with("until=")) {
      terms.until = word.substr(equals + 1);
    } else {
      terms.limits.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  std::ranges::replace_if(
      names, [](char byte) { return byte == ',' || byte == '[' || byte == ']'; }, ' ');
  std::istringstream rights(names);
  for (std::string right; rights >> right;) terms.rights.push_back(right);
  if (terms.rights.empty()) terms.rights = {name(Right::transcribe), name(Right::read_status)};
  return terms;
}

Result<std::string> rest_of_line(const std::string& name, const KeyTerms& terms) {
  std::string rest;
  if (!terms.rights.empty()) rest = fmt::format("[{}]", fmt::join(terms.rights, ", "));
  if (!terms.until.empty()) rest += " until=" + terms.until;
  std::set<std::string> limited;
  for (const auto& [limit, number] : terms.limits) {
    rest += " " + limit + "=" + number;
    if (!limited.insert(limit).second) {
      return Error{errc::usage, limit + " is given twice", "Give each limit once."};
    }
  }
  if (rest.starts_with(' ')) rest.erase(0, 1);
  KeyTerms wanted = terms;
  if (wanted.rights.empty()) wanted.rights = key_terms("").rights;
  const std::string line = with_key("", name, std::string(id_digits, '0'), rest);
  const auto listed = key_lines(line);
  const bool is_one = listed.size() == 1 && listed.front().name == name;
  if (!is_one || key_terms(listed.front().rest) != wanted) {
    return Error{errc::usage,
                 fmt::format("\"{}\" would change the meaning of the key's line", rest),
                 "Write --until DATE and --limit NAME=NUMBER, without spaces and brackets."};
  }
  const auto parsed = parse_key_line(line);
  if (!parsed) return parsed.error();
  return rest;
}

std::vector<ListedKey> key_lines(std::string_view text) {
  std::vector<ListedKey> lines;
  for_each_line(text, [&](std::string_view line) {
    if (auto found = read_line(line)) lines.push_back(*std::move(found));
  });
  return lines;
}

std::string with_key(std::string_view text, const std::string& name, std::string_view key,
                     const std::string& rest) {
  std::string edited(text);
  if (!edited.empty() && !edited.ends_with('\n')) edited += '\n';
  edited += name + "  " + std::string(hash_prefix) + hex_hash(key);
  if (!rest.empty()) edited += "  " + rest;
  return edited + "\n";
}

std::string without_keys(std::string_view text, std::string_view which,
                         std::vector<ListedKey>& removed) {
  std::string edited;
  for_each_line(text, [&](std::string_view line) {
    const auto found = read_line(line);
    if (found && (found->name == which || found->id == which)) {
      removed.push_back(*found);
    } else {
      edited += line;
    }
  });
  return edited;
}

std::string new_key() {
  std::array<unsigned char, 32> bytes{};
  if (!fill_with_random(bytes)) throw std::runtime_error("[keys] there are no random numbers");
  constexpr char digits[] = "0123456789abcdef";
  std::string key;
  for (const unsigned char byte : bytes) {
    key += digits[byte >> 4];
    key += digits[byte & 15];
  }
  return key;
}

}  // namespace server
