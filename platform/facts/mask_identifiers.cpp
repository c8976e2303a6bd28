#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/facts/file_reader.h"
#include "platform/facts/read_facts.h"
#include "platform/facts/text.h"

namespace platform {
namespace {

using Replacement = std::pair<std::string, std::string>;

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

void replace_words(std::string& text, const Replacement& replacement) {
  const auto& [word, mask] = replacement;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at)) {
    if (stands_alone(text, at, word.size())) {
      text.replace(at, word.size(), mask);
      at += mask.size();
    } else {
      at += word.size();
    }
  }
}

// Names under which every machine of its kind goes, and which words of a report also are.
bool says_nothing(const std::string& name) {
  static const std::set<std::string, std::less<>> common{"root",   "user",   "ubuntu",
                                                         "debian", "nobody", "localhost"};
  return name.size() < 2 || common.contains(name);
}

struct Account {
  std::string name{};
  std::string home{};
};

// The line of /etc/passwd of the user who runs this.
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

class Words {
 public:
  void add_name(const std::string& name, const char* mask) {
    if (!says_nothing(name)) words_.emplace_back(name, mask);
  }
  // A host's name, and its first part where it has a domain.
  void add_host(const std::string& name) {
    add_name(name, "<host>");
    add_name(name.substr(0, name.find('.')), "<host>");
  }
  // The folder, and the user that it is named after. /root says no more than "root".
  void add_home(std::string home) {
    while (home.ends_with('/')) home.pop_back();
    const auto slash = home.rfind('/');
    if (slash == home.npos || slash == 0) return;
    words_.emplace_back(home, "~");
    add_name(home.substr(slash + 1), "<user>");
  }
  // Longest first, so that a name inside a longer one is not taken out of it.
  std::vector<Replacement> take() {
    std::stable_sort(words_.begin(), words_.end(),
                     [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    return std::move(words_);
  }

 private:
  std::vector<Replacement> words_{};
};

std::vector<Replacement> words_of(const System& system) {
  const FileReader files(system.root);
  const auto variable = [&](const char* name) {
    const auto found = system.environment.find(name);
    return found == system.environment.end() ? std::string() : found->second;
  };
  Words words;
  const auto account = this_account(files);
  for (const auto& home : {variable("HOME"), account.home}) words.add_home(home);
  for (const char* name : {"USER", "LOGNAME", "SUDO_USER"}) {
    words.add_name(variable(name), "<user>");
  }
  words.add_name(account.name, "<user>");
  words.add_host(variable("HOSTNAME"));
  words.add_host(files.word("/proc/sys/kernel/hostname"));
  words.add_host(files.word("/etc/hostname"));
  return words.take();
}

// Other people's home folders: what follows /home/ or /Users/.
void mask_homes(std::string& text) {
  for (const std::string folder : {"/home/", "/Users/"}) {
    for (auto at = text.find(folder); at != text.npos; at = text.find(folder, at)) {
      at += folder.size();
      const auto end = std::min(text.find_first_of("/:;,\"' \t\r\n<", at), text.size());
      if (end > at) text.replace(at, end - at, "<user>");
    }
  }
}

// 8-4-4-4-12 hexadecimal digits. What stands before, such as "GPU-", remains.
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

// What follows "serial", "Serial Number:", "serial_no=": one word with a digit in it.
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

}  // namespace

std::string mask_identifiers(const std::string& text, const System& system) {
  std::string masked = text;
  mask_uuids(masked);
  mask_serials(masked);
  for (const auto& replacement : words_of(system)) replace_words(masked, replacement);
  mask_homes(masked);
  return masked;
}

}  // namespace platform
