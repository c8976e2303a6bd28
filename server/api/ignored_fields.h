#pragma once

#include <string>
#include <string_view>
#include <vector>

// Values of the header Warning (RFC 7234, 5.5) for fields of a form that did not count: 299 scribed
// "…". Each names 32 fields at most, in printable ASCII.
namespace server {

// For fields that nobody knows.
std::string ignored_fields_warning(const std::vector<std::string>& fields);

// For fields whose value cannot be read or is out of range: the default counts.
std::string unusable_values_warning(const std::vector<std::string>& fields);

// For parameters that ask for more than the response_format can show.
std::string left_out_warning(const std::string& response_format,
                             const std::vector<std::string>& parameters);

// For parameters that need a model which is not installed, and without which the text is the same.
std::string without_model_warning(std::string_view model,
                                  const std::vector<std::string>& parameters);

}  // namespace server
