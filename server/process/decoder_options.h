#pragma once

#include <optional>
#include <string>
#include <vector>

namespace server {

// What the user may tell scribed-decode about the input. Unset: the decoder finds out by itself.
struct DecoderOptions {
  std::optional<int> track{};    // audio track, counted from 1
  std::optional<int> channel{};  // one channel of it, counted from 1, rather than the mix
  std::string input_format{};    // of input without a header: s16le, f32le, mulaw, g722 …
  std::optional<int> input_sample_rate{};  // Hz, of such input
  std::optional<int> input_channels{};
  std::optional<double> max_seconds{};  // an input with more sound fails
  bool unbuffered = false;              // sound is passed on as it comes in
  bool gives_way = false;               // others that want the CPU have it first
};

// The arguments of scribed-decode for these options.
std::vector<std::string> decoder_arguments(const DecoderOptions& options);

}  // namespace server
