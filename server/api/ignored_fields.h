#pragma once

#include <string>
#include <vector>

namespace server {

// Returns the value of the header Warning (RFC 7234, 5.5) for fields of a form that nobody knows:
// 299 scribed "…". It names ten of them at most, in printable ASCII.
std::string ignored_fields_warning(const std::vector<std::string>& fields);

}  // namespace server
