#include "protocol/live/container_begin.h"

#include <cstdint>
#include <string>

namespace protocol::live {
namespace {

using namespace std::string_view_literals;

std::uint32_t number_at(std::string_view bytes, std::size_t at, int length) {
  std::uint32_t number = 0;
  for (int i = length - 1; i >= 0; --i) {
    number = number << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return number;
}

// Returns the tag of a WAV file's format; 0: it has none.
std::uint32_t wav_tag(SampleType type) {
  constexpr std::uint32_t pcm = 1, alaw = 6, mulaw = 7;
  if (type == SampleType::s16le) return pcm;
  if (type == SampleType::alaw) return alaw;
  return type == SampleType::mulaw ? mulaw : 0;
}

// Reads the usual header, whose format is the first chunk.
bool has_wav_of(std::string_view begin, const SoundFormat& declared) {
  constexpr std::size_t usual_header = 36;
  if (begin.size() < usual_header || begin.substr(12, 4) != "fmt ") return true;
  const std::uint32_t bits = declared.type == SampleType::s16le ? 16 : 8;
  return number_at(begin, 20, 2) == wav_tag(declared.type) &&
         number_at(begin, 22, 2) == static_cast<std::uint32_t>(declared.channels) &&
         number_at(begin, 24, 4) == static_cast<std::uint32_t>(declared.rate) &&
         number_at(begin, 34, 2) == bits;
}

// A tag of ID3 has a version from 2 to 4 and no revision.
bool has_id3(std::string_view begin) {
  return begin.starts_with("ID3") && begin.size() > 4 && begin[3] >= 2 && begin[3] <= 4 &&
         begin[4] == 0;
}

}  // namespace

std::string_view container_of(std::string_view begin, const SoundFormat& declared) {
  if (begin.starts_with("\x1a\x45\xdf\xa3"sv)) return "WebM";
  if (begin.starts_with("OggS\0"sv)) return "Ogg";
  if (begin.starts_with("fLaC")) return "FLAC";
  if (begin.size() >= 8 && begin.substr(4, 4) == "ftyp") return "MP4";
  if (has_id3(begin)) return "MP3";
  const bool is_wav =
      begin.starts_with("RIFF") && begin.size() >= 12 && begin.substr(8, 4) == "WAVE";
  return is_wav && !has_wav_of(begin, declared) ? "WAV" : "";
}

}  // namespace protocol::live
