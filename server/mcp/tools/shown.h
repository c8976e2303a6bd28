#pragma once

#include <string>
#include <string_view>

// These functions show foreign text (the name of a file, what a decoder says) among scribed's own,
// where a model must be able to tell them apart.
namespace server {

// Returns the whole text as a JSON string, for text that is to be given back unchanged.
std::string json_string(const std::string& text);

// Returns a name as a JSON string of at most 100 characters: nothing in it ends the string or the
// line, or is hidden.
std::string quoted_name(std::string_view name);

// Returns a path as a JSON string of at most 1000 characters, for a folder of this machine.
std::string quoted_path(std::string_view path);

// Returns the name as quoted_name() does, without quotation marks, for a field of its own.
std::string shown_name(std::string_view name);

// Returns a sentence as one line of at most 1000 characters.
std::string shown_line(std::string_view sentence);

}  // namespace server
