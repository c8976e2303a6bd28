#include "server/http/key_line.h"

#include <openssl/sha.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <sstream>

namespace server {
namespace {

constexpr std::size_t min_key = 16;
constexpr std::size_t max_key = 512;
constexpr std::size_t max_name = 64;
constexpr double day_s = 86'400;
constexpr double least_weight = 0.1, most_weight = 100;

Error wrong_line(std::string message, std::string fix) {
  return {errc::usage, std::move(message), std::move(fix)};
}

std::optional<Right> parse_right(std::string_view name) {
  for (const Right right : {Right::transcribe, Right::read_status, Right::manage, Right::back_up}) {
    if (name == server::name(right)) return right;
  }
  return std::nullopt;
}

// Parses "[transcribe, manage]"; an empty text gives the default rights.
std::optional<Rights> parse_rights(std::string_view text) {
  if (text.empty()) return Rights{Right::transcribe, Right::read_status};
  if (!text.starts_with('[') || !text.ends_with(']') || text.size() < 3) return std::nullopt;
  std::string names(text.substr(1, text.size() - 2));
  std::ranges::replace(names, ',', ' ');
  std::istringstream words(names);
  Rights rights;
  for (std::string word; words >> word;) {
    const auto right = parse_right(word);
    if (!right) return std::nullopt;
    rights.insert(*right);
  }
  return rights;
}

bool is_key_name(std::string_view name) {
  return !name.empty() && name.size() <= max_name && std::ranges::all_of(name, [](char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z') || byte == '.' || byte == '_' || byte == '-';
  });
}

bool parse_hash(std::string_view hex, KeyHash& hash) {
  if (hex.size() != hash.size() * 2) return false;
  for (std::size_t at = 0; at < hash.size(); ++at) {
    const char* const begin = hex.data() + at * 2;
    const auto [rest, failure] = std::from_chars(begin, begin + 2, hash[at], 16);
    if (failure != std::errc{} || rest != begin + 2) return false;
  }
  return true;
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || rest != end || value < 1) return std::nullopt;
  return value;
}

std::optional<double> parse_weight(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  const bool is_whole = failure == std::errc{} && rest == end;
  if (!is_whole || !(value >= least_weight && value <= most_weight)) return std::nullopt;
  return value;
}

// Parses "2027-01-31", which lasts to the end of that day, or "2027-01-31T12:00:00Z".
std::optional<double> parse_end(const std::string& text) {
  std::tm parts{};
  const bool is_date = text.size() == 10;
  const char* const rest =
      ::strptime(text.c_str(), is_date ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (rest == nullptr || *rest != '\0') return std::nullopt;
  const int month = parts.tm_mon, day = parts.tm_mday;
  const auto time = static_cast<double>(::timegm(&parts));
  // February 30 would become a day of March.
  if (parts.tm_mon != month || parts.tm_mday != day) return std::nullopt;
  return is_date ? time + day_s : time;
}

// Reads one "name=value" behind the rights.
Result<void> read_option(const std::string& word, KeyLine& line) {
  const auto equals = word.find('=');
  const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
  if (name == "until") {
    line.until = parse_end(value);
    if (line.until) return {};
    return wrong_line("\"" + value + "\" is no end of a key.",
                      "Write a date, until=2027-01-31, or a time, until=2027-01-31T12:00:00Z.");
  }
  if (name == "weight") {
    line.limits.weight = parse_weight(value);
    if (line.limits.weight) return {};
    return wrong_line("weight must be a number from 0.1 to 100.",
                      "It is how many turns the name gets beside one of 1; leave it out for that.");
  }
  std::optional<std::int64_t>* limit = nullptr;
  if (name == "requests_per_minute") limit = &line.limits.requests_per_minute;
  if (name == "running_jobs") limit = &line.limits.running_jobs;
  if (name == "stored_bytes") limit = &line.limits.stored_bytes;
  if (name == "sound_seconds_per_day") limit = &line.limits.sound_seconds_per_day;
  if (limit == nullptr) {
    return wrong_line("There is no \"" + name + "\" of a key.",
                      "Write until, requests_per_minute, running_jobs, stored_bytes, "
                      "sound_seconds_per_day or weight.");
  }
  *limit = parse_count(value);
  if (*limit) return {};
  return wrong_line(name + " must be a whole number, at least 1.", "Leave it out for no limit.");
}

}  // namespace

Result<void> check_key_name(std::string_view name) {
  const bool is_local = name == "local";
  if (is_key_name(name) && !is_local && name != "-") return {};
  return wrong_line("\"" + std::string(name) + "\" cannot be the name of a key." +
                        (is_local ? " It owns the jobs of a server without keys." : ""),
                    "Write 1 to 64 letters, digits, \".\", \"_\" and \"-\".");
}

Result<void> check_key(std::string_view key) {
  const bool is_plain =
      std::ranges::all_of(key, [](char byte) { return byte > 0x20 && byte < 0x7f; });
  if (key.size() >= min_key && key.size() <= max_key && is_plain) return {};
  return wrong_line("An API key must have 16 to 512 characters, without spaces.",
                    "Make one with: openssl rand -hex 32");
}

KeyHash hash_of_key(std::string_view key) {
  KeyHash hash{};
  ::SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), hash.data());
  return hash;
}

// A "#" begins a comment only at the beginning of a word: keys may hold it.
Result<std::optional<KeyLine>> parse_key_line(std::string_view text) {
  std::istringstream words{std::string(text)};
  KeyLine line;
  std::string key, rights_text;
  if (!(words >> line.name) || line.name.starts_with('#')) return std::optional<KeyLine>();
  words >> key;
  for (std::string word; words >> word && !word.starts_with('#');) {
    if (word.find('=') == word.npos) {
      rights_text += word;
    } else if (auto read = read_option(word, line); !read) {
      return read.error();
    }
  }
  const auto rights = parse_rights(rights_text);
  if (key.empty() || !is_key_name(line.name) || !rights) {
    return wrong_line("It is not a name, a key and rights.",
                      "Write: NAME KEY [transcribe, read_status, manage]");
  }
  line.rights = *rights;
  if (key.starts_with("sha256:")) {
    if (!parse_hash(std::string_view(key).substr(7), line.hash)) {
      return wrong_line("The hash is not valid.", "Write sha256: and 64 hexadecimal digits.");
    }
  } else {
    if (auto checked = check_key(key); !checked) return checked.error();
    line.hash = hash_of_key(key);
  }
  return std::optional<KeyLine>(std::move(line));
}

}  // namespace server
