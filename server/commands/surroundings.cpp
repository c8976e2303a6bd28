#include "server/commands/surroundings.h"

#include <utility>

#include "server/config/environment.h"
#include "server/config/folders.h"

namespace server {

ModelStore own_store() {
  return ModelStore(models_folder(process_environment));
}

SetupSources setup_sources(DeviceArguments device) {
  device.pack_folders = packs_folders(process_environment);
  return {.models = own_store(),
          .device = std::move(device),
          .environment = process_environment,
          .probe_cache = cache_folder(process_environment) / "probe.json"};
}

}  // namespace server
