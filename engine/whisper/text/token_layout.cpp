#include "engine/whisper/text/token_layout.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <map>
#include <utility>

#include "protocol/languages.h"

namespace engine {
namespace {

using Names = std::map<std::string, int>;

constexpr std::string_view end_of_text = "<|endoftext|>";
constexpr const char* other_no_speech = "<|nocaptions|>";  // its name in older files

struct Role {
  const char* name;
  int SpecialTokens::*id;
};
constexpr std::array roles{Role{"<|endoftext|>", &SpecialTokens::eot},
                           Role{"<|startoftranscript|>", &SpecialTokens::sot},
                           Role{"<|translate|>", &SpecialTokens::translate},
                           Role{"<|transcribe|>", &SpecialTokens::transcribe},
                           Role{"<|notimestamps|>", &SpecialTokens::no_timestamps},
                           Role{"<|startoflm|>", &SpecialTokens::sot_lm},
                           Role{"<|startofprev|>", &SpecialTokens::sot_prev},
                           Role{"<|nospeech|>", &SpecialTokens::no_speech}};
constexpr std::size_t n_needed_roles = 5;  // without the others a model can be used

Error contradiction(std::string message) {
  return {Errc::refused_model, "the model's tokens contradict each other: " + std::move(message),
          "Put the tokenizer.json, config.json and generation_config.json there that were saved "
          "with these weights."};
}

std::string text_of(const std::string& name, int id) {
  return name + " is " + std::to_string(id);
}

std::string timestamp_name(int steps) {
  char text[32];
  std::snprintf(text, sizeof text, "<|%d.%02d|>", steps / 50, steps % 50 * 2);
  return text;
}

std::string_view code_in(std::string_view name) {
  if (name.size() <= 4 || !name.starts_with("<|") || !name.ends_with("|>")) return {};
  return name.substr(2, name.size() - 4);
}

bool is_known_language(std::string_view code) {
  return std::ranges::find(protocol::languages(), code, &protocol::Language::code) !=
         protocol::languages().end();
}

bool has_token(const Vocabulary& vocabulary, int id) {
  return id < vocabulary.size() &&
         vocabulary.kinds[static_cast<std::size_t>(id)] != TokenKind::none;
}

bool has_text(const Vocabulary& vocabulary, int id) {
  return id < vocabulary.size() && vocabulary.is_text(id);
}

Names special_names(const Vocabulary& vocabulary) {
  Names names;
  for (int id = 0; id < vocabulary.size(); ++id) {
    const auto place = static_cast<std::size_t>(id);
    if (vocabulary.kinds[place] == TokenKind::special) names.emplace(vocabulary.tokens[place], id);
  }
  if (const auto older = names.find(other_no_speech); older != names.end()) {
    names.emplace("<|nospeech|>", older->second);
  }
  return names;
}

std::vector<IdRange> text_ranges(const Vocabulary& vocabulary) {
  std::vector<IdRange> ranges;
  for (int id = 0; id < vocabulary.size(); ++id) {
    if (!vocabulary.is_text(id)) continue;
    if (ranges.empty() || ranges.back().end != id) ranges.push_back({id, id});
    ranges.back().end = id + 1;
  }
  return ranges;
}

// Makes the layout of a model from its own tokenizer.
class OwnLayout {
 public:
  OwnLayout(const Vocabulary& vocabulary, const StatedTokens& stated, int n_vocab)
      : vocabulary_(vocabulary), stated_(stated), names_(special_names(vocabulary)) {
    layout_.specials.n_vocab = n_vocab;
    layout_.specials.text = text_ranges(vocabulary);
  }

  Result<TokenLayout> make() {
    if (const auto fine = join_stated(); !fine) return fine.error();
    if (const auto fine = take_roles(); !fine) return fine.error();
    if (const auto fine = check_ids(); !fine) return fine.error();
    take_languages();
    find_unused();
    return std::move(layout_);
  }

 private:
  Result<void> join_stated() {
    for (const auto& [name, id] : stated_.ids) {
      const auto own = names_.find(name);
      if (own != names_.end() && own->second != id) {
        return contradiction(text_of(name, id) + " in generation_config.json and " +
                             std::to_string(own->second) + " in the tokenizer");
      }
      if (own == names_.end() && has_token(vocabulary_, id)) {
        return contradiction(text_of(name, id) +
                             " in generation_config.json, and in the tokenizer '" +
                             vocabulary_.tokens[static_cast<std::size_t>(id)] + "' is");
      }
      names_.emplace(name, id);
    }
    return {};
  }

