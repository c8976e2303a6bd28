#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace server {

// The headers of the last answer of a request. Fed line by line, as libcurl hands them out; a new
// status line, as after a redirect, begins anew.
class HttpHeaders {
 public:
  // False: an answer with so many headers is none that anybody has to read.
  bool add_line(std::string_view line);

  // `name` in lower case.
  std::optional<std::string> text(const std::string& name) const;
  // Nothing where the value is not a decimal number.
  std::optional<std::uint64_t> number(const std::string& name) const;

  // For CURLOPT_HEADERFUNCTION, with an HttpHeaders as CURLOPT_HEADERDATA.
  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* headers);

 private:
  static constexpr std::size_t max_bytes = 64 * 1024;

  std::map<std::string, std::string> values_;
  std::size_t bytes_ = 0;
};

// An entity tag without its quotes and W/.
std::optional<std::string> unquoted(std::optional<std::string> etag);

}  // namespace server
