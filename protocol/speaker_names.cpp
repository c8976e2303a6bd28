#include "protocol/speaker_names.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "protocol/text_rules.h"

namespace protocol {
namespace {

// Returns whether the text has a control character (C0, DEL, C1), a separator of lines (U+2028,
// U+2029), or a sign that turns the direction of what follows (U+202A to U+202E, U+2066 to U+2069).
bool has_control(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (byte(i) < 0x20 || byte(i) == 0x7f) return true;
    if (byte(i) == 0xc2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xa0) return true;
    if (byte(i) != 0xe2) continue;
    const unsigned last = byte(i + 2);
    if (byte(i + 1) == 0x80 && last >= 0xa8 && last <= 0xae) return true;
    if (byte(i + 1) == 0x81 && last >= 0xa6 && last <= 0xa9) return true;
  }
  return false;
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
  if (has_control(name)) {
    return Error{bad_speaker_name,
                 "A speaker's name has control characters, but stands in a line of text.",
                 "Leave them out."};
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