  Result<void> take_roles() {
    SpecialTokens& s = layout_.specials;
    for (std::size_t i = 0; i < roles.size(); ++i) {
      const auto found = names_.find(roles[i].name);
      if (found != names_.end()) {
        s.*roles[i].id = found->second;
      } else if (i < n_needed_roles) {
        return Error{Errc::refused_model,
                     std::string("the model's tokenizer has no token ") + roles[i].name,
                     "Use the tokenizer.json that was saved with these weights."};
      } else {
        // In published models they come in this order before no_timestamps.
        const int usual = s.no_timestamps - static_cast<int>(roles.size() - i);
        s.*roles[i].id = usual < 0 || has_text(vocabulary_, usual) ? s.no_timestamps : usual;
      }
    }
    s.timestamp_begin = s.no_timestamps + 1;
    return {};
  }

  Result<void> check_ids() const {
    const SpecialTokens& s = layout_.specials;
    const auto beyond = [&](const std::string& name, int id) {
      return contradiction(text_of(name, id) + ", and the model has " + std::to_string(s.n_vocab) +
                           " tokens");
    };
    if (s.timestamp_end() > s.n_vocab) {
      return beyond(timestamp_name(n_timestamps - 1), s.timestamp_end() - 1);
    }
    for (const auto& [name, id] : names_) {
      if (id >= s.n_vocab) return beyond(name, id);
    }
    if (vocabulary_.size() > s.n_vocab) {
      return beyond("'" + vocabulary_.tokens.back() + "'", vocabulary_.size() - 1);
    }
    for (int step = 0; step < n_timestamps; ++step) {
      const int id = s.timestamp_begin + step;
      const std::string name = timestamp_name(step);
      const auto named = names_.find(name);
      if (named != names_.end() && named->second != id) {
        return contradiction(text_of(name, named->second) + ", and <|notimestamps|> " +
                             std::to_string(s.no_timestamps) + ", which it has to follow");
      }
      if (named == names_.end() && has_token(vocabulary_, id)) {
        return contradiction(
            text_of("'" + vocabulary_.tokens[static_cast<std::size_t>(id)] + "'", id) + ", where " +
            name + " belongs behind <|notimestamps|>, " + std::to_string(s.no_timestamps));
      }
    }
    return {};
  }

  // Languages are what is stated; else the block behind the start of transcript, and known ones
  // that were added later.
  void take_languages() {
    SpecialTokens& s = layout_.specials;
    const auto add = [&](const std::string& name, int id) {
      layout_.languages.push_back({std::string(code_in(name)), id});
    };
    if (!stated_.languages.empty()) {
      for (const auto& name : stated_.languages) add(name, names_.at(name));
    } else {
      const int end = std::min({s.translate, s.transcribe, s.sot_lm, s.no_timestamps});
      for (const auto& [name, id] : names_) {
        const bool in_block = id > s.sot && id < end;
        if (in_block || is_known_language(code_in(name))) add(name, id);
      }
    }
    std::erase_if(layout_.languages, [](const LanguageToken& token) { return token.code.empty(); });
    std::ranges::sort(layout_.languages, {}, &LanguageToken::id);
    const bool has_many = layout_.languages.size() > 1 && s.eot != n_text_tokens;
    s.multilingual = stated_.is_multilingual.value_or(!stated_.languages.empty() || has_many) &&
                     !layout_.languages.empty();
  }

  void find_unused() {
    SpecialTokens& s = layout_.specials;
    for (int id = 0; id < s.n_vocab; ++id) {
      const bool is_used = has_token(vocabulary_, id) && !names_padding(id);
      if (!is_used && token_name(layout_, id).empty()) {
        layout_.unused.push_back(id);
      } else {
        s.n_tokens = id + 1;
      }
    }
  }

