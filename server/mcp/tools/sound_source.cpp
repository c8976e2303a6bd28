#include "server/mcp/tools/sound_source.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

#include "protocol/base64.h"
#include "server/mcp/tools/schema.h"

namespace server {
namespace {

// the sound's own limit applies
constexpr auto any_length = std::numeric_limits<std::size_t>::max();

BytesSource read_bytes(Arguments& arguments, const std::string& base64, std::string name,
                       std::size_t most) {
  if (protocol::decoded_base64_size(base64.size()) > most + 2) {
    arguments.fail(fmt::format("audio_base64 holds more than {} bytes of sound.", most),
                   "Give the path of the file, or upload it by POST to /v1/uploads.");
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

}  // namespace

nlohmann::json source_properties() {
  return {{"path", schema::text("Path of an audio or video file, on the machine of the server")},
          {"url", schema::text("https address of the file, where the server allows addresses")},
          {"upload", schema::text("Handle of an uploaded file, as in upload://abc")},
          {"audio_base64",
           schema::text("The file itself as Base64, for very short sound only: 1 MiB at most. "
                        "Prefer path")},
          {"file_name", schema::text("What the file of audio_base64 is called")}};
}

SoundSource read_source(Arguments& arguments, const ToolSettings& settings) {
  std::string path = arguments.text("path"), url = arguments.text("url");
  std::string upload = arguments.text("upload");
  const std::string base64 = arguments.text("audio_base64", any_length);
  std::string name = arguments.text("file_name", max_name_bytes);
  const int given = !path.empty() + !url.empty() + !upload.empty() + !base64.empty();
  if (given != 1) {
    arguments.fail(given == 0 ? "The call names no sound." : "The call names several sounds.",
                   "Give exactly one of path, url, upload and audio_base64.");
  }
  if (!url.empty()) return UrlSource{std::move(url)};
  if (!upload.empty()) return UploadSource{std::move(upload)};
  if (!base64.empty()) {
    return read_bytes(arguments, base64, std::move(name), settings.audio_bytes);
  }
  return PathSource{std::move(path)};
}

}  // namespace server
