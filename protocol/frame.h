#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/error.h"

// A frame is the length of the payload, four bytes little-endian, and the payload.
namespace protocol {

inline constexpr std::size_t frame_header_bytes = 4;
inline constexpr std::size_t max_frame_payload = 16 * 1024 * 1024;

using FrameHeader = std::array<char, frame_header_bytes>;

Result<FrameHeader> encode_frame_header(std::size_t payload_bytes,
                                        std::size_t limit = max_frame_payload);
Result<std::size_t> decode_frame_header(std::span<const char, frame_header_bytes> header,
                                        std::size_t limit = max_frame_payload);

// Cuts a byte stream into payloads, whatever the sizes the bytes arrive in. Call next() until it is
// empty after each append: then the reader never holds more than one frame and the last appended
// bytes.
class FrameReader {
 public:
  explicit FrameReader(std::size_t limit = max_frame_payload) : limit_(limit) {}

  void append(std::string_view bytes);

  // Returns the next whole payload; empty until more bytes come. After an error the stream is lost:
  // every later call gives the same error.
  Result<std::optional<std::string>> next();

  // Returns whether a frame has begun but not ended; a peer that closes now has cut it off.
  bool inside_frame() const { return taken_ < buffer_.size(); }

 private:
  std::size_t limit_;
  std::string buffer_;
  std::size_t taken_ = 0;  // bytes of buffer_ already given out
};

}  // namespace protocol
