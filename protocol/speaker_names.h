#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/error.h"
#include "protocol/transcript.h"

namespace protocol {

// The names of speakers by their labels in a transcript: {"A": "Anna"}. A speaker who is not in it
// is called by the label. Two labels with one name are one person.
using SpeakerNames = std::map<std::string, std::string>;

inline constexpr std::size_t max_speaker_name_bytes = 255;

// The code of check_speaker_name().
inline constexpr char bad_speaker_name[] = "bad_speaker_name";

// Checks a name that somebody chose. It stands in front of text, so it has a character at least, no
// white space at its ends, and nothing that would end its line, hide what follows, or is not seen:
// two names that look the same are the same.
Result<void> check_speaker_name(std::string_view name);

// All that is told of a job has the names of its speakers, so they are few: 200, and 16 KiB.
inline constexpr std::size_t max_speaker_names = 200;
inline constexpr std::size_t max_speaker_names_bytes = 16 << 10;

// Checks how many names these are; the error is bad_speaker_name, too.
Result<void> check_speaker_names(const SpeakerNames& names);

// Returns what the speaker with this label is called.
std::string called(const SpeakerNames& names, const std::string& label);

// Gives the turns their speakers' names. Turns of one name that overlap or touch become one.
std::vector<SpeakerTurn> named_turns(std::vector<SpeakerTurn> turns, const SpeakerNames& names);

}  // namespace protocol
