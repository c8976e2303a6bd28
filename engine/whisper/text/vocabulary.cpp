#include "engine/whisper/text/vocabulary.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "engine/whisper/text/byte_level.h"
#include "protocol/json_parse.h"

namespace engine {
namespace {

constexpr std::int64_t max_tokens = 1 << 18;
constexpr size_t max_values = 1 << 20;  // of tokenizer.json, which has rules beside its tokens

Error damaged(std::string message) {
  return {Errc::damaged_vocabulary, std::move(message), "download the model again"};
}

bool is_spelled_as_special(std::string_view spelling) {
  return spelling.size() > 4 && spelling.starts_with("<|") && spelling.ends_with("|>");
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
  Table() = default;
  explicit Table(Vocabulary begun) : all_(std::move(begun)) {}

  // Puts a token that lies where a model has its text.
  std::optional<Error> put(std::int64_t id, std::optional<std::string> bytes,
                           std::string_view spelling) {
    const std::string what = "token " + std::to_string(id);
    if (!bytes) return damaged(what + " is not spelled as one: '" + std::string(spelling) + "'");
    if (auto error = make_place(id)) return error;
    if (kind(id) != TokenKind::none) return damaged(what + " is there twice");
    set(id, *std::move(bytes),
        is_spelled_as_special(spelling) ? TokenKind::special : TokenKind::text);
    return std::nullopt;
  }

  // Puts a token that was added to a vocabulary, which may have it already.
  std::optional<Error> put_added(std::int64_t id, const std::string& content, bool special) {
    if (auto error = make_place(id)) return error;
    if (kind(id) != TokenKind::none && all_.tokens[static_cast<size_t>(id)] != content) {
      return damaged("token " + std::to_string(id) + " is '" +
                     all_.tokens[static_cast<size_t>(id)] + "' and '" + content + "'");
    }
    set(id, content,
        special || is_spelled_as_timestamp(content) ? TokenKind::special : TokenKind::added);
    return std::nullopt;
  }

  // Fails where an id before the last merged token is no token's.
  Result<Vocabulary> take() {
    const auto last = std::ranges::find(all_.kinds.rbegin(), all_.kinds.rend(), TokenKind::text);
    const auto gap = std::ranges::find(all_.kinds.begin(), last.base(), TokenKind::none);
    if (gap != last.base()) {
      return damaged("token " + std::to_string(gap - all_.kinds.begin()) + " is missing");
    }
    return std::move(all_);
  }

 private:
  // Timestamps are added as if they were text.
  static bool is_spelled_as_timestamp(std::string_view spelling) {
    return is_spelled_as_special(spelling) &&
           spelling.find_first_not_of("0123456789.", 2) == spelling.size() - 2;
  }

  std::optional<Error> make_place(std::int64_t id) {
    if (id < 0 || id >= max_tokens) {
      return damaged("token " + std::to_string(id) + " is outside 0.." +
                     std::to_string(max_tokens - 1));
    }
    if (const auto size = static_cast<size_t>(id) + 1; size > all_.tokens.size()) {
      all_.tokens.resize(size);
      all_.kinds.resize(size, TokenKind::none);
    }
    return std::nullopt;
  }
  TokenKind kind(std::int64_t id) const { return all_.kinds[static_cast<size_t>(id)]; }
  void set(std::int64_t id, std::string bytes, TokenKind kind) {
    all_.tokens[static_cast<size_t>(id)] = std::move(bytes);
    all_.kinds[static_cast<size_t>(id)] = kind;
  }

  Vocabulary all_;
};

// Collects the tokens of a list, by their places. Behind the end of text they are what was added,
// spelled as it is.
class TokenList {
 public:
  std::optional<Error> push(std::string_view spelling) {
    const std::int64_t id = next_++;
    if (id == max_tokens) return damaged("more than " + std::to_string(max_tokens) + " tokens");
    const bool special = is_spelled_as_special(spelling);
    // CTranslate2 fills a list up to the model's size with the names of timestamps once more.
    if (special && !specials_.insert(std::string(spelling)).second) {
      return std::nullopt;
    }
    auto bytes = bytes_from_byte_level(spelling);
    if (!ended_ || special) {
      ended_ = ended_ || spelling == "<|endoftext|>";
      return table_.put(id, std::move(bytes), spelling);
    }
    return table_.put_added(id, bytes ? *bytes : std::string(spelling), false);
  }

  Result<Vocabulary> take() {
    auto all = table_.take();
    if (all) {
      all->tokens.resize(static_cast<size_t>(next_));
      all->kinds.resize(static_cast<size_t>(next_), TokenKind::none);
    }
    return all;
  }

