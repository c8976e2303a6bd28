#include "server/live/wyoming.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "engine/model_families/inspect.h"
#include "protocol/languages.h"
#include "server/models/inspection.h"
#include "server/models/model_store.h"

namespace server {
namespace {

using protocol::wyoming::InfoModel;

// Languages are in the order of Whisper's tokens, of which a model has the first.
InfoModel described(std::string name, const engine::Dims& dims) {
  InfoModel entry{.name = std::move(name)};
  const auto known = protocol::languages();
  const auto count = static_cast<std::size_t>(engine::n_languages(dims));
  for (const auto& language : known.first(std::min(count, known.size()))) {
    entry.languages.emplace_back(language.code);
  }
  return entry;
}

// The server's owner may name the default model by its path, so that it is in no list of installed
// ones. It is called as its file or folder is; any name that a client sends back means it.
std::optional<InfoModel> described_path(const ModelStore& store, const std::string& path) {
  if (store.find(path)) return std::nullopt;
  const auto model = store.resolve(path);
  if (!model) return std::nullopt;
  const auto inspected = inspect(model->path);
  if (!inspected) return std::nullopt;
  return described(model->name, inspected->dims);
}

}  // namespace

protocol::wyoming::Info wyoming_info(const ModelStore& store, const WyomingSettings& settings) {
  protocol::wyoming::Info info{.version = SCRIBED_VERSION,
                               .requires_external_vad = settings.requires_external_vad};
  if (auto model = described_path(store, settings.default_model)) {
    info.models.push_back(*std::move(model));
  }
  for (const auto& model : store.list().models) {
    info.models.push_back(described(model.manifest.name, model.manifest.dims));
  }
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
