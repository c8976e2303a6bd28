#include "server/mcp/tools/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "server/base/file_calls.h"
#include "server/base/random_id.h"
#include "server/inputs/allowed_paths.h"

namespace server {
namespace {

// A model reads these sentences as scribed's, so they hold no name that somebody gave to a file.
Error not_written(int error_number) {
  if (error_number == EEXIST) {
    return {errc::output_not_writable, "The output_file exists already.",
            "Give another output_file: nothing is ever replaced."};
  }
  const char* code = error_number == ENOSPC ? errc::out_of_disk : errc::output_not_writable;
  return {code, fmt::format("The output_file cannot be written: {}.", std::strerror(error_number)),
          ""};
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(fd) == 0;
}

// Returns whether programs read a file of this name (without its ending) by themselves, as build
// tools, package managers, editors and crawlers do: CMakeLists, package-lock, tsconfig.app,
// dev-requirements.
bool is_of_settings(std::string stem) {
  constexpr std::array whole{
      "angular",      "app",           "apt",         "biome",    "bower",     "cmdline",
      "composer",     "conanfile",     "credentials", "daemon",   "deno",      "dependencies",
      "devcontainer", "extensions",    "firebase",    "function", "global",    "host",
      "humans",       "launch",        "lerna",       "llms",     "llms-full", "manifest",
      "mcp",          "meson_options", "nodemon",     "now",      "nx",        "packages",
      "plugin",       "policies",      "project",     "runtime",  "rush",      "security",
      "tasks",        "turbo",         "vercel",      "wasmer"};
  constexpr std::array part{
      "ads",      "appsettings",   "cmakelists",  "cmakepresets", "cmakeuserpresets",
      "config",   "configuration", "constraints", "jsconfig",     "launchsettings",
      "package",  "requirements",  "robots",      "settings",     "shrinkwrap",
      "tsconfig", "vcpkg"};
  std::ranges::transform(stem, stem.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto is_in = [](const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  const std::string_view name = stem;
  const auto last = name.find_last_of("-_.");
  return is_in(whole, name) || is_in(part, name) ||
         is_in(part, name.substr(0, name.find_first_of("-_."))) ||
         (last != name.npos && is_in(part, name.substr(last + 1)));
}

// A file that a model may write must not be taken for a program or a setting by others.
bool is_for_transcripts(const std::filesystem::path& path) {
  constexpr std::array endings{".txt", ".srt", ".vtt", ".tsv", ".json", ".rttm", ".docx"};
  const auto is_hidden = [](const std::filesystem::path& part) {
    const std::string name = part;
    return name.starts_with('.') && name != "." && name != "..";
  };
  const std::string ending = path.extension();
  const bool can_be_settings = ending == ".txt" || ending == ".json";
  return std::ranges::find(endings, ending) != endings.end() &&
         std::ranges::none_of(path, is_hidden) && !(can_be_settings && is_of_settings(path.stem()));
}

Result<platform::UniqueFd> open_parent(const AllowedPaths& paths, const std::string& path) {
  const std::filesystem::path target(path);
  const std::string leaf = target.filename();
  if (leaf.empty() || leaf == "." || leaf == "..") {
    return Error{errc::output_not_writable, "The output_file is no name of a file.",
                 "Give the path of a file that is to be written."};
  }
  if (!is_for_transcripts(target)) {
    return Error{errc::output_not_writable, "The output_file is no place for a transcript.",
                 "Use a name that ends in .txt, .srt, .vtt, .tsv, .json, .rttm or .docx, in no "
                 "hidden folder, and "
                 "that no program reads as its settings: talk.txt, for instance."};
  }
  auto folder = paths.open_folder(target.parent_path());
  if (!folder) return Error{errc::output_not_writable, folder.error().message, folder.error().fix};
  return folder;
}

}  // namespace

Result<OutputFile> open_output(const AllowedPaths& paths, const std::string& path) {
  const std::string leaf = std::filesystem::path(path).filename();
  auto folder = open_parent(paths, path);
  if (!folder) return folder.error();
  struct ::stat there {};
  const bool exists = ::fstatat(folder->get(), leaf.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0;
  if (exists && S_ISDIR(there.st_mode)) return not_written(EISDIR);
  if (exists) return not_written(EEXIST);
  return OutputFile{*std::move(folder), path};
}

Result<void> write_output(const OutputFile& output, std::string_view text) {
  const int folder = output.folder.get();
  const std::string leaf = std::filesystem::path(output.path).filename();
  const std::string part = ".scribed-" + random_id();
  const platform::UniqueFd file(
      ::openat(folder, part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!file) return not_written(errno);
  const bool done =
      write_all(file.get(), text) && rename_to_free(folder, part.c_str(), leaf.c_str()) == 0;
  if (done) return {};
  const int failed = errno;
  ::unlinkat(folder, part.c_str(), 0);
  return not_written(failed);
}

}  // namespace server
