#include "server/bridge/bridged_tools.h"

#include <string_view>

#include "protocol/jsonrpc.h"
#include "protocol/known_speaker.h"
#include "protocol/mcp/meta_keys.h"

namespace server::bridge {
namespace {

constexpr char upload[] = "upload";
constexpr char path[] = "path";
constexpr char known_speakers[] = "known_speakers";

bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

// Replaces each whole word.
std::string with_word(const std::string& text, std::string_view from, std::string_view to) {
  std::string changed;
  std::size_t done = 0;
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + 1)) {
    const std::size_t end = at + from.size();
    const bool is_whole =
        (at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]));
    if (!is_whole) continue;
    changed += text.substr(done, at - done);
    changed += to;
    done = end;
  }
  return changed + text.substr(done);
}

// Says "path" where a text of the daemon says "upload".
void say_path(Json& object, const char* field) {
  if (!object.is_object() || !object.contains(field) || !object[field].is_string()) return;
  std::string text = object[field].get<std::string>();
  // A daemon that reads files as well says "path, upload and …".
  constexpr std::string_view beside = "path, upload";
  if (const auto at = text.find(beside); at != text.npos) text.replace(at, beside.size(), path);
  object[field] = with_word(text, upload, path);
}

std::string below(const std::vector<std::filesystem::path>& folders) {
  std::string text;
  for (const auto& folder : folders) text += (text.empty() ? "below " : " or ") + folder.string();
  return text;
}

void offer_path(Json& tool, const std::vector<std::filesystem::path>& folders) {
  if (!tool.is_object() || !tool.contains("inputSchema")) return;
  Json& schema = tool["inputSchema"];
  const bool takes_uploads = schema.is_object() && schema.contains("properties") &&
                             schema["properties"].is_object() &&
                             schema["properties"].contains(upload);
  if (!takes_uploads) return;
  Json& properties = schema["properties"];
  properties.erase(upload);
  properties[path] = {{"type", "string"},
                      {"description", "Path of an audio or video file, " + below(folders)}};
  for (auto& property : properties) say_path(property, "description");
  say_path(tool, "description");
}

const Json* arguments_of(const Json& message) {
  const bool is_call =
      message.is_object() && message.contains("method") && message["method"] == "tools/call";
  if (!is_call) return nullptr;
  const auto params = message.find("params");
  if (params == message.end() || !params->is_object()) return nullptr;
  const auto arguments = params->find("arguments");
  return arguments != params->end() && arguments->is_object() ? &*arguments : nullptr;
}

bool is_modern_call(const Json& message) {
  const Json params = message.value("params", Json::object());
  return params.is_object() && params.contains("_meta") && params["_meta"].is_object() &&
         params["_meta"].contains(protocol::mcp::version_key);
}

}  // namespace

void offer_paths(Json& result, const std::vector<std::filesystem::path>& folders) {
  if (!result.is_object()) return;
  say_path(result, "instructions");
  if (!result.contains("tools") || !result["tools"].is_array()) return;
  for (auto& tool : result["tools"]) offer_path(tool, folders);
}

std::optional<std::string> named_path(const Json& message) {
  const Json* arguments = arguments_of(message);
  if (arguments == nullptr) return std::nullopt;
  const auto named = arguments->find(path);
  if (named == arguments->end() || !named->is_string()) return std::nullopt;
  return named->get<std::string>();
}

std::map<std::string, std::string> named_clips(const Json& message) {
  const Json* arguments = arguments_of(message);
  if (arguments == nullptr) return {};
  const auto speakers = arguments->find(known_speakers);
  const bool are_clips = speakers != arguments->end() && speakers->is_object() &&
                         speakers->size() <= protocol::most_known_speakers;
  if (!are_clips) return {};  // the daemon says why
  std::map<std::string, std::string> paths;
  for (const auto& [speaker, clip] : speakers->items()) {
    if (!clip.is_string()) continue;
    const std::string& text = clip.get_ref<const std::string&>();
    if (!text.starts_with("data:") && !text.starts_with("upload://")) paths[speaker] = text;
  }
  return paths;
}

void name_clip_upload(Json& message, const std::string& speaker, const std::string& handle) {
  message["params"]["arguments"][known_speakers][speaker] = handle;
}

void name_upload(Json& message, const std::string& handle) {
  Json& arguments = message["params"]["arguments"];
  arguments.erase(path);
  arguments[upload] = handle;
}

Json refused_call(const Json& message, const std::string& text) {
  Json result{{"content", Json::array({{{"type", "text"}, {"text", text}}})}, {"isError", true}};
  if (is_modern_call(message)) result["resultType"] = "complete";
  return protocol::jsonrpc::result_message(message["id"], std::move(result));
}

}  // namespace server::bridge
