#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/error.h"

// scribed-decode reports this besides its PCM: one JSON object per line. Format comes first, once
// the input was understood; Finished or Failed comes last, once, with any number of Warnings before
// it.
namespace protocol::decoder {

inline constexpr std::size_t max_line_bytes = 64 * 1024;

struct Format {
  std::string container{};
  std::string codec{};
  int sample_rate = 0;  // sample rate of the input, in Hz
  int channels = 0;
  std::optional<double> duration_s{};  // unset if the container does not say
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
  double seconds = 0;  // length of the PCM that was written
  std::int64_t bytes_read = 0;
  int damaged_packets = 0;
};

using Message = std::variant<Format, Warning, Failed, Finished>;

// Returns one line with its '\n'. Like worker::encode it never fails.
std::string encode(const Message& message);

// Parses one line, with or without its '\n'.
Result<Message> parse(std::string_view line);

}  // namespace protocol::decoder
