#include "server/web/gzip.h"

#include <zlib.h>

#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <stdexcept>

namespace server::web {
namespace {

// zlib's state of one stream with a gzip head.
class GzipReader {
 public:
  explicit GzipReader(std::string_view bytes) {
    // zlib's types have no const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    constexpr int with_gzip_head = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, with_gzip_head) != Z_OK) throw std::bad_alloc();
  }
  ~GzipReader() { inflateEnd(&stream_); }
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Appends some bytes; returns false at the end.
  bool read(std::string& out) {
    std::array<char, 16384> piece;
    stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_out = static_cast<uInt>(piece.size());
    const int state = inflate(&stream_, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) {
      throw std::runtime_error("[web] a file of the page is damaged");
    }
    out.append(piece.data(), piece.size() - stream_.avail_out);
    return state != Z_STREAM_END;
  }

 private:
  z_stream stream_{};
};

// "q=0", "q=0.0" and so on refuse a coding.
bool is_refused(const boost::beast::http::param_list& parameters) {
  for (const auto& [name, value] : parameters) {
    if (boost::beast::iequals(name, "q")) return value.find_first_not_of("0.") == value.npos;
  }
  return false;
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  bool any = false;
  for (const auto& [coding, parameters] : boost::beast::http::ext_list(accept_encoding)) {
    if (boost::beast::iequals(coding, "gzip")) return !is_refused(parameters);
    if (coding == "*") any = !is_refused(parameters);
  }
  return any;
}

std::string inflated(std::string_view gzip) {
  GzipReader reader(gzip);
  std::string text;
  while (reader.read(text)) {
  }
  return text;
}

}  // namespace server::web
