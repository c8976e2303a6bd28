#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace server {

// The headers of the last answer of a request. libcurl passes them line by line; a new status line,
// as after a redirect, begins anew.
class HttpHeaders {
 public:
  // Returns false if an answer has so many headers that it is not worth reading.
  bool add_line(std::string_view line);

  // `name` is in lower case.
  std::optional<std::string> text(const std::string& name) const;
  // Empty if the value is not a decimal number.
  std::optional<std::uint64_t> number(const std::string& name) const;

  // The callback for CURLOPT_HEADERFUNCTION, with an HttpHeaders as CURLOPT_HEADERDATA.
  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* headers);

 private:
  static constexpr std::size_t max_bytes = 64 * 1024;

  std::map<std::string, std::string> values_;
  std::size_t bytes_ = 0;
};

// Returns an entity tag without its quotes and W/.
std::optional<std::string> unquoted(std::optional<std::string> etag);

}  // namespace server
