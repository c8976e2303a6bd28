#pragma once

#include <optional>
#include <string>

#include "server/mcp/tools/arguments.h"

// Models name files in the ways that people do: as paths, below "~", and as file: addresses.
namespace server {

// Returns the path that is meant: "~" and "~/…" are below `home` where that is not empty, and
// "file:///a%20b" is "/a b". Empty where the address is one of another machine, or not valid.
std::optional<std::string> local_path(const std::string& given, const std::string& home);

// Reads an argument that names a file; "" if it is missing.
std::string read_path(Arguments& arguments, const char* name, const std::string& home);

}  // namespace server
