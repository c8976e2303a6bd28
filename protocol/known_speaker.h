#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/error.h"

namespace protocol {

// A speaker whose voice is known by a clip of it.
struct KnownSpeaker {
  std::string name{};
  std::string clip{};  // its sound, see encode_clip()

  friend bool operator==(const KnownSpeaker&, const KnownSpeaker&) = default;
};

// The limits of these clips. Those of one transcription lie in one message to its worker.
inline constexpr std::size_t most_known_speakers = 16;
inline constexpr double least_clip_speech_s = 1;
inline constexpr double most_clip_s = 15;
inline constexpr std::int64_t most_clip_bytes = 64 << 20;  // of its file

// The code of the error of a clip that tells no voice.
inline constexpr char unusable_clip[] = "unusable_clip";

// Writes the sound of a clip, mono samples in [-1, 1] at 16 kHz, as text: Base64 of 16-bit numbers,
// the low byte first.
std::string encode_clip(std::span<const float> pcm);

// Empty if the text was not written by encode_clip().
std::optional<std::vector<float>> decode_clip(std::string_view text);

// Checks the names together: each can stand before text, none is there twice, and they are not more
// than most_known_speakers, nor than the number of speakers where that is given. The code is
// bad_speaker_name.
Result<void> check_known_names(std::span<const std::string> names,
                               std::optional<int> num_speakers = {});

}  // namespace protocol
