#include "server/api/azure_path.h"

#include <algorithm>
#include <array>

namespace server {
namespace {

constexpr std::string_view azure_root = "/openai/";
constexpr std::string_view deployments = "deployments/";

// Clients of Azure call these ends of paths; this server has no others of OpenAI's API.
constexpr std::array azure_ends{std::string_view("/audio/transcriptions"),
                                std::string_view("/audio/translations"),
                                std::string_view("/realtime"), std::string_view("/models")};

}  // namespace

bool is_azure_path(std::string_view path) {
  return path.starts_with(azure_root);
}

MeantPath meant_path(std::string_view path) {
  if (!is_azure_path(path)) return {std::string(path)};
  std::string_view rest = path.substr(azure_root.size());
  if (rest.starts_with("v1/")) return {"/" + std::string(rest)};
  const bool has_name = rest.starts_with(deployments);
  if (has_name) rest.remove_prefix(deployments.size());
  const std::string_view whole = has_name ? rest : path.substr(azure_root.size() - 1);
  const auto end = std::ranges::find_if(azure_ends, [&](auto one) { return whole.ends_with(one); });
  if (end == azure_ends.end()) return {std::string(path)};
  const auto name = whole.substr(0, whole.size() - end->size());
  if (name.empty() == has_name) return {std::string(path)};
  return {"/v1" + std::string(*end), std::string(name)};
}

}  // namespace server
