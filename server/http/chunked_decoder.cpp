#include "server/http/chunked_decoder.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace server {
namespace {

constexpr std::size_t max_line = 256;
constexpr std::size_t max_trailer = 8 * 1024;
// Few chunks may be tiny; beyond free_chunks their mean size must be sensible, because a million
// tiny chunks are work without a purpose.
constexpr std::uint64_t free_chunks = 4096;
constexpr std::uint64_t mean_chunk_bytes = 16;
// With at most 15 digits no sum of lengths overflows.
constexpr std::size_t max_size_digits = 15;

Error bad_chunk() {
  return {errc::bad_request, "The chunks of the request's body are not valid."};
}

bool is_text(char byte) {
  return (static_cast<unsigned char>(byte) >= 0x20 && byte != 0x7f) || byte == '\t' || byte == '\r';
}

}  // namespace

Result<ChunkedDecoder::Step> ChunkedDecoder::decode(std::string_view wire, std::span<char> body) {
  Step step;
  while (step.consumed < wire.size() && state_ != State::done) {
    if (state_ == State::data) {
      const auto count = std::min({static_cast<std::uint64_t>(wire.size() - step.consumed),
                                   static_cast<std::uint64_t>(body.size() - step.produced), left_});
      if (count == 0) break;  // `body` is full
      std::memcpy(body.data() + step.produced, wire.data() + step.consumed, count);
      step.consumed += count;
      step.produced += count;
      left_ -= count;
      if (left_ == 0) state_ = State::data_end;
      continue;
    }
    const char byte = wire[step.consumed++];
    if (byte != '\n') {
      if (line_.size() == max_line || line_.ends_with('\r') || !is_text(byte)) return bad_chunk();
      line_ += byte;
      continue;
    }
    if (!line_.ends_with('\r')) return bad_chunk();
    line_.pop_back();
    if (auto ended = end_line(); !ended) return ended.error();
    line_.clear();
  }
  return step;
}

Result<void> ChunkedDecoder::end_line() {
  switch (state_) {
    case State::size:
      return begin_chunk();
    case State::data_end:
      if (!line_.empty()) return bad_chunk();
      state_ = State::size;
      return {};
    case State::trailer:
      trailer_bytes_ += line_.size();
      if (trailer_bytes_ > max_trailer) return bad_chunk();
      if (line_.empty()) state_ = State::done;
      return {};
    case State::data:
    case State::done:
      break;
  }
  return bad_chunk();
}

Result<void> ChunkedDecoder::begin_chunk() {
  std::uint64_t size = 0;
  const char* const begin = line_.data();
  const char* const end = begin + line_.size();
  const auto [rest, failure] = std::from_chars(begin, end, size, 16);
  const auto digits = static_cast<std::size_t>(rest - begin);
  if (failure != std::errc{} || digits > max_size_digits) return bad_chunk();
  if (rest != end && *rest != ';' && *rest != ' ' && *rest != '\t') return bad_chunk();
  const auto extension = std::string_view(rest, end);
  const auto first = extension.find_first_not_of(" \t");
  if (first != extension.npos && extension[first] != ';') return bad_chunk();
  body_bytes_ += size;
  if (++chunks_ > free_chunks + body_bytes_ / mean_chunk_bytes) return bad_chunk();
  left_ = size;
  state_ = size == 0 ? State::trailer : State::data;
  return {};
}

}  // namespace server
