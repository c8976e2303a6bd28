#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/base/error.h"

namespace server {

struct PartHead {
  std::string name{};
  // The client's name for the file: a plain_name(). Never use it as a path.
  std::optional<std::string> filename{};
  std::string content_type{};  // empty if none was given
};

// Receives the parts of a form, in their order. An error ends the parsing and is what feed()
// returns.
class MultipartSink {
 public:
  virtual ~MultipartSink() = default;
  virtual Result<void> part_begins(const PartHead& head) = 0;
  // `bytes` is never empty; a part without data has no such call.
  virtual Result<void> part_data(std::string_view bytes) = 0;
  virtual Result<void> part_ends() = 0;
};

// Parses multipart/form-data as it comes, in pieces of any size, and holds no more of it than one
// part's header. Errors, after which the parser must not be used any more: bad_request.
class MultipartParser {
 public:
  static constexpr std::size_t max_parts = 64;
  static constexpr std::size_t max_head_bytes = 8 * 1024;  // the header of one part

  // `boundary` is what boundary_of() returns. `sink` outlives the parser.
  MultipartParser(std::string_view boundary, MultipartSink& sink);

  Result<void> feed(std::string_view bytes);
  // Checks, after the last byte, that the form is complete.
  Result<void> finish() const;

 private:
  enum class State { preamble, data, behind_delimiter, head, epilogue };

  Result<void> take_content(std::string_view& bytes);
  std::size_t begin_of_delimiter(std::string_view bytes) const;
  Result<void> take_delimiter_line(char byte);
  Result<void> take_head(char byte);
  Result<void> begin_part();
  Result<void> give(std::string_view bytes);
  Result<void> end_content();

  const std::string delimiter_;  // includes the line end before it
  MultipartSink& sink_;
  State state_ = State::preamble;
  std::size_t matched_ = 2;  // bytes of the delimiter; the first line needs no line end
  std::string line_{};       // the text after a delimiter
  std::string head_{};       // the header of the part that begins
  std::size_t parts_ = 0;
};

// Returns the boundary in a request's content-type. Errors: unsupported_media_type where it is not
// multipart/form-data, bad_request where the boundary is missing or not valid.
Result<std::string> boundary_of(std::string_view content_type);

}  // namespace server
