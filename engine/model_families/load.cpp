#include "engine/model_families/load.h"

#include <algorithm>
#include <iterator>

#include "engine/model_families/families.h"

namespace engine {

Result<LoadedRecognizer> load_recognizer(const LoadRequest& request) {
  return with_family_of(request.model, [&](auto family) { return family.load(request); });
}

Result<protocol::worker::BenchResult> bench(const protocol::worker::Bench& request) {
  return with_family_of(request.model_path, [&](auto family) { return family.bench(request); });
}

std::vector<platform::PathRule> written_paths() {
  std::vector<platform::PathRule> paths;
  std::apply(
      [&](auto... family) {
        (std::ranges::move(family.written_paths(), std::back_inserter(paths)), ...);
      },
      Families());
  return paths;
}

}  // namespace engine
