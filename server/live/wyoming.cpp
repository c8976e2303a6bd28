#include "server/live/wyoming.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "server/base/version.h"
#include "server/models/inspection.h"
#include "server/models/model_languages.h"
#include "server/models/model_store.h"

namespace server {
namespace {

using protocol::wyoming::InfoModel;

// Languages are in the order of the model's tokens.
InfoModel described(const Manifest& model) {
  InfoModel entry{.name = model.name};
  for (const auto code : languages_of(model)) entry.languages.emplace_back(code);
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
  Manifest manifest{};
  manifest.name = model->name;
  manifest.languages = inspected->languages;
  return described(manifest);
}

}  // namespace

protocol::wyoming::Info wyoming_info(const ModelStore& store, const WyomingSettings& settings) {
  protocol::wyoming::Info info{.version = program_version(),
                               .requires_external_vad = settings.requires_external_vad};
  if (auto model = described_path(store, settings.default_model)) {
    info.models.push_back(*std::move(model));
  }
  for (const auto& model : store.list().models) {
    info.models.push_back(described(model.manifest));
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
