#include "server/http/api_keys.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <charconv>
#include <optional>
#include <sstream>

#include "platform/unique_fd.h"

namespace server {
namespace {

constexpr std::size_t min_key = 16;
constexpr std::size_t max_key = 512;
constexpr std::size_t max_name = 64;
constexpr std::size_t max_file = 1 << 20;

Error usage(std::string message, std::string fix) {
  return {errc::usage, std::move(message), std::move(fix)};
}

std::optional<Right> parse_right(std::string_view name) {
  if (name == "transcribe") return Right::transcribe;
  if (name == "read_status") return Right::read_status;
  if (name == "manage") return Right::manage;
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

bool is_name(std::string_view name) {
  return name.size() <= max_name && std::ranges::all_of(name, [](char byte) {
           return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                  (byte >= 'A' && byte <= 'Z') || byte == '.' || byte == '_' || byte == '-';
         });
}

Result<void> check_key(std::string_view key) {
  const bool is_plain =
      std::ranges::all_of(key, [](char byte) { return byte > 0x20 && byte < 0x7f; });
  if (key.size() >= min_key && key.size() <= max_key && is_plain) return {};
  return usage("An API key must have 16 to 512 characters, without spaces.",
               "Make one with: openssl rand -hex 32");
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

ApiKeys::Hash ApiKeys::hash_of(std::string_view key) {
  Hash hash{};
  ::SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), hash.data());
  return hash;
}

bool ApiKeys::parse_hash(std::string_view hex, Hash& hash) {
  if (hex.size() != hash.size() * 2) return false;
  for (std::size_t at = 0; at < hash.size(); ++at) {
    const char* const begin = hex.data() + at * 2;
    const auto [rest, failure] = std::from_chars(begin, begin + 2, hash[at], 16);
    if (failure != std::errc{} || rest != begin + 2) return false;
  }
  return true;
}

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

// A "#" begins a comment only at the beginning of a word: keys may hold it.
Result<void> ApiKeys::add_line(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string name, key, rights_text;
  if (!(words >> name) || name.starts_with('#')) return {};
  words >> key;
  for (std::string word; words >> word && !word.starts_with('#');) rights_text += word;
  const auto rights = parse_rights(rights_text);
  if (key.empty() || !is_name(name) || !rights) {
    return usage("It is not a name, a key and rights.",
                 "Write: NAME KEY [transcribe, read_status, manage]");
  }
  Key added{.principal = {.name = name, .rights = *rights}};
  if (key.starts_with("sha256:")) {
    if (!parse_hash(std::string_view(key).substr(7), added.hash)) {
      return usage("The hash is not valid.", "Write sha256: and 64 hexadecimal digits.");
    }
  } else {
    if (auto checked = check_key(key); !checked) return checked;
    added.hash = hash_of(key);
  }
  if (std::ranges::count(keys_, added.hash, &Key::hash) > 0) {
    return usage("The key is given twice.", "Give each user another key.");
  }
  keys_.push_back(std::move(added));
  return {};
}

Result<void> ApiKeys::add_key(std::string_view key) {
  is_open_ = false;
  if (auto checked = check_key(key); !checked) return checked;
  keys_.push_back(
      {.hash = hash_of(key),
       .principal = {.name = "default",
                     .rights = {Right::transcribe, Right::read_status, Right::manage}}});
  return {};
}

std::size_t ApiKeys::names() const {
  std::set<std::string_view> names;
  for (const auto& key : keys_) names.insert(key.principal.name);
  return names.size();
}

bool ApiKeys::may(std::string_view name, Right right) const {
  if (is_open_) return true;
  bool is_known = false;
  for (const auto& key : keys_) {
    if (key.principal.name != name) continue;
    if (!key.principal.may(right)) return false;
    is_known = true;
  }
  return is_known;
}

Result<Principal> ApiKeys::authenticate(const boost::beast::http::fields& headers) const {
  namespace http = boost::beast::http;
  if (is_open_) {
    return Principal{"local", {Right::transcribe, Right::read_status, Right::manage}};
  }
  if (headers.count(http::field::authorization) != 1) {
    return unauthorized("An API key is needed here.");
  }
  constexpr std::string_view scheme = "Bearer ";
  std::string_view value = headers[http::field::authorization];
  if (!boost::beast::iequals(value.substr(0, scheme.size()), scheme)) {
    return unauthorized("An API key is needed here, as a bearer token.");
  }
  value.remove_prefix(scheme.size());
  const Hash hash = hash_of(value);
  const Principal* found = nullptr;
  for (const auto& key : keys_) {
    if (::CRYPTO_memcmp(key.hash.data(), hash.data(), hash.size()) == 0) found = &key.principal;
  }
  if (!found) return unauthorized("The API key is not valid.");
  return *found;
}

}  // namespace server
