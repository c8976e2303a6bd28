#include "server/live/wyoming.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/model_families/inspect.h"
#include "protocol/languages.h"
#include "server/models/model_store.h"

namespace server {
namespace {

// Languages are in the order of Whisper's tokens, of which a model has the first.
protocol::wyoming::InfoModel described(const InstalledModel& model) {
  protocol::wyoming::InfoModel entry{.name = model.manifest.name};
  const auto known = protocol::languages();
  const auto count = static_cast<std::size_t>(engine::n_languages(model.manifest.dims));
  for (const auto& language : known.first(std::min(count, known.size()))) {
    entry.languages.emplace_back(language.code);
  }
  return entry;
}

}  // namespace

protocol::wyoming::Info wyoming_info(const ModelStore& store, const WyomingSettings& settings) {
  protocol::wyoming::Info info{.version = SCRIBED_VERSION,
                               .requires_external_vad = settings.requires_external_vad};
  for (const auto& model : store.list().models) info.models.push_back(described(model));
  std::ranges::stable_partition(info.models, [&](const protocol::wyoming::InfoModel& model) {
    return model.name == settings.default_model;
  });
  return info;
}

std::unique_ptr<protocol::live::Adapter> make_wyoming_adapter(const ModelStore& store,
                                                              const WyomingSettings& settings) {
  return std::make_unique<protocol::wyoming::WyomingAdapter>(protocol::wyoming::Settings{
      .info = wyoming_info(store, settings), .options = settings.options, .live = settings.live});
}

}  // namespace server
