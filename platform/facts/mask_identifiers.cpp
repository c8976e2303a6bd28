#include "platform/facts/mask_identifiers.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/facts/file_reader.h"
#include "platform/facts/text.h"

namespace platform {
namespace {

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool is_hex(char letter) {
  return std::isxdigit(static_cast<unsigned char>(letter)) != 0;
}

bool stands_alone(std::string_view text, std::size_t at, std::size_t length) {
  const bool open_before = at > 0 && is_word(text[at - 1]);
  const bool open_after = at + length < text.size() && is_word(text[at + length]);
  return !open_before && !open_after;
}

// Returns whether a name (in small letters) is a word of reports, of the paths and variables in
// them, or a name of every machine of its kind.
bool is_word_of_reports(const std::string& name) {
  static const std::set<std::string, std::less<>> words{
      "amd",     "apple",     "arch",      "attention", "auto",    "backend",  "base",
      "batch",   "beam",      "bin",       "blocked",   "boot",    "bus",      "cache",
      "card",    "compute",   "cpu",       "cublas",    "cuda",    "cudnn",    "custom",
      "daemon",  "data",      "debian",    "deck",      "default", "degraded", "dev",
      "device",  "docker",    "doctor",    "dri",       "driver",  "etc",      "false",
      "fedora",  "free",      "geforce",   "gnu",       "gpu",     "graphics", "gtx",
      "hip",     "home",      "host",      "hsa",       "intel",   "kernel",   "kubernetes",
      "large",   "lib",       "lib64",     "libexec",   "library", "libtorch", "linux",
      "local",   "localhost", "log",       "lxc",       "mac",     "machine",  "medium",
      "memory",  "metal",     "microsoft", "mig",       "model",   "models",   "module",
      "mps",     "name",      "nobody",    "node",      "none",    "nouveau",  "null",
      "nvidia",  "nvml",      "opt",       "pack",      "pci",     "podman",   "power",
      "proc",    "pytorch",   "quadro",    "radeon",    "render",  "request",  "rocblas",
      "rocm",    "rocr",      "root",      "rtx",       "run",     "runtime",  "runtimes",
      "scribed", "scripts",   "server",    "service",   "share",   "small",    "srv",
      "steam",   "sys",       "system",    "tesla",     "test",    "tiny",     "tmp",
      "torch",   "true",      "turbo",     "ubuntu",    "unknown", "user",     "usr",
      "uvm",     "value",     "var",       "vendor",    "version", "video",    "whisper",
      "windows", "worker",    "wsl",       "yes"};
  std::string small = name;
  std::ranges::transform(small, small.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return words.contains(small);
}

// Returns whether masking this name everywhere would make the report unreadable.
bool says_something_else(const std::string& name) {
  const bool number = name.find_first_not_of("0123456789") == name.npos;
  return name.size() < 3 || number || is_word_of_reports(name);
}

// A name or folder, and the text that replaces it.
struct Secret {
  std::string text{};
  const char* mask = "";
  bool only_in_address = false;  // masked only before or after an @
};

bool in_address(std::string_view text, std::size_t at, std::size_t length) {
  const auto end = at + length;
  return (at > 0 && text[at - 1] == '@') || (end < text.size() && text[end] == '@');
}

void hide(std::string& text, const Secret& secret) {
  const auto length = secret.text.size();
  for (auto at = text.find(secret.text); at != text.npos; at = text.find(secret.text, at)) {
    const bool meant =
        stands_alone(text, at, length) && (!secret.only_in_address || in_address(text, at, length));
    if (meant) text.replace(at, length, secret.mask);
    at += meant ? std::string_view(secret.mask).size() : length;
  }
}

struct Account {
  std::string name{};
  std::string home{};
};

// Returns the line of /etc/passwd of the user who runs this process.
Account this_account(const FileReader& files) {
  Account account;
  const auto id = std::to_string(::geteuid());
  files.lines("/etc/passwd", [&](std::string_view line) {
    const auto fields = split(line, ':');  // name:x:id:group:comment:home:shell
    if (fields.size() < 7 || fields[2] != id) return true;
    account = {std::string(fields[0]), std::string(fields[5])};
    return false;
  });
  return account;
}

class Secrets {
 public:
  void add_name(const std::string& name, const char* mask) {
    if (!name.empty()) secrets_.push_back({name, mask, says_something_else(name)});
  }
  // Adds a host's name, and its first part where it has a domain.
  void add_host(const std::string& name) {
    add_name(name, "<host>");
    add_name(name.substr(0, name.find('.')), "<host>");
  }
  // Adds a home folder, and the user that it is named after. /root reveals no more than "root".
  void add_home(std::string home) {
    while (home.ends_with('/')) home.pop_back();
    const auto slash = home.rfind('/');
    if (slash == home.npos || slash == 0) return;
    secrets_.push_back({home, "~"});
    add_name(home.substr(slash + 1), "<user>");
  }
  // Returns the secrets, longest first, so that a name inside a longer one is not replaced there.
  std::vector<Secret> take() {
    std::ranges::stable_sort(
        secrets_, [](const Secret& a, const Secret& b) { return a.text.size() > b.text.size(); });
    return std::move(secrets_);
  }

 private:
  std::vector<Secret> secrets_{};
};

std::vector<Secret> secrets_of(const System& system) {
  const FileReader files(system.root);
  const auto variable = [&](const char* name) {
    const auto found = system.environment.find(name);
    return found == system.environment.end() ? std::string() : found->second;
  };
  Secrets secrets;
  const auto account = this_account(files);
  for (const auto& home : {variable("HOME"), account.home}) secrets.add_home(home);
  for (const char* name : {"USER", "LOGNAME", "SUDO_USER"}) {
    secrets.add_name(variable(name), "<user>");
  }
  secrets.add_name(account.name, "<user>");
  secrets.add_host(variable("HOSTNAME"));
  secrets.add_host(files.word("/proc/sys/kernel/hostname"));
  secrets.add_host(files.word("/etc/hostname"));
  return secrets.take();
}

// Masks other people's home folders: the name after /home/ or /Users/.
void mask_homes(std::string& text) {
  for (const std::string folder : {"/home/", "/Users/"}) {
    for (auto at = text.find(folder); at != text.npos; at = text.find(folder, at)) {
      at += folder.size();
      const auto end = std::min(text.find_first_of("/:;,\"' \t\r\n<", at), text.size());
      if (end > at) text.replace(at, end - at, "<user>");
    }
  }
}

// Masks 8-4-4-4-12 hexadecimal digits. A prefix such as "GPU-" remains.
void mask_uuids(std::string& text) {
  constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const auto matches = [&](std::size_t at) {
    for (std::size_t i = 0; i < form.size(); ++i) {
      if (form[i] == '-' ? text[at + i] != '-' : !is_hex(text[at + i])) return false;
    }
    return true;
  };
  for (std::size_t at = 0; at + form.size() <= text.size(); ++at) {
    if (matches(at)) text.replace(at, form.size(), "<uuid>");
  }
}

bool same_letters(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

// Masks the word after "serial", "Serial Number:", "serial_no=", if it has a digit.
void mask_serials(std::string& text) {
  constexpr std::string_view serial = "serial";
  for (std::size_t at = 0; at + serial.size() < text.size(); ++at) {
    if (!same_letters(std::string_view(text).substr(at, serial.size()), serial)) continue;
    auto start = at + serial.size();
    const auto skip = [&](const char* letters) {
      start = std::min(text.find_first_not_of(letters, start), text.size());
    };
    skip(" _-");
    for (const std::string_view more : {"number", "no", "num"}) {
      if (!same_letters(std::string_view(text).substr(start, more.size()), more)) continue;
      start += more.size();
      break;
    }
    skip(" \t:=\".#");
    auto end = start;
    while (end < text.size() && (is_word(text[end]) || text[end] == '-')) ++end;
    const auto word = std::string_view(text).substr(start, end - start);
    if (word.find_first_of("0123456789") != word.npos) text.replace(start, end - start, "<serial>");
  }
}

std::string masked(std::string text, const std::vector<Secret>& secrets) {
  mask_uuids(text);
  mask_serials(text);
  for (const auto& secret : secrets) hide(text, secret);
  mask_homes(text);
  return text;
}

void mask_values(nlohmann::ordered_json& json, const std::vector<Secret>& secrets) {
  if (json.is_string()) json = masked(json.get<std::string>(), secrets);
  if (!json.is_structured()) return;
  for (auto& value : json) mask_values(value, secrets);
}

}  // namespace

std::string mask_identifiers(const std::string& text, const System& system) {
  return masked(text, secrets_of(system));
}

nlohmann::ordered_json mask_texts(nlohmann::ordered_json document, const System& system) {
  mask_values(document, secrets_of(system));
  return document;
}

}  // namespace platform
