#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "server/base/error.h"

namespace server {

// Takes the framing off a chunked body. Extensions and trailers are read and forgotten.
class ChunkedDecoder {
 public:
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
  };

  // Decodes as much as `wire` holds and `body` can take, and goes on where the last call ended.
  // Errors: bad_request, also for a flood of tiny chunks.
  Result<Step> decode(std::string_view wire, std::span<char> body);
  bool is_done() const { return state_ == State::done; }

 private:
  enum class State { size, data, data_end, trailer, done };

  Result<void> end_line();
  Result<void> begin_chunk();

  State state_ = State::size;
  std::string line_{};      // the current line of the framing, without its end
  std::uint64_t left_ = 0;  // bytes left of the current chunk
  std::uint64_t chunks_ = 0;
  std::uint64_t body_bytes_ = 0;  // sum of the chunk sizes announced so far
  std::size_t trailer_bytes_ = 0;
};

}  // namespace server
