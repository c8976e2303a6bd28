#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/error.h"

// What scribed-decode reports beside its PCM: one JSON object per line. Format comes first, once
// the input was understood; Finished or Failed comes last, once, with any number of Warnings before
// it.
namespace protocol::decoder {

inline constexpr std::size_t max_line_bytes = 64 * 1024;

struct Format {
  std::string container{};
  std::string codec{};
  int sample_rate = 0;  // of the input, in Hz
  int channels = 0;
  std::optional<double> duration_s{};  // unset where the container does not say
  int tracks = 1;                      // audio tracks in the input
};

struct Warning {
  std::string code{};
  std::string message{};
};

struct Failed {
  Error error{};
};

struct Finished {
  double seconds = 0;  // of PCM written
  std::int64_t bytes_read = 0;
  int damaged_packets = 0;
};

using Message = std::variant<Format, Warning, Failed, Finished>;

// One line with its '\n'. Never fails, as worker::encode.
std::string encode(const Message& message);

// One line, with or without its '\n'.
Result<Message> parse(std::string_view line);

}  // namespace protocol::decoder
