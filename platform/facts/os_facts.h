#pragma once

#include <map>
#include <string>
#include <string_view>

#include "platform/facts/file_reader.h"

namespace platform {

OsFacts read_os(const FileReader& files, const std::map<std::string, std::string>& environment);

// Returns PRETTY_NAME of an os-release file, without its quotes.
std::string parse_os_release(std::string_view text);

// Returns the version in the banner of glibc's library: "… stable release version 2.36.".
std::string parse_glibc_banner(std::string_view library);

// Returns "docker", "podman", "kubernetes", "lxc" or "container"; empty if nothing indicates
// one.
std::string read_container(const FileReader& files,
                           const std::map<std::string, std::string>& environment);

}  // namespace platform
