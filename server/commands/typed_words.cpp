#include "server/commands/typed_words.h"

#include <algorithm>
#include <string_view>

namespace server {
namespace {

constexpr std::string_view folder_option = "--output-dir";

std::string spelt(const std::string& word) {
  if (!word.starts_with("--")) return word;
  const auto equals = std::min(word.find('='), word.size());
  std::string name = word.substr(0, equals);
  std::ranges::replace(name, '_', '-');
  if (name == "--output-format") name = "--format";
  return name + word.substr(equals);
}

std::string as_folder(std::string_view path) {
  return std::string(path) + (path.ends_with('/') ? "" : "/");
}

// Takes `help` out of the line, and asks for the help of what it named.
void read_help(std::vector<std::string>& words) {
  if (words.empty() || words.front() != "help") return;
  words.erase(words.begin());
  words.emplace_back("--help");
}

}  // namespace

std::vector<std::string> typed_words(std::vector<std::string> words) {
  read_help(words);
  const auto end = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != end; ++word) {
    *word = spelt(*word);
    if (word->starts_with(std::string(folder_option) + "=")) {
      *word = "--output=" + as_folder(word->substr(folder_option.size() + 1));
    } else if (*word == folder_option && word + 1 != end) {
      *word = "--output";
      ++word;
      *word = as_folder(*word);
    }
  }
  return words;
}

}  // namespace server
