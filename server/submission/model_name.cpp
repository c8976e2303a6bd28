#include "server/submission/model_name.h"

#include <algorithm>
#include <array>

#include "server/models/model_store.h"

namespace server {

bool is_openai_model(std::string_view name) {
  constexpr std::array exact{"whisper-1", "gpt-transcribe", "gpt-4o-transcribe",
                             "gpt-4o-mini-transcribe"};
  return std::ranges::find(exact, name) != exact.end() ||
         name.starts_with("gpt-4o-mini-transcribe-");
}

Result<std::string> model_for(const Services& services, const std::string& wanted) {
  const bool is_default =
      wanted.empty() || wanted == services.default_model || is_openai_model(wanted);
  if (is_default) return services.default_model;
  const auto installed = services.store.find(wanted);
  if (installed) return installed->manifest.name;
  const auto& error = installed.error();
  return Error{name(error.code), error.message, error.fix};
}

}  // namespace server
