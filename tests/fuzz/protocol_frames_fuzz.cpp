#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "protocol/frame.h"

namespace {

// Returns the payloads of a stream that arrives in pieces; ends at the first error.
std::vector<std::string> read(std::string_view stream, std::size_t piece, bool& broken) {
  protocol::FrameReader reader(4096);
  std::vector<std::string> payloads;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    reader.append(stream.substr(at, piece));
    for (;;) {
      auto next = reader.next();
      broken = next.has_error();
      if (broken) return payloads;
      if (!next->has_value()) break;
      payloads.push_back(std::move(**next));
    }
  }
  return payloads;
}

}  // namespace

// The first byte decides how the rest is cut; the payloads must not depend on it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  bool broken_whole = false;
  bool broken_pieces = false;
  const auto whole = read(stream, stream.size() + 1, broken_whole);
  const auto pieces = read(stream, data[0] + std::size_t{1}, broken_pieces);
  if (whole != pieces || broken_whole != broken_pieces) std::abort();
  return 0;
}
