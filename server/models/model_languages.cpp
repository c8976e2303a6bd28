#include "server/models/model_languages.h"

#include <algorithm>
#include <cstddef>

#include "engine/model_families/inspect.h"
#include "protocol/languages.h"
#include "server/models/helper_models.h"

namespace server {
namespace {

// Languages came to Whisper one after the other, so a published model that knows n of them knows
// the first.
std::vector<std::string_view> first_languages(std::size_t count) {
  std::vector<std::string_view> codes;
  for (const auto& language : protocol::languages()) {
    if (codes.size() < count) codes.push_back(language.code);
  }
  return codes;
}

std::vector<std::string_view> english() {
  return {"en"};
}

}  // namespace

std::vector<std::string_view> languages_of(const Manifest& installed) {
  if (find_helper(installed.name) != nullptr) return {};
  const auto* registered = find_registered(installed.name);
  if (registered != nullptr && !registered->multilingual) return english();
  if (!installed.languages.empty()) {
    return {installed.languages.begin(), installed.languages.end()};
  }
  const int count = engine::n_languages(installed.dims);
  return count == 1 ? english() : first_languages(static_cast<std::size_t>(count));
}

// The last language came with large-v3.
std::vector<std::string_view> languages_of(const RegisteredModel& model) {
  if (model.use != ModelUse::transcription) return {};
  if (!model.multilingual) return english();
  const std::size_t all = protocol::languages().size();
  return first_languages(model.name.starts_with("large-v3") ? all : all - 1);
}

}  // namespace server
