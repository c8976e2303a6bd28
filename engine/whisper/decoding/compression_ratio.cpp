#include "engine/whisper/decoding/compression_ratio.h"

#include <zlib.h>

#include <vector>

namespace engine {

double compression_ratio(std::string_view text) {
  uLongf size = ::compressBound(text.size());
  std::vector<Bytef> deflated(size);
  // This cannot fail: the buffer has the bound's size.
  ::compress(deflated.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
  return static_cast<double>(text.size()) / static_cast<double>(size);
}

}  // namespace engine
