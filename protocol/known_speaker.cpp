#include "protocol/known_speaker.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "protocol/base64.h"
#include "protocol/speaker_names.h"

namespace protocol {
namespace {

constexpr float full_scale = 32768;

}  // namespace

std::string encode_clip(std::span<const float> pcm) {
  std::string bytes;
  bytes.reserve(2 * pcm.size());
  for (const float sample : pcm) {
    const float scaled =
        std::isfinite(sample) ? std::clamp(sample * full_scale, -32768.F, 32767.F) : 0;
    const auto number = static_cast<std::uint16_t>(std::lrint(scaled));
    bytes.push_back(static_cast<char>(number & 0xff));
    bytes.push_back(static_cast<char>(number >> 8));
  }
  return encode_base64(bytes);
}

std::optional<std::vector<float>> decode_clip(std::string_view text) {
  const auto bytes = decode_base64(text);
  if (!bytes || bytes->size() % 2 != 0) return std::nullopt;
  std::vector<float> pcm;
  pcm.reserve(bytes->size() / 2);
  for (std::size_t i = 0; i < bytes->size(); i += 2) {
    const auto low = static_cast<unsigned char>((*bytes)[i]);
    const auto high = static_cast<unsigned char>((*bytes)[i + 1]);
    const auto number = static_cast<std::int16_t>(static_cast<std::uint16_t>(low | high << 8));
    pcm.push_back(static_cast<float>(number) / full_scale);
  }
  return pcm;
}

Result<void> check_known_names(std::span<const std::string> names,
                               std::optional<int> num_speakers) {
  if (names.size() > most_known_speakers) {
    return Error{bad_speaker_name,
                 "There are " + std::to_string(names.size()) + " known speakers, and may be " +
                     std::to_string(most_known_speakers) + " at most.",
                 "Name only the speakers that are likely to occur."};
  }
  if (num_speakers && names.size() > static_cast<std::size_t>(*num_speakers)) {
    return Error{bad_speaker_name,
                 std::to_string(names.size()) +
                     " speakers are known by name, and num_speakers is " +
                     std::to_string(*num_speakers) + ".",
                 "Leave num_speakers out: absent speakers are not in the result."};
  }
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (const auto fine = check_speaker_name(name); !fine) return fine.error();
    if (seen.insert(name).second) continue;
    return Error{bad_speaker_name, "Two known speakers are called " + name + ".",
                 "Give each speaker one name and one clip."};
  }
  return {};
}

}  // namespace protocol
