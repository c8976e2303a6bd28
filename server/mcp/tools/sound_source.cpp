#include "server/mcp/tools/sound_source.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base64.h"
#include "server/mcp/tools/local_path.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/shown.h"

namespace server {
namespace {

// The sound is measured instead.
constexpr auto any_length = std::numeric_limits<std::size_t>::max();

// Returns the sentence that names the argument to prefer to audio_base64; empty: there is none.
std::string preference(const ToolSettings& settings) {
  if (settings.may_name_files()) return "Prefer path.";
  return settings.takes_uploads ? "Prefer upload." : "";
}

BytesSource read_bytes(Arguments& arguments, const std::string& base64, std::string name,
                       const ToolSettings& settings) {
  if (protocol::decoded_base64_size(base64.size()) > settings.audio_bytes + 2) {
    arguments.fail(
        fmt::format("audio_base64 has more than {} bytes of audio.", settings.audio_bytes),
        preference(settings));
    return {};
  }
  auto bytes = protocol::decode_base64(base64);
  if (!bytes) {
    arguments.fail("audio_base64 is not Base64.",
                   "It needs the standard alphabet and padding, without line breaks.");
    return {};
  }
  return {*std::move(bytes), std::move(name)};
}

// "a", "a and b", "a, b and c"
std::string joined_names(const std::vector<std::string>& names, const char* last) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? fmt::format(" {} ", last) : ", ";
    list += names[i];
  }
  return list;
}

}  // namespace

nlohmann::json source_properties(const ToolSettings& settings) {
  nlohmann::json properties{
      {"audio_base64",
       schema::text(fmt::format("The file itself as Base64, for very short sound only: {} KiB at "
                                "most. {}",
                                settings.audio_bytes >> 10, preference(settings)))},
      {"file_name", schema::text("What the file of audio_base64 is called")}};
  if (settings.may_name_files()) {
    properties["path"] = schema::text(
        "Path or file:// address of an audio or video file on the "
        "machine of the server, " +
        folder_names(settings));
  }
  if (settings.may_fetch) {
    properties["url"] =
        schema::text("https address of the file, on one of the hosts that the server allows");
  }
  if (settings.takes_uploads) {
    properties["upload"] = schema::text(
        "Handle of a file that was sent by POST to /v1/uploads of this server: upload://abc");
  }
  return properties;
}

std::string one_of_sources(const ToolSettings& settings) {
  std::vector<std::string> names;
  if (settings.may_name_files()) names.emplace_back("path");
  if (settings.may_fetch) names.emplace_back("url");
  if (settings.takes_uploads) names.emplace_back("upload");
  names.emplace_back("audio_base64");
  return names.size() == 1 ? names[0] : "exactly one of " + joined_names(names, "and");
}

std::string folder_names(const ToolSettings& settings) {
  std::vector<std::string> names;
  for (const auto& folder : settings.folders) names.push_back(quoted_path(folder));
  return "below " + joined_names(names, "or");
}

SoundSource read_source(Arguments& arguments, const ToolSettings& settings) {
  std::string path, url, upload;
  if (settings.may_name_files()) path = read_path(arguments, "path", settings.home);
  if (settings.may_fetch) url = arguments.text("url");
  if (settings.takes_uploads) upload = arguments.text("upload");
  const std::string base64 = arguments.text("audio_base64", any_length);
  std::string name = arguments.text("file_name", max_name_bytes);
  const int given = !path.empty() + !url.empty() + !upload.empty() + !base64.empty();
  if (given != 1) {
    arguments.fail(given == 0 ? "The call has no audio." : "The call has several recordings.",
                   fmt::format("Give {}.", one_of_sources(settings)));
  }
  if (!url.empty()) return UrlSource{std::move(url)};
  if (!upload.empty()) return UploadSource{std::move(upload)};
  if (!base64.empty()) return read_bytes(arguments, base64, std::move(name), settings);
  return PathSource{std::move(path)};
}

}  // namespace server
