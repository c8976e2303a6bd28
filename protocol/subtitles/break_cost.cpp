#include "protocol/subtitles/break_cost.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "protocol/sentence_end.h"
#include "protocol/subtitles/abbreviations.h"
#include "protocol/subtitles/function_words.h"

namespace protocol::subtitles {
namespace {

constexpr double after_clause = 2;
constexpr double before_clause = 4;
constexpr double after_word = 7;
constexpr double between_bound_words = 25;
constexpr double within_word = bad_break;
constexpr double within_name = 60;
constexpr double pause_s = 0.2;           // makes a break better
constexpr double sentence_pause_s = 0.5;  // is like the end of a sentence

bool ends_clause(std::string_view text) {
  constexpr std::array<std::string_view, 13> signs{",", ";",  ":",  "–",  "—",  "…", "،",
                                                   "؛", "、", "，", "；", "：", ")"};
  return std::ranges::any_of(signs, [&](std::string_view sign) { return text.ends_with(sign); });
}

bool begins_upper(std::string_view text) {
  const auto letters = icu::UnicodeString::fromUTF8({text.data(), static_cast<int>(text.size())});
  return ::u_isupper(letters.char32At(0)) != 0;
}

// Two words with capitals are taken for parts of one name. German writes all nouns with them.
bool is_name(const Atom& atom, const WordBinding& word, const Atom& next,
             const std::string& language) {
  return language != "de" && word == WordBinding{} && begins_upper(atom.text) &&
         begins_upper(next.text);
}

double cost_between(const Atom& atom, const WordBinding& word, const WordBinding& next) {
  if (ends_clause(atom.text)) return after_clause;
  if (word.is_article) return forbidden_break;
  if (!atom.ends_word) return within_word;
  if (word.leads || next.follows) return between_bound_words;
  return next.begins_clause ? before_clause : after_word;
}

}  // namespace

std::vector<BreakCost> break_costs(std::span<const Atom> atoms, const std::string& language) {
  std::vector<WordBinding> bindings;
  for (const Atom& atom : atoms) bindings.push_back(binding_of(bare_word(atom.text), language));
  std::vector<BreakCost> costs(atoms.size());
  for (std::size_t i = 0; i + 1 < atoms.size(); ++i) {
    const bool is_short = is_abbreviation(atoms[i].text, atoms[i + 1].text, language);
    const bool is_sentence = ends_sentence(atoms[i].text) && !is_short;
    double cost = is_sentence ? 0
                  : is_short  ? between_bound_words
                              : cost_between(atoms[i], bindings[i], bindings[i + 1]);
    if (cost == after_word && is_name(atoms[i], bindings[i], atoms[i + 1], language)) {
      cost = within_name;
    }
    const double pause = atoms[i + 1].start - atoms[i].end;
    const bool ends = is_sentence || pause >= sentence_pause_s;
    if (pause >= pause_s) cost /= 2;
    costs[i] = {.cost = ends ? 0 : cost, .ends_sentence = ends};
  }
  if (!costs.empty()) costs.back() = {.cost = 0, .ends_sentence = true};
  return costs;
}

}  // namespace protocol::subtitles
