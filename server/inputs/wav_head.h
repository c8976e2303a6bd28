#pragma once

#include <cstdint>
#include <string>

namespace server {

inline constexpr std::uint64_t wav_head_bytes = 44;

// Returns the head of a WAV file with so many bytes of kept sound (kept_sound.h). Players take the
// sizes of a file that is too long for the format as unknown.
std::string wav_head(std::uint64_t sound_bytes);

}  // namespace server