  // CTranslate2's converter calls rows that no token has after times that no window has: <|30.02|>.
  bool names_padding(int id) const {
    const auto place = static_cast<std::size_t>(id);
    const auto code = code_in(vocabulary_.tokens[place]);
    return vocabulary_.kinds[place] == TokenKind::special && !code.empty() &&
           code.find_first_not_of("0123456789.") == code.npos;
  }

  const Vocabulary& vocabulary_;
  const StatedTokens& stated_;
  Names names_;
  TokenLayout layout_;
};

// Returns whether all that is stated holds in the layout.
bool agree(const StatedTokens& stated, const TokenLayout& layout) {
  return std::ranges::all_of(stated.ids, [&](const auto& token) {
    return token_name(layout, token.second) == token.first;
  });
}

Error other_text(const Vocabulary& vocabulary, int wanted) {
  const auto ranges = text_ranges(vocabulary);
  const int found = ranges.empty() ? 0 : ranges.front().end - ranges.front().begin;
  return {Errc::damaged_vocabulary,
          "the vocabulary has " + std::to_string(found) + " text tokens; the model needs " +
              std::to_string(wanted),
          "Put the model's tokenizer.json next to it."};
}

}  // namespace

Result<TokenLayout> layout_of_size(int n_vocab) {
  auto specials = special_tokens(n_vocab);
  if (!specials) return specials.error();
  TokenLayout layout{*std::move(specials), {}, {}};
  const auto& s = layout.specials;
  for (int id = s.sot + 1; id < s.translate; ++id) {
    const auto& language = protocol::languages()[static_cast<std::size_t>(id - s.sot - 1)];
    layout.languages.push_back({std::string(language.code), id});
  }
  return layout;
}

std::optional<int> published_size(const Vocabulary& vocabulary) {
  const auto text = text_ranges(vocabulary);
  for (const int size : {english_vocabulary, multilingual_vocabulary, cantonese_vocabulary}) {
    const auto layout = layout_of_size(size);
    const bool same_text = text.size() == 1 && text.front() == IdRange{0, layout->specials.eot};
    const auto is_published = [&](const auto& token) {
      return token.first == other_no_speech || token_name(*layout, token.second) == token.first;
    };
    if (same_text && std::ranges::all_of(special_names(vocabulary), is_published)) return size;
  }
  return std::nullopt;
}

Result<TokenLayout> token_layout(const Vocabulary& vocabulary, const StatedTokens& stated,
                                 int n_vocab, SizeTells size) {
  const auto published = size == SizeTells::layout ? layout_of_size(n_vocab)
                                                   : Result<TokenLayout>(unknown_size(n_vocab));
  const auto text = text_ranges(vocabulary);
  const auto names = special_names(vocabulary);
  const bool has_text_alone =
      names.empty() || (names.size() == 1 && names.contains(std::string(end_of_text)));
  if (has_text_alone && published && agree(stated, *published)) {
    const int wanted = published->specials.eot;
    if (text.empty() || text.front() != IdRange{0, wanted}) return other_text(vocabulary, wanted);
    return published;
  }
  auto own = OwnLayout(vocabulary, stated, n_vocab).make();
  if (has_text_alone && !own && !published) return published;
  const auto lent = published_size(vocabulary);
  const bool may_be_borrowed =
      published && lent && *lent != n_vocab && text.front() == IdRange{0, published->specials.eot};
  if (!may_be_borrowed) return own;
  // Text and size are those of a published model; the special tokens are perhaps another's.
  const bool is_borrowed = stated.ids.empty() || (!own && vocabulary.size() < n_vocab);
  return is_borrowed && agree(stated, *published) ? published : own;
}

std::string token_name(const TokenLayout& layout, int id) {
  const SpecialTokens& s = layout.specials;
  if (s.is_timestamp(id)) return timestamp_name(id - s.timestamp_begin);
  for (const Role& role : roles) {
    if (s.*role.id == id) return role.name;
  }
  const auto language = std::ranges::lower_bound(layout.languages, id, {}, &LanguageToken::id);
  if (language == layout.languages.end() || language->id != id) return {};
  return "<|" + language->code + "|>";
}

std::optional<int> language_token(const TokenLayout& layout, std::string_view code) {
  const auto found = std::ranges::find(layout.languages, code, &LanguageToken::code);
  if (found == layout.languages.end()) return std::nullopt;
  return found->id;
}

}  // namespace engine
