#include "server/inputs/wav_head.h"

#include <algorithm>
#include <limits>

#include "server/inputs/kept_sound.h"

namespace server {
namespace {

void add_number(std::string& head, std::uint32_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) head.push_back(static_cast<char>(number >> (8 * i) & 0xff));
}

}  // namespace

std::string wav_head(std::uint64_t sound_bytes) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint32_t pcm = 1, channels = 1, sample_bytes = 2;
  const auto size = [most](std::uint64_t bytes) {
    return static_cast<std::uint32_t>(std::min(bytes, most));
  };
  std::string head = "RIFF";
  add_number(head, size(wav_head_bytes - 8 + sound_bytes), 4);
  head += "WAVEfmt ";
  add_number(head, 16, 4);
  add_number(head, pcm, 2);
  add_number(head, channels, 2);
  add_number(head, sound_rate_hz, 4);
  add_number(head, sound_bytes_per_second, 4);
  add_number(head, channels * sample_bytes, 2);
  add_number(head, 8 * sample_bytes, 2);
  head += "data";
  add_number(head, size(sound_bytes), 4);
  return head;
}

}  // namespace server
