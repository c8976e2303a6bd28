#include "protocol/live/container_begin.h"

#include <gtest/gtest.h>

#include <string>

namespace protocol::live {
namespace {

using namespace std::string_literals;

constexpr SoundFormat declared{.type = SampleType::s16le, .rate = 16'000, .channels = 1};

// Returns the header of a WAV file with 16 bits of PCM.
std::string wav(int rate, char channels = 1, char tag = 1) {
  std::string header = "RIFF\0\0\0\0WAVEfmt \x10\0\0\0"s + tag + '\0' + channels + '\0';
  for (int i = 0; i < 4; ++i) header += static_cast<char>(rate >> 8 * i & 0xFF);
  return header + "\0\0\0\0\2\0\x10\0data\0\0\0\0"s;
}

TEST(ContainerBegin, IsRecognisedInWhatWasDeclaredAsRaw) {
  struct Row {
    std::string begin;
    const char* name;
  };
  for (const Row& row :
       {Row{"\x1a\x45\xdf\xa3\x9f"s, "WebM"}, Row{"OggS\0\2"s, "Ogg"}, Row{"fLaC\0\0"s, "FLAC"},
        Row{"\0\0\0\x20"
            "ftypM4A "s,
            "MP4"},
        Row{"ID3\4\0\0"s, "MP3"}, Row{wav(44'100), "WAV"}, Row{wav(16'000, 2), "WAV"},
        Row{wav(16'000, 1, 3), "WAV"}}) {
    EXPECT_EQ(container_of(row.begin, declared), row.name) << row.name;
  }
}

TEST(ContainerBegin, SamplesAreNone) {
  for (const std::string& begin :
       {""s, "O"s, std::string(64, '\0'), "ID3 is a tag"s, "\x1a\x45\0\0"s, "RIFFRIFFRIFF"s}) {
    EXPECT_EQ(container_of(begin, declared), "") << begin;
  }
  EXPECT_EQ(container_of(wav(16'000), declared), "") << "the samples after the header are these";
}

}  // namespace
}  // namespace protocol::live
