#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/http/chunked_decoder.h"
#include "server/http/request_head.h"

namespace {

// Returns the body that is in `wire`, or "error"; `piece` and `room` cut what goes in and out.
std::string decode(std::string_view wire, std::size_t piece, std::size_t room) {
  server::ChunkedDecoder decoder;
  std::array<char, 256> buffer;
  std::string body;
  while (!wire.empty() && !decoder.is_done()) {
    const auto step = decoder.decode(wire.substr(0, piece), std::span(buffer).first(room));
    if (!step) return "error";
    if (step->consumed == 0 && step->produced == 0) std::abort();
    body.append(buffer.data(), step->produced);
    wire.remove_prefix(step->consumed);
  }
  return body;
}

}  // namespace

// An accepted header has a body of one known shape, which does not depend on how the bytes are cut.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (decode(bytes, bytes.size() + 1, 256) != decode(bytes, data[0] + std::size_t{1}, 7)) {
    std::abort();
  }
  const server::HttpLimits limits;
  const auto end = server::find_head_end(bytes, 0, limits);
  if (!end || *end == 0) return 0;
  const auto head = server::parse_head(bytes.substr(0, *end), limits);
  if (!head) return 0;
  if (!head->target.path.starts_with('/') || head->target.path.find('\0') != std::string::npos) {
    std::abort();
  }
  if (head->body.is_chunked && head->body.length != 0) std::abort();
  return 0;
}
