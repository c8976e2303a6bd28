#include "platform/build_info.h"

namespace platform {
namespace {

std::string text_of(const nlohmann::json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_string() ? it->get<std::string>() : "";
}

std::vector<std::string> texts_of(const nlohmann::json& json, const char* key) {
  std::vector<std::string> texts;
  const auto it = json.find(key);
  if (it == json.end() || !it->is_array()) return texts;
  for (const auto& element : *it) {
    if (element.is_string()) texts.push_back(element.get<std::string>());
  }
  return texts;
}

std::vector<ComputeCapability> capabilities_of(const nlohmann::json& json, const char* key) {
  std::vector<ComputeCapability> list;
  for (const auto& text : texts_of(json, key)) {
    if (const auto capability = ComputeCapability::parse(text)) list.push_back(*capability);
  }
  return list;
}

}  // namespace

BuildInfo parse_build_info(const nlohmann::json& json) {
  BuildInfo build;
  if (!json.is_object()) return build;
  build.backend = parse_backend(text_of(json, "backend")).value_or(Backend::cpu);
  build.torch = text_of(json, "torch");
  build.variant = text_of(json, "variant");
  build.cuda = text_of(json, "cuda");
  build.cudnn = text_of(json, "cudnn");
  build.rocm = text_of(json, "rocm");
  build.arch_list = capabilities_of(json, "arch_list");
  build.ptx_list = capabilities_of(json, "ptx_list");
  build.gfx_list = texts_of(json, "gfx_list");
  if (auto origin = text_of(json, "origin"); !origin.empty()) build.origin = std::move(origin);
  return build;
}

}  // namespace platform
