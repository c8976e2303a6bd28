#include "engine/whisper/text/vocabulary.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "engine/whisper/text/byte_level.h"
#include "protocol/json_parse.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr size_t max_file_bytes = 64 << 20;
constexpr size_t max_tokens = 1 << 18;
constexpr size_t max_values = 1 << 20;  // of tokenizer.json, which has rules beside its tokens

Error damaged(std::string message) {
  return {Errc::damaged_vocabulary, std::move(message), "fetch the model again"};
}

std::string_view take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Collects tokens that come with their ids, in any order.
class Table {
 public:
  std::optional<Error> put(std::int64_t id, std::optional<std::string> bytes,
                           std::string_view spelling) {
    const std::string what = "token " + std::to_string(id);
    if (!bytes) return damaged(what + " is not spelled as one: '" + std::string(spelling) + "'");
    if (id < 0 || id >= static_cast<std::int64_t>(max_tokens)) {
      return damaged(what + " is outside 0.." + std::to_string(max_tokens - 1));
    }
    if (const auto size = static_cast<size_t>(id) + 1; size > tokens_.size()) {
      tokens_.resize(size);
      seen_.resize(size);
    }
    if (seen_[id]) return damaged(what + " is there twice");
    seen_[id] = true;
    tokens_[id] = std::move(*bytes);
    return std::nullopt;
  }

  Result<Tokens> take() {
    const auto gap = std::ranges::find(seen_, false);
    if (gap != seen_.end()) {
      return damaged("token " + std::to_string(gap - seen_.begin()) + " is missing");
    }
    return std::move(tokens_);
  }

 private:
  Tokens tokens_;
  std::vector<bool> seen_;
};

Result<Tokens> tokens_of_list(const nlohmann::json& list) {
  Table table;
  for (size_t id = 0; id < list.size(); ++id) {
    const auto* text = list[id].get_ptr<const std::string*>();
    if (!text) return damaged("token " + std::to_string(id) + " is not a string");
    if (const auto error = table.put(id, bytes_from_byte_level(*text), *text)) return *error;
  }
  return table.take();
}

Result<Tokens> tokens_of_object(const nlohmann::json& object) {
  Table table;
  for (const auto& [text, id] : object.items()) {
    if (!id.is_number_integer()) return damaged("token '" + text + "' has no number");
    const auto error = table.put(id.get<std::int64_t>(), bytes_from_byte_level(text), text);
    if (error) return *error;
  }
  return table.take();
}

Result<std::string> read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    return Error{Errc::unreadable, file.string() + " cannot be read", "check its permissions"};
  std::string text;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    text.append(buffer, in.gcount());
    if (text.size() > max_file_bytes) {
      return damaged(file.string() + " is larger than a vocabulary can be (64 MiB)");
    }
  }
  return text;
}

Result<Tokens> parse_file(const fs::path& file, std::string_view text) {
  const std::string extension = file.extension().string();
  if (extension == ".tiktoken") return parse_tiktoken(text);
  if (extension == ".json") return parse_token_json(text);
  if (extension == ".txt") return parse_token_lines(text);
  return Error{Errc::unknown_format, "is no kind of vocabulary known here",
               "name a .tiktoken, .json or .txt vocabulary or a folder that holds one"};
}

std::optional<fs::path> find_in_folder(const fs::path& folder, bool multilingual) {
  std::vector<const char*> names = {"vocabulary.txt", "vocabulary.json",       "vocab.json",
                                    "tokenizer.json", "multilingual.tiktoken", "gpt2.tiktoken"};
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

}  // namespace

Result<Tokens> parse_tiktoken(std::string_view text) {
  Table table;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (line.empty()) continue;
    const size_t space = line.find(' ');
    std::int64_t id = 0;
    const char* begin = line.data() + std::min(space, line.size() - 1) + 1;
    const char* end = line.data() + line.size();
    const auto [stop, failure] = std::from_chars(begin, end, id);
    if (space == line.npos || failure != std::errc() || stop != end) {
      return damaged("line " + std::to_string(number) + " is not '<base64> <number>'");
    }
    const std::string_view spelling = line.substr(0, space);
    if (const auto error = table.put(id, bytes_from_base64(spelling), spelling)) return *error;
  }
  return table.take();
}

Result<Tokens> parse_token_lines(std::string_view text) {
  Table table;
  for (std::int64_t id = 0; !text.empty(); ++id) {
    const std::string_view line = take_line(text);
    if (const auto error = table.put(id, bytes_from_byte_level(line), line)) return *error;
  }
  return table.take();
}

Result<Tokens> parse_token_json(std::string_view text) {
  const auto json = protocol::json::parse_text(text, {.values = max_values});
  if (!json) return damaged("is not valid JSON: " + json.error().message);
  if (json->is_array()) return tokens_of_list(*json);
  if (!json->is_object()) return damaged("holds neither a list nor a table of tokens");
  const auto model = json->find("model");
  if (model == json->end() || !model->is_object()) return tokens_of_object(*json);
  const auto vocabulary = model->find("vocab");
  if (vocabulary == model->end() || !vocabulary->is_object()) {
    return damaged("has no table of tokens at model.vocab");
  }
  return tokens_of_object(*vocabulary);
}

Result<Tokens> read_vocabulary(const fs::path& file_or_folder, bool multilingual) {
  std::error_code ignored;
  fs::path file = file_or_folder;
  if (fs::is_directory(file_or_folder, ignored)) {
    const auto found = find_in_folder(file_or_folder, multilingual);
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
  const auto text = read_text(file);
  if (!text) return text.error();
  auto tokens = parse_file(file, *text);
  if (!tokens) {
    Error error = tokens.error();
    error.message = file.string() + ": " + error.message;
    return error;
  }
  return tokens;
}

Result<Tokens> text_tokens(Tokens tokens, int count) {
  tokens.erase(std::ranges::find(tokens, "<|endoftext|>"), tokens.end());
  if (tokens.size() != static_cast<size_t>(count)) {
    return damaged("the vocabulary has " + std::to_string(tokens.size()) +
                   " text tokens; the model needs " + std::to_string(count));
  }
  std::unordered_set<std::string_view> known;
  for (size_t id = 0; id < tokens.size(); ++id) {
    if (!known.insert(tokens[id]).second) {
      return damaged("token " + std::to_string(id) + " of the vocabulary is a copy of another");
    }
  }
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    if (!known.contains(std::string_view(&c, 1))) {
      return damaged("the vocabulary has no token for the byte " + std::to_string(byte));
    }
  }
  return tokens;
}

}  // namespace engine
