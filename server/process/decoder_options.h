#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace server {

// The user's knowledge about the input. The decoder detects what is not set.
struct DecoderOptions {
  // Audio track: its number, counted from 1, or its language; empty: what the container prefers.
  std::string track{};
  std::string preferred_language{};  // a track in it is taken before the container's default one
  std::optional<int> channel{};      // one channel of the track, counted from 1, instead of the mix
  std::string input_format{};        // for input without a header: s16le, f32le, mulaw, g722 …
  std::string extension{};           // of the file's name (extension_of); it may tell a format
  std::optional<int> input_sample_rate{};  // Hz, for input without a header
  std::optional<int> input_channels{};
  std::optional<double> max_seconds{};      // an input with more sound fails
  std::optional<std::int64_t> max_bytes{};  // an input that is read beyond them fails
  std::string timeline{};  // "packed": timestamps are ignored; empty: as players show the recording
  bool unbuffered = false;  // sound is passed on as it comes in
  std::string owner{};      // whose it is: owners share the memory for large inputs
  bool gives_way = false;   // runs at the lowest priority
};

// Returns the extension of a file's name in lower case; empty if there is none that a format has.
std::string extension_of(std::string_view file_name);

// Returns the arguments of scribed-decode for these options.
std::vector<std::string> decoder_arguments(const DecoderOptions& options);

}  // namespace server
