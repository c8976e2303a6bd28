#include "protocol/frame.h"

namespace protocol {
namespace {

Error too_large(std::size_t bytes, std::size_t limit) {
  return {frame_too_large, "a frame of " + std::to_string(bytes) + " bytes is over the limit of " +
                               std::to_string(limit)};
}

}  // namespace

Result<FrameHeader> encode_frame_header(std::size_t payload_bytes, std::size_t limit) {
  if (payload_bytes > limit) return too_large(payload_bytes, limit);
  FrameHeader header{};
  for (std::size_t i = 0; i < header.size(); ++i) {
    header[i] = static_cast<char>(payload_bytes >> (8 * i) & 0xff);
  }
  return header;
}

Result<std::size_t> decode_frame_header(std::span<const char, frame_header_bytes> header,
                                        std::size_t limit) {
  std::size_t payload_bytes = 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    payload_bytes |= std::size_t{static_cast<unsigned char>(header[i])} << (8 * i);
  }
  if (payload_bytes > limit) return too_large(payload_bytes, limit);
  return payload_bytes;
}

void FrameReader::append(std::string_view bytes) {
  buffer_.erase(0, taken_);
  taken_ = 0;
  buffer_.append(bytes);
}

Result<std::optional<std::string>> FrameReader::next() {
  const std::span<const char> rest(buffer_.data() + taken_, buffer_.size() - taken_);
  if (rest.size() < frame_header_bytes) return std::optional<std::string>();
  const auto payload_bytes = decode_frame_header(rest.first<frame_header_bytes>(), limit_);
  if (payload_bytes.has_error()) return payload_bytes.error();
  if (rest.size() - frame_header_bytes < *payload_bytes) return std::optional<std::string>();
  taken_ += frame_header_bytes + *payload_bytes;
  return std::optional<std::string>(std::in_place, rest.data() + frame_header_bytes,
                                    *payload_bytes);
}

}  // namespace protocol
