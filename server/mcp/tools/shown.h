#pragma once

#include <string>
#include <string_view>

// Words of others (the name of a file, what a decoder says) among words of scribed, where a model
// must be able to tell which are which.
namespace server {

// As a JSON string, whole: for what is to be given back as it is.
std::string json_string(const std::string& text);

// A name as a JSON string of at most 100 characters: nothing in it ends the string or the line, or
// is hidden.
std::string quoted_name(std::string_view name);

// The same without quotation marks, for a field of its own.
std::string shown_name(std::string_view name);

// A sentence, as one line of at most 1000 characters.
std::string shown_line(std::string_view sentence);

}  // namespace server
