#include "server/commands/surroundings.h"

#include "server/config/environment.h"
#include "server/config/folders.h"

namespace server {

ModelStore own_store() {
  return ModelStore(models_folder(process_environment));
}

SetupSources setup_sources(const DeviceArguments& device) {
  return {.models = own_store(),
          .device = device,
          .environment = process_environment,
          .probe_cache = cache_folder(process_environment) / "probe.json"};
}

}  // namespace server
