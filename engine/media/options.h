#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/media/error.h"
#include "engine/media/resampler.h"

namespace engine::media {

// Which audio track is wanted. Languages are Whisper's codes ("fr").
struct TrackWish {
  int number = 0;           // counted from 1; 0: not given
  std::string language{};   // the track must be in this language; empty: any
  std::string preferred{};  // taken before others if there is one; empty: none is
};

// The options of one run of scribed-decode. Channels count from 1; 0 means not given.
struct Options {
  int report_fd = -1;
  std::string format;     // name of a container or raw format; empty: recognised by content
  std::string extension;  // of the file's name, which may tell a raw format; empty: unknown
  int sample_rate = 0;    // in Hz; raw PCM only
  int channels = 0;       // raw PCM only
  TrackWish track{};
  int channel = 0;               // 0: all channels mixed
  double max_seconds = 0;        // limit of sound; 0: none
  std::int64_t max_bytes = 0;    // limit of input; 0: none
  int sound_fd = -1;             // a file that gets a copy of the sound; -1: none does
  std::int64_t sound_bytes = 0;  // limit of that copy
  Resampling resampling = Resampling::soxr;
  // Packets follow each other as they come, whatever their timestamps say.
  bool packed = false;
  // Starts with a small limit of memory and asks for more (protocol/decoder_memory.h).
  bool memory_on_request = false;
  bool unbuffered = false;  // writes sound with each packet, for live transcription
  bool help = false;
  bool check_sandbox = false;
  bool require_sandbox = false;
  bool fork_server = false;
};

// Parses the options. `args` is argv without the program's name.
Result<Options> parse_options(std::span<const char* const> args);

const char* usage();

}  // namespace engine::media
