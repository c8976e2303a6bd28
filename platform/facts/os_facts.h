#pragma once

#include <map>
#include <string>
#include <string_view>

#include "platform/facts/file_reader.h"

namespace platform {

OsFacts read_os(const FileReader& files, const std::map<std::string, std::string>& environment);

// PRETTY_NAME of an os-release file, without its quotes.
std::string parse_os_release(std::string_view text);

// The version in the banner that glibc's library carries: "… stable release version 2.36.".
std::string parse_glibc_banner(std::string_view library);

// "docker", "podman", "kubernetes", "lxc", "container"; empty: nothing speaks for one.
std::string read_container(const FileReader& files,
                           const std::map<std::string, std::string>& environment);

}  // namespace platform
