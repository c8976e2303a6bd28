#include "server/models/registry.h"

#include <algorithm>

#include "server/base/edit_distance.h"
#include "server/models/helper_models.h"

namespace server {

SourceKind kind(const Source& source) {
  return static_cast<SourceKind>(source.index());
}

std::string_view name(SourceKind kind) {
  switch (kind) {
    case SourceKind::hub:
      return "hub";
    case SourceKind::package:
      return "package";
    case SourceKind::openai:
      return "openai";
  }
  return "";
}

std::optional<std::uint64_t> RegisteredModel::download_size() const {
  const auto* hub = std::get_if<HubSource>(&sources.front());
  if (hub == nullptr) return std::nullopt;
  const auto weights = std::find_if(hub->files.begin(), hub->files.end(), [](const auto& file) {
    return file.name.ends_with(".safetensors");
  });
  return weights == hub->files.end() ? std::nullopt : weights->size;
}

namespace {

std::span<const KnownFile> files_of(const Source& source) {
  if (const auto* hub = std::get_if<HubSource>(&source)) return hub->files;
  if (const auto* packages = std::get_if<PackageSource>(&source)) return packages->files;
  return {&std::get<OpenAiSource>(source).file, 1};
}

bool goes_by(const RegisteredModel& model, std::string_view name) {
  return model.name == name ||
         std::find(model.aliases.begin(), model.aliases.end(), name) != model.aliases.end();
}

}  // namespace

std::optional<std::uint64_t> RegisteredModel::total_bytes() const {
  std::uint64_t total = 0;
  if (const auto* source = std::get_if<PackageSource>(&sources.front())) {
    for (const auto& package : source->packages) {
      if (package.bytes == 0) return std::nullopt;
      total += package.bytes;
    }
    return total;
  }
  for (const auto& file : files_of(sources.front())) {
    if (!file.size) return std::nullopt;
    total += *file.size;
  }
  return total;
}

const RegisteredModel* find_registered(std::string_view wanted) {
  for (const auto& model : registered_models()) {
    if (goes_by(model, wanted)) return &model;
  }
  for (const auto& model : helper_models()) {
    if (goes_by(model, wanted)) return &model;
  }
  return nullptr;
}

std::vector<std::string> closest(std::string_view word, std::vector<std::string> candidates) {
  // The distance takes time in proportion to the product of both lengths, and words are clients'.
  constexpr std::size_t longest = 100;
  if (word.size() > longest) return {};
  const std::size_t limit = std::max<std::size_t>(2, word.size() / 3);
  std::erase_if(candidates, [&](const auto& c) {
    const std::size_t longer = std::max(word.size(), c.size());
    const std::size_t shorter = std::min(word.size(), c.size());
    return longer - shorter > limit || edit_distance(word, c) > limit;
  });
  std::stable_sort(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
    return edit_distance(word, a) < edit_distance(word, b);
  });
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  if (candidates.size() > 3) candidates.resize(3);
  return candidates;
}

}  // namespace server
