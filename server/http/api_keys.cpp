#include "server/http/api_keys.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "platform/unique_fd.h"
#include "server/http/key_proof.h"

namespace server {
namespace {

constexpr std::size_t max_file = 1 << 20;

Error usage(std::string message, std::string fix) {
  return {errc::usage, std::move(message), std::move(fix)};
}

Rights all_rights() {
  return {Right::transcribe, Right::read_status, Right::manage, Right::back_up};
}

bool has_ended(const KeyLine& key, std::time_t now) {
  return key.until && static_cast<double>(now) >= *key.until;
}

template <class Number>
void lower(std::optional<Number>& limit, const std::optional<Number>& other) {
  if (other) limit = std::min(limit.value_or(*other), *other);
}

void lower(KeyLimits& limits, const KeyLimits& others) {
  lower(limits.requests_per_minute, others.requests_per_minute);
  lower(limits.running_jobs, others.running_jobs);
  lower(limits.stored_bytes, others.stored_bytes);
  lower(limits.sound_seconds_per_day, others.sound_seconds_per_day);
  lower(limits.weight, others.weight);
}

Error unauthorized(const char* message) {
  return {errc::unauthorized, message, "Send the header: Authorization: Bearer KEY"};
}

// Opens without waiting and refuses endless files, because the file is read again while the daemon
// works.
Result<std::string> read_private_file(const std::filesystem::path& file) {
  const platform::UniqueFd fd(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct ::stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return usage("The file of API keys " + file.string() + " cannot be read.",
                 "Name a file that this user can read.");
  }
  if ((status.st_mode & S_IRWXO) != 0) {
    return usage("Everybody on this machine can use the file of API keys " + file.string() + ".",
                 "Run: chmod 600 " + file.string());
  }
  std::string text(std::min<std::size_t>(static_cast<std::size_t>(status.st_size), max_file), '\0');
  const auto got = ::read(fd.get(), text.data(), text.size());
  if (got != static_cast<ssize_t>(status.st_size)) {
    return usage("The file of API keys " + file.string() + " cannot be read whole.",
                 "It may have " + std::to_string(max_file) + " bytes.");
  }
  return text;
}

}  // namespace

Result<void> ApiKeys::add_file(const std::filesystem::path& file) {
  is_open_ = false;
  const auto text = read_private_file(file);
  if (!text) return text.error();
  const auto before = keys_.size();
  if (const auto added = add_lines(*text); !added) return added;
  if (keys_.size() > before) return {};
  return Error{errc::bad_config, "The file of API keys " + file.string() + " holds no key.",
               "Write a line for each: NAME KEY [transcribe, read_status, manage]. To serve "
               "everybody name no file."};
}

Result<void> ApiKeys::add_lines(std::string_view text) {
  is_open_ = false;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    const auto added = add_line(line);
    if (!added) {
      return usage("Line " + std::to_string(number) +
                       " of the API keys is not valid: " + added.error().message,
                   added.error().fix);
    }
  }
  return {};
}

Result<void> ApiKeys::add_line(std::string_view text) {
  auto parsed = parse_key_line(text);
  if (!parsed) return parsed.error();
  if (!*parsed) return {};
  KeyLine& line = **parsed;
  if (std::ranges::count(keys_, line.hash, &KeyLine::hash) > 0) {
    return usage("The key is given twice.", "Give each user another key.");
  }
  if (line.limits != KeyLimits{}) lower(limits_[line.name], line.limits);
  keys_.push_back(std::move(line));
  return {};
}

Result<void> ApiKeys::add_key(std::string_view key) {
  is_open_ = false;
  if (auto checked = check_key(key); !checked) return checked;
  keys_.push_back({.name = "default", .hash = hash_of_key(key), .rights = all_rights()});
  return {};
}

std::size_t ApiKeys::names() const {
  std::set<std::string_view> names;
  for (const auto& key : keys_) names.insert(key.name);
  return names.size();
}

bool ApiKeys::may(std::string_view name, Right right, std::time_t now) const {
  if (is_open_) return true;
  bool is_known = false;
  for (const auto& key : keys_) {
    if (key.name != name || has_ended(key, now)) continue;
    if (!key.rights.contains(right)) return false;
    is_known = true;
  }
  return is_known;
}

Result<Principal> ApiKeys::authenticate(const boost::beast::http::fields& headers,
                                        std::time_t now) const {
  namespace http = boost::beast::http;
  if (is_open_) return Principal{"local", all_rights()};
  if (headers.count(http::field::authorization) != 1) {
    return unauthorized("An API key is needed here.");
  }
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view value = headers[http::field::authorization];
  if (!boost::beast::iequals(value.substr(0, scheme.size()), scheme)) {
    return unauthorized("An API key is needed here, as a bearer token.");
  }
  return find(value.substr(scheme.size()), now);
}

Result<Principal> ApiKeys::find(std::string_view key, std::time_t now) const {
  return find_hash(hash_of_key(key), now);
}

std::vector<std::string> ApiKeys::proofs(std::string_view id, std::string_view nonce,
                                         std::string_view address, std::time_t now) const {
  std::vector<std::string> proofs;
  for (const auto& line : keys_) {
    if (has_ended(line, now) || key_id(line.hash) != id) continue;
    proofs.push_back(key_proof(line.hash, nonce, address));
  }
  return proofs;
}

Result<Principal> ApiKeys::find_hash(const KeyHash& hash, std::time_t now) const {
  if (is_open_) return Principal{"local", all_rights()};
  const KeyLine* found = nullptr;
  for (const auto& line : keys_) {
    if (::CRYPTO_memcmp(line.hash.data(), hash.data(), hash.size()) == 0) found = &line;
  }
  if (!found) return unauthorized("The API key is not valid.");
  if (has_ended(*found, now)) {
    return Error{errc::unauthorized, "The API key has expired.",
                 "Ask the administrator of this server for another one."};
  }
  const auto limits = limits_.find(found->name);
  return Principal{found->name, found->rights,
                   limits == limits_.end() ? KeyLimits{} : limits->second, found->until,
                   found->hash};
}

}  // namespace server
