#include "server/mcp/tools/local_path.h"

#include <fmt/format.h>

#include <string_view>

#include "server/http/percent.h"

namespace server {
namespace {

// RFC 8089: "file:/path", "file:///path" and "file://localhost/path".
std::optional<std::string> path_of_address(std::string_view address) {
  constexpr std::string_view mark = "//", here = "localhost";
  if (address.starts_with(mark)) {
    address.remove_prefix(mark.size());
    if (address.starts_with(here)) address.remove_prefix(here.size());
  }
  if (!address.starts_with('/')) return std::nullopt;
  return decode_percent(address);
}

}  // namespace

std::optional<std::string> local_path(const std::string& given, const std::string& home) {
  constexpr std::string_view scheme = "file:";
  if (given.starts_with(scheme)) {
    return path_of_address(std::string_view(given).substr(scheme.size()));
  }
  const bool is_below_home = given == "~" || given.starts_with("~/");
  if (is_below_home && !home.empty()) return home + given.substr(1);
  return given;
}

std::string read_path(Arguments& arguments, const char* name, const std::string& home) {
  const auto path = local_path(arguments.text(name), home);
  if (path) return *path;
  arguments.fail(fmt::format("The argument {} is no address of a file on this machine.", name),
                 "Give a path, or file:///PATH with %XX for special characters.");
  return "";
}

}  // namespace server
