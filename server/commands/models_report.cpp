#include "server/commands/models_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "protocol/json_text.h"
#include "server/commands/models_progress.h"
#include "server/models/helper_models.h"
#include "server/models/model_languages.h"
#include "server/models/registry.h"

namespace server {
namespace {

using nlohmann::ordered_json;

std::string languages(const Manifest& manifest) {
  if (find_helper(manifest.name) != nullptr) return "any";
  const auto codes = languages_of(manifest);
  if (codes.size() == 1) return "English";
  return fmt::format("{} languages", codes.size());
}

ordered_json model_json(const InstalledModel& model) {
  const Manifest& manifest = model.manifest;
  ordered_json files = ordered_json::array();
  for (const auto& file : manifest.files) {
    files.push_back({{"name", file.name}, {"size", file.size}, {"sha256", file.sha256}});
  }
  return {{"name", manifest.name},
          {"path", model.folder.string()},
          {"format", manifest.format},
          {"size", manifest.total_size()},
          {"languages", languages(manifest)},
          {"source", manifest.source},
          {"origin", manifest.origin},
          {"installed", manifest.installed},
          {"dims", manifest.dims},
          {"files", files}};
}

ordered_json available_json(const RegisteredModel& model) {
  ordered_json entry{{"name", model.name},
                     {"aliases", model.aliases},
                     {"parameters", model.parameters},
                     {"languages", model.multilingual ? "multilingual" : "English"},
                     {"download_size", nullptr}};
  if (const auto size = model.download_size()) entry["download_size"] = *size;
  entry["sources"] = ordered_json::array();
  for (const auto& source : model.sources) entry["sources"].push_back(name(kind(source)));
  return entry;
}

void print_json(const ordered_json& document) {
  fmt::print("{}\n", protocol::json::dump(document, 2));
}

void print_models_json(const ModelStore& store, const ModelStore::Listing& listing) {
  ordered_json out{{"store", store.root().string()}};
  for (const char* key : {"installed", "damaged", "available"}) out[key] = ordered_json::array();
  for (const auto& model : listing.models) out["installed"].push_back(model_json(model));
  for (const auto& error : listing.broken) out["damaged"].push_back(error.message);
  for (const auto& model : registered_models()) out["available"].push_back(available_json(model));
  const auto helper = [&](std::string_view name) {
    const auto model = store.find(name);
    return model ? model_json(*model) : ordered_json(nullptr);
  };
  out["speech_detection"] = helper(vad_model_name);
  out["speaker_recognition"] = helper(speakers_model_name);
  print_json(out);
}

}  // namespace

void print_models(const ModelStore& store, bool as_json) {
  const auto listing = store.list();
  if (as_json) return print_models_json(store, listing);
  fmt::print("Installed in {}:\n", store.root().string());
  if (listing.models.empty())
    fmt::print("  none; `scribed models pull base` installs the default\n");
  for (const auto& [manifest, folder] : listing.models) {
    fmt::print("  {:<18} {:>9}  {:<13}  {}\n", manifest.name, readable_size(manifest.total_size()),
               manifest.format, languages(manifest));
  }
  for (const auto& helper : helper_models()) {
    const auto installed = store.find(helper.name);
    if (!installed) continue;
    fmt::print("  {:<18} {:>9}  {:<13}  {}\n", helper.name,
               readable_size(installed->manifest.total_size()), installed->manifest.format,
               helper.purpose);
  }
  for (const auto& error : listing.broken) fmt::print("  damaged: {}\n", error.message);
  fmt::print("\nAvailable with `scribed models pull NAME`:\n");
  for (const auto& model : registered_models()) {
    const bool installed =
        std::any_of(listing.models.begin(), listing.models.end(),
                    [&](const InstalledModel& other) { return other.manifest.name == model.name; });
    if (installed) continue;
    const auto size = model.download_size();
    fmt::print("  {:<18} {:>9}  {:>6}  {}\n", model.name,
               size ? readable_size(*size) : std::string("-"), model.parameters,
               model.multilingual ? "multilingual" : "English");
  }
  for (const auto& helper : helper_models()) {
    if (store.find(helper.name)) continue;
    fmt::print("  {:<18} {:>9}  {:>6}  {}\n", helper.name, "-", helper.parameters, helper.purpose);
  }
}

void print_model(const InstalledModel& model, bool as_json, bool verified) {
  const Manifest& manifest = model.manifest;
  if (as_json) {
    ordered_json out = model_json(model);
    if (verified) out["verified"] = true;
    return print_json(out);
  }
  const auto row = [](std::string_view label, std::string_view text) {
    fmt::print("{:<15}{}\n", label, text);
  };
  row("name", manifest.name);
  row("path", model.folder.string());
  row("format", manifest.format);
  row("size", readable_size(manifest.total_size()));
  row("languages", languages(manifest));
  if (find_helper(manifest.name) == nullptr) {
    for (const auto& [name, size] : manifest.dims) row(name, std::to_string(size));
  }
  const auto* registered = find_registered(manifest.name);
  if (registered != nullptr && !registered->license.empty()) {
    row("license", registered->license);
  }
  row("source", manifest.source + " " + manifest.origin);
  row("installed", manifest.installed);
  for (const auto& file : manifest.files) {
    row("file", fmt::format("{} {} sha256 {}", file.name, file.size, file.sha256));
  }
  if (verified) row("verified", "every file has its sha256");
}

}  // namespace server
