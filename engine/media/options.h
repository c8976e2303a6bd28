#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/media/error.h"
#include "engine/media/resampler.h"

namespace engine::media {

// What one run of scribed-decode was asked for. Tracks and channels count from 1; 0 is "not named".
struct Options {
  int report_fd = -1;
  std::string format;          // a container's or raw format's name; empty: recognised by content
  int sample_rate = 0;         // in Hz; raw PCM only
  int channels = 0;            // raw PCM only
  int track = 0;               // audio track; not named: the first one
  int channel = 0;             // not named: all channels mixed
  double max_seconds = 0;      // of sound; 0: no limit
  std::int64_t max_bytes = 0;  // of input; 0: no limit
  Resampling resampling = Resampling::soxr;
  bool unbuffered = false;  // sound goes out with each packet, for who listens at the same time
  bool help = false;
  bool check_sandbox = false;
  bool require_sandbox = false;
  bool fork_server = false;
};

// `args` is argv without the program's name.
Result<Options> parse_options(std::span<const char* const> args);

const char* usage();

}  // namespace engine::media
