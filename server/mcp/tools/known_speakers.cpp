#include "server/mcp/tools/known_speakers.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "protocol/base64.h"
#include "protocol/data_url.h"
#include "protocol/known_speaker.h"
#include "server/mcp/tools/local_path.h"
#include "server/mcp/tools/schema.h"

namespace server {
namespace {

constexpr char argument[] = "known_speakers";

// Returns "path, upload or data: URL in Base64", as far as these are allowed. A bridge says "path"
// for "upload".
std::string kinds_of_clips(const ToolSettings& settings) {
  std::string kinds = settings.may_name_files() ? "path" : "";
  if (settings.takes_uploads) kinds += kinds.empty() ? "upload" : ", upload";
  return kinds + (kinds.empty() ? "" : " or ") + "data: URL in Base64";
}

SoundSource clip_of(Arguments& arguments, const std::string& name, const std::string& text,
                    const ToolSettings& settings) {
  const auto fail = [&](const std::string& why) -> SoundSource {
    arguments.fail(fmt::format("The clip of {} in {} {}.", name, argument, why),
                   fmt::format("Give its {}.", kinds_of_clips(settings)));
    return PathSource{};
  };
  if (text.starts_with("data:")) {
    auto bytes = protocol::bytes_of_data_url(text);
    if (!bytes) return fail("is no data: URL in Base64");
    if (bytes->size() > settings.audio_bytes) {
      return fail(fmt::format("has more than {} bytes", settings.audio_bytes));
    }
    return BytesSource{*std::move(bytes), {}};
  }
  if (text.size() > max_address_bytes) return fail("is too long for a path");
  if (settings.takes_uploads && text.starts_with("upload://")) return UploadSource{text};
  if (!settings.may_name_files()) return fail("is none that can be named here");
  auto path = local_path(text, settings.home);
  if (!path) return fail("is no address of a file on this machine");
  return PathSource{*std::move(path)};
}

}  // namespace

nlohmann::json known_speakers_property(const ToolSettings& settings) {
  const std::string description =
      "Speakers whose voices are known, by name: each with a clip of 2 to 10 s in which nobody "
      "else "
      "speaks, as " +
      kinds_of_clips(settings) + ". They are named in the text; others are A, B, …";
  return {{"type", "object"},
          {"additionalProperties", {{"type", "string"}}},
          {"description", description}};
}

std::vector<NamedClip> read_known_speakers(Arguments& arguments, const ToolSettings& settings) {
  std::vector<NamedClip> speakers;
  for (const auto& [name, text] :
       arguments.texts_by_name(argument, protocol::most_known_speakers)) {
    speakers.push_back({name, clip_of(arguments, name, text, settings)});
  }
  return speakers;
}

}  // namespace server
