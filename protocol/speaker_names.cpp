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

// Returns the character that the UTF-8 at the beginning of the text stands for, and takes it away.
// Overlong forms, surrogates and what lies beyond Unicode are no UTF-8 (RFC 3629).
std::optional<char32_t> take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead >= 0x80 && (lead < 0xc2 || lead > 0xf4)) return std::nullopt;
  const std::size_t following = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0x80 ? 1 : 0;
  if (text.size() <= following) return std::nullopt;
  char32_t character = following == 0 ? lead : lead & (0x3fU >> following);
  for (const char byte : text.substr(1, following)) {
    if ((static_cast<unsigned char>(byte) & 0xc0U) != 0x80) return std::nullopt;
    character = character << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  constexpr std::array<char32_t, 4> smallest{0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
  if (character < smallest[following] || is_surrogate || character > 0x10ffff) return std::nullopt;
  text.remove_prefix(following + 1);
  return character;
}

// Returns nothing where the text is no UTF-8.
std::optional<std::u32string> characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const auto character = take_character(text);
    if (!character) return std::nullopt;
    characters.push_back(*character);
  }
  return characters;
}

// Returns a character of the text that nobody sees. A joiner is seen by what it joins.
std::optional<char32_t> hidden_in(const std::u32string& characters) {
  constexpr char32_t ascii_end = 0x80;
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
  const auto characters = characters_of(name);
  if (!characters) {
    return Error{bad_speaker_name, "A speaker's name is no valid UTF-8.", "Send it as UTF-8."};
  }
  if (const auto character = hidden_in(*characters)) {
    return Error{bad_speaker_name,
                 "A speaker's name has an invisible character: " + code_point(*character) + ".",
                 "Leave it out."};
  }
  return {};
}

Result<void> check_speaker_names(const SpeakerNames& names) {
  std::size_t bytes = 0;
  for (const auto& [label, name] : names) bytes += label.size() + name.size();
  if (names.size() <= max_speaker_names && bytes <= max_speaker_names_bytes) return {};
  return Error{bad_speaker_name,
               "A job may have the names of " + std::to_string(max_speaker_names) +
                   " speakers, of " + std::to_string(max_speaker_names_bytes >> 10) +
                   " KiB together.",
               "Give one name to all segments of one speaker."};
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
