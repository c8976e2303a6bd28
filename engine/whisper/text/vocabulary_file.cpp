#include "engine/whisper/text/vocabulary_file.h"

#include <fstream>
#include <optional>
#include <utility>

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr size_t max_file_bytes = 64 << 20;

Result<Vocabulary> parse_file(const fs::path& file, std::string_view text) {
  const std::string extension = file.extension().string();
  if (extension == ".tiktoken") return parse_tiktoken(text);
  if (extension == ".json") return parse_token_json(text);
  if (extension == ".txt") return parse_token_lines(text);
  return Error{Errc::unknown_format, "is no kind of vocabulary known here",
               "name a .tiktoken, .json or .txt vocabulary or a folder that holds one"};
}

// Adds what lies beside a vocab.json, which holds text alone.
Result<void> add_tokens_beside(const fs::path& file, Vocabulary& vocabulary) {
  const fs::path added = file.parent_path() / "added_tokens.json";
  std::error_code ignored;
  if (file.filename() != "vocab.json" || !fs::is_regular_file(added, ignored)) return {};
  const auto text = read_vocabulary_text(added);
  if (!text) return text.error();
  return add_tokens(vocabulary, *text);
}

}  // namespace

std::optional<fs::path> vocabulary_file_in(const fs::path& folder, bool multilingual) {
  std::vector<const char*> names = {"tokenizer.json", "vocabulary.txt",        "vocabulary.json",
                                    "vocab.json",     "multilingual.tiktoken", "gpt2.tiktoken"};
  if (!multilingual) std::swap(names[4], names[5]);
  std::error_code ignored;
  for (const char* name : names) {
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  }
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".tiktoken" && entry.is_regular_file(ignored)) {
      return entry.path();
    }
  }
  return std::nullopt;
}

Result<std::string> read_vocabulary_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    return Error{Errc::unreadable, file.string() + " cannot be read", "check its permissions"};
  std::string text;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    text.append(buffer, in.gcount());
    if (text.size() > max_file_bytes) {
      return Error{Errc::damaged_vocabulary,
                   file.string() + " is larger than a vocabulary can be (64 MiB)",
                   "download the model again"};
    }
  }
  return text;
}

Result<Vocabulary> read_vocabulary(const fs::path& file_or_folder, bool multilingual) {
  std::error_code ignored;
  fs::path file = file_or_folder;
  if (fs::is_directory(file_or_folder, ignored)) {
    const auto found = vocabulary_file_in(file_or_folder, multilingual);
    if (!found) {
      return Error{Errc::not_found, file_or_folder.string() + " holds no vocabulary",
                   "put vocabulary.txt, tokenizer.json, vocab.json or a .tiktoken file there"};
    }
    file = *found;
  } else if (!fs::exists(file, ignored)) {
    return Error{Errc::not_found, file.string() + " does not exist", "check the path"};
  }
  // Opening a pipe would wait for its writer.
  if (!fs::is_regular_file(file, ignored)) {
    return Error{Errc::unreadable, file.string() + " is no file", "name a file or a folder"};
  }
  const auto text = read_vocabulary_text(file);
  if (!text) return text.error();
  auto vocabulary = parse_file(file, *text);
  if (vocabulary) {
    if (const auto fine = add_tokens_beside(file, *vocabulary); !fine) vocabulary = fine.error();
  }
  if (vocabulary) return vocabulary;
  Error error = vocabulary.error();
  error.message = file.string() + ": " + error.message;
  return error;
}

}  // namespace engine
