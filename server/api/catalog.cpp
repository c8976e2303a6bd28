#include "server/api/catalog.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/models/helper_models.h"
#include "server/models/model_languages.h"
#include "server/models/registry.h"
#include "server/submission/services.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

const char* use_name(ModelUse use) {
  switch (use) {
    case ModelUse::transcription:
      return "transcription";
    case ModelUse::speech_detection:
      return "speech_detection";
    case ModelUse::speaker_recognition:
      break;
  }
  return "speaker_recognition";
}

// Returns the repository, or the package, that a model comes from first.
std::string source_name(const RegisteredModel& model) {
  const Source& first = model.sources.front();
  if (const auto* hub = std::get_if<HubSource>(&first)) return hub->repository;
  if (const auto* packages = std::get_if<PackageSource>(&first)) {
    return packages->packages.front().name;
  }
  return std::get<OpenAiSource>(first).url;
}

Json pull_body(const std::optional<PullState>& pull) {
  if (!pull) return nullptr;
  return {{"done_bytes", pull->done_bytes},
          {"total_bytes", pull->total_bytes ? Json(*pull->total_bytes) : Json()}};
}

// Adds what is true now: whether the model is here, whole, loaded, being fetched.
void add_state(Json& entry, const CatalogSources& sources) {
  const std::string name = entry["id"];
  const auto installed = sources.store.find(name);
  const bool is_there = installed || installed.error().code == StoreErrc::damaged;
  const auto whole = sources.store.find_whole(name);
  const auto loaded = std::ranges::find(sources.loaded, name, &LoadedModel::name);
  const bool is_loaded = loaded != sources.loaded.end();
  entry["installed"] = is_there;
  entry["bytes"] = installed ? Json(installed->manifest.total_size()) : Json();
  entry["damaged"] = is_there && !whole ? Json(whole.error().message) : Json();
  entry["loaded"] = is_loaded;
  entry["jobs"] = is_loaded ? loaded->jobs : 0;
  entry["default"] = name == sources.default_model;
  entry["pull"] = pull_body(sources.pulls.state_of(name));
}

Json registered_entry(const RegisteredModel& model, const CatalogSources& sources) {
  const auto installed = sources.store.find(model.name);
  const auto size = model.total_bytes();
  const auto weights = model.download_size();
  Json entry{{"id", model.name},
             {"aliases", model.aliases},
             {"use", use_name(model.use)},
             {"parameters", model.parameters},
             {"languages", installed ? languages_of(installed->manifest) : languages_of(model)},
             {"download_bytes", size ? Json(*size) : Json()},
             {"weights_bytes", weights ? Json(*weights) : Json()},
             {"licence", model.license.empty() ? Json() : Json(model.license)},
             {"source", source_name(model)}};
  add_state(entry, sources);
  return entry;
}

// A model that somebody has imported cannot be fetched again from anywhere.
Json imported_entry(const InstalledModel& model, const CatalogSources& sources) {
  Json entry{{"id", model.manifest.name},
             {"aliases", Json::array()},
             {"use", use_name(ModelUse::transcription)},
             {"parameters", nullptr},
             {"languages", languages_of(model.manifest)},
             {"download_bytes", nullptr},
             {"weights_bytes", nullptr},
             {"licence", nullptr},
             {"source", nullptr}};
  add_state(entry, sources);
  return entry;
}

}  // namespace

Json catalog_body(const CatalogSources& sources) {
  Json data = Json::array();
  for (const auto& model : registered_models()) data.push_back(registered_entry(model, sources));
  for (const auto& model : helper_models()) data.push_back(registered_entry(model, sources));
  for (const auto& model : sources.store.list().models) {
    if (find_registered(model.manifest.name) != nullptr) continue;
    data.push_back(imported_entry(model, sources));
  }
  return {{"data", std::move(data)}};
}

namespace api {

asio::awaitable<void> catalog(Api& api, ApiCall& call) {
  const Services& services = api.services;
  std::string text = protocol::json::dump(
      catalog_body({services.store, api.pulls, services.models.loaded(), services.default_model}));
  return send_json(call.exchange, std::move(text));
}

}  // namespace api
}  // namespace server
