#include "server/submission/model_name.h"

#include <algorithm>
#include <array>

#include "server/models/model_store.h"
#include "server/models/registry.h"

namespace server {

bool is_diarizing_model(std::string_view name) {
  return name == "gpt-4o-transcribe-diarize";
}

bool is_openai_model(std::string_view name) {
  constexpr std::array exact{"whisper-1",           "gpt-transcribe",
                             "gpt-4o-transcribe",   "gpt-4o-mini-transcribe",
                             "gpt-live-transcribe", "gpt-realtime-whisper"};
  return std::ranges::find(exact, name) != exact.end() || is_diarizing_model(name) ||
         name.starts_with("gpt-4o-mini-transcribe-");
}

bool counts_tokens(std::string_view name) {
  return is_openai_model(name) && name != "whisper-1";
}

std::string meant_model(const Services& services, const std::string& wanted) {
  const auto alias = services.aliases.find(wanted);
  if (alias != services.aliases.end()) return alias->second;
  return wanted.empty() || is_openai_model(wanted) ? services.default_model : wanted;
}

Result<std::string> model_for(const Services& services, const std::string& wanted) {
  const std::string meant = meant_model(services, wanted);
  if (meant == services.default_model) return meant;
  const auto installed = services.store.find(meant);
  if (installed) return installed->manifest.name;
  const auto* registered = find_registered(meant);
  const bool may_come =
      registered != nullptr && (services.works_elsewhere || services.is_fetching(registered->name));
  if (may_come) return registered->name;
  return to_error(installed.error());
}

}  // namespace server
