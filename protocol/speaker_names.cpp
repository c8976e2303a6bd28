#include "protocol/speaker_names.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "protocol/text_rules.h"

namespace protocol {
namespace {

// A character that ends a line, that nobody sees, or that turns the direction of what follows.
struct HiddenRange {
  char32_t first;
  char32_t last;
};
constexpr HiddenRange hidden[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},       {0xad, 0xad},     {0x034f, 0x034f}, {0x061c, 0x061c},
    {0x115f, 0x1160}, {0x180e, 0x180e},   {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},
    {0x2060, 0x206f}, {0x2800, 0x2800},   {0x3164, 0x3164}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
    {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};

bool is_hidden(char32_t character) {
  return std::ranges::any_of(hidden, [character](const HiddenRange& range) {
    return range.first <= character && character <= range.last;
  });
}

// The two joiners are not seen either, but belong to Persian and Indian names and to pictures.
bool is_joiner(char32_t character) {
  return character == 0x200c || character == 0x200d;
}

// Returns the characters of the text; bytes that are no UTF-8 stand for themselves.
std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int following = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    char32_t character = following == 0 ? lead : lead & (0x3fU >> following);
    for (int n = 0; n < following && i + 1 < text.size(); ++n) {
      character = character << 6 | (static_cast<unsigned char>(text[++i]) & 0x3fU);
    }
    characters.push_back(character);
  }
  return characters;
}

// Returns a character of the text that nobody sees. A joiner is seen by what it joins.
std::optional<char32_t> hidden_in(std::string_view text) {
  constexpr char32_t ascii_end = 0x80;
  const std::u32string characters = characters_of(text);
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (is_hidden(characters[i])) return characters[i];
    if (!is_joiner(characters[i])) continue;
    const bool joins = i > 0 && i + 1 < characters.size() && characters[i - 1] >= ascii_end &&
                       characters[i + 1] >= ascii_end && !is_joiner(characters[i + 1]);
    if (!joins) return characters[i];
  }
  return std::nullopt;
}

// Returns U+200B and the like.
std::string code_point(char32_t character) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(character));
  return text.data();
}

}  // namespace

Result<void> check_speaker_name(std::string_view name) {
  if (name.empty() || strip(name) != name) {
    return Error{bad_speaker_name, "A speaker's name is empty, or has white space at its ends.",
                 "Give a name such as Anna."};
  }
  if (name.size() > max_speaker_name_bytes) {
    return Error{bad_speaker_name,
                 "A speaker's name has " + std::to_string(name.size()) + " bytes, and may have " +
                     std::to_string(max_speaker_name_bytes) + " at most.",
                 "Shorten it."};
  }
  if (const auto character = hidden_in(name)) {
    return Error{
        bad_speaker_name,
        "A speaker's name has a character that nobody sees: " + code_point(*character) + ".",
        "Leave it out."};
  }
  return {};
}

std::string called(const SpeakerNames& names, const std::string& label) {
  const auto found = names.find(label);
  return found == names.end() ? label : found->second;
}

std::vector<SpeakerTurn> named_turns(std::vector<SpeakerTurn> turns, const SpeakerNames& names) {
  if (names.empty()) return turns;
  std::vector<SpeakerTurn> named;
  // The place of each speaker's last turn on a channel.
  std::map<std::pair<std::string, std::optional<int>>, std::size_t> last;
  for (SpeakerTurn& turn : turns) {
    turn.speaker = called(names, turn.speaker);
    const auto [found, is_first] = last.try_emplace({turn.speaker, turn.channel}, named.size());
    if (!is_first && turn.start <= named[found->second].end) {
      named[found->second].end = std::max(named[found->second].end, turn.end);
      continue;
    }
    found->second = named.size();
    named.push_back(std::move(turn));
  }
  return named;
}

}  // namespace protocol
