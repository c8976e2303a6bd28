#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace server::test {

// Returns `text` as a gzip file.
inline std::string packed(std::string_view text) {
  z_stream stream{};
  constexpr int with_gzip_head = 16 + MAX_WBITS;
  if (deflateInit2(&stream, 9, Z_DEFLATED, with_gzip_head, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("no deflate");
  }
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace server::test
