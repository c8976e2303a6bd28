#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// An error and the parameter that it belongs to.
struct FormError {
  Error error{};
  std::string parameter{};
};

[[noreturn]] void throw_exception_from_error(const FormError& error,
                                             const boost::source_location& where);

// A parameter's error; nothing: it was read.
using FormProblem = std::optional<FormError>;

FormError invalid(std::string parameter, std::string message, std::string fix = {});

// Reads a text unchanged, of at most so many bytes.
FormProblem read_text(const char* parameter, const std::string& value, std::string& text,
                      std::size_t most_bytes);

// Values of the JSON of a field or of options, which the I/O thread reads.
inline constexpr std::size_t most_list_items = 1'000;

// Returns the items of an array: the field is one item, or JSON text of all of them. A text of more
// than most_list_items is one item.
std::vector<std::string> items_of(const std::string& value);

// Reads the whole text as a number; nothing: it is not one.
std::optional<double> number_of(const std::string& text);

// Reads true or false, yes or no, on or off, 1 or 0, in any letter case.
FormProblem read_flag(const char* parameter, const std::string& text, bool& value);

}  // namespace server
