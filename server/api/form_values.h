#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// What is wrong, and with which parameter.
struct FormError {
  Error error{};
  std::string parameter{};
};

[[noreturn]] void throw_exception_from_error(const FormError& error,
                                             const boost::source_location& where);

// A parameter's error; nothing: it was read.
using FormProblem = std::optional<FormError>;

FormError invalid(std::string parameter, std::string message, std::string fix = {});
FormError unsupported(std::string parameter, std::string message, std::string fix);

// A text as it is, of at most so many bytes.
FormProblem read_text(const char* parameter, const std::string& value, std::string& text,
                      std::size_t most_bytes);

// The items of an array: the field is one item, or JSON text of all of them.
std::vector<std::string> items_of(const std::string& value);

// The whole text as a number; nothing: it is none.
std::optional<double> number_of(const std::string& text);

FormProblem read_flag(const char* parameter, const std::string& text, bool& value);

}  // namespace server