 private:
  Table table_;
  std::unordered_set<std::string> specials_;
  std::int64_t next_ = 0;
  bool ended_ = false;
};

Result<Vocabulary> tokens_of_list(const nlohmann::json& list) {
  TokenList tokens;
  for (size_t id = 0; id < list.size(); ++id) {
    const auto* text = list[id].get_ptr<const std::string*>();
    if (!text) return damaged("token " + std::to_string(id) + " is not a string");
    if (const auto error = tokens.push(*text)) return *error;
  }
  return tokens.take();
}

std::optional<Error> put_object(const nlohmann::json& object, Table& table) {
  for (const auto& [text, id] : object.items()) {
    if (!id.is_number_integer()) return damaged("token '" + text + "' has no number");
    auto error = table.put(id.get<std::int64_t>(), bytes_from_byte_level(text), text);
    if (error) return error;
  }
  return std::nullopt;
}

// Reads "added_tokens" of tokenizer.json.
std::optional<Error> put_added_list(const nlohmann::json& document, Table& table) {
  const auto list = document.find("added_tokens");
  if (list == document.end() || !list->is_array()) return std::nullopt;
  for (const auto& token : *list) {
    const auto id = token.is_object() ? token.find("id") : token.end();
    const auto content = token.is_object() ? token.find("content") : token.end();
    if (id == token.end() || content == token.end() || !id->is_number_integer() ||
        !content->is_string()) {
      return damaged("an added token has no id or no content");
    }
    const auto special = token.find("special");
    const bool is_special = special != token.end() && special->is_boolean() && special->get<bool>();
    auto error = table.put_added(id->get<std::int64_t>(), content->get_ref<const std::string&>(),
                                 is_special);
    if (error) return error;
  }
  return std::nullopt;
}

}  // namespace

Result<Vocabulary> parse_tiktoken(std::string_view text) {
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

Result<Vocabulary> parse_token_lines(std::string_view text) {
  TokenList tokens;
  while (!text.empty()) {
    if (const auto error = tokens.push(take_line(text))) return *error;
  }
  return tokens.take();
}

Result<Vocabulary> parse_token_json(std::string_view text) {
  const auto json = protocol::json::parse_text(text, {.values = max_values});
  if (!json) return damaged("is not valid JSON: " + json.error().message);
  if (json->is_array()) return tokens_of_list(*json);
  if (!json->is_object()) return damaged("holds neither a list nor a table of tokens");
  Table table;
  const auto model = json->find("model");
  if (model == json->end() || !model->is_object()) {
    if (const auto error = put_object(*json, table)) return *error;
    return table.take();
  }
  const auto vocabulary = model->find("vocab");
  if (vocabulary == model->end() || !vocabulary->is_object()) {
    return damaged("has no table of tokens at model.vocab");
  }
  if (const auto error = put_object(*vocabulary, table)) return *error;
  if (const auto error = put_added_list(*json, table)) return *error;
  return table.take();
}

Result<void> add_tokens(Vocabulary& vocabulary, std::string_view added_json) {
  const auto json = protocol::json::parse_object(added_json, {.values = max_values});
  if (!json) return damaged("added_tokens.json is not valid: " + json.error().message);
  Table table(std::move(vocabulary));
  for (const auto& [content, id] : json->items()) {
    if (!id.is_number_integer()) return damaged("token '" + content + "' has no number");
    const bool special = is_spelled_as_special(content);
    const auto error = table.put_added(id.get<std::int64_t>(), content, special);
    if (error) return *error;
  }
  auto all = table.take();
  if (!all) return all.error();
  vocabulary = *std::move(all);
  return {};
}

Vocabulary vocabulary_of(Tokens tokens) {
  Vocabulary all{std::move(tokens), {}};
  for (const std::string& token : all.tokens) {
    all.kinds.push_back(is_spelled_as_special(token) ? TokenKind::special : TokenKind::text);
  }
  return all;
}

Result<void> check_text(const Vocabulary& vocabulary) {
  std::unordered_set<std::string_view> known;
  for (int id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.kinds[static_cast<size_t>(id)] != TokenKind::text) continue;
    if (!known.insert(vocabulary.tokens[static_cast<size_t>(id)]).second) {
      return damaged("token " + std::to_string(id) + " of the vocabulary is a copy of another");
    }
  }
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    if (!known.contains(std::string_view(&c, 1))) {
      return damaged("the vocabulary has no token for the byte " + std::to_string(byte));
    }
  }
  return {};
}

}  // namespace engine
