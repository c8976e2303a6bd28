#pragma once

#include <optional>

#include "server/store/error.h"
#include "server/store/hub.h"
#include "server/store/model_store.h"
#include "server/store/observer.h"
#include "server/store/registry.h"

namespace server {

struct PullOptions {
  std::optional<SourceKind> only{};  // else every source of the model, in the registry's order
  bool replace = false;              // also what is installed and whole
  HubAccess hub{};
};

struct Pulled {
  Manifest manifest;
  bool was_installed = false;  // nothing was fetched
};

// Fetches a model, checks every file and installs it. Blocking, for minutes. A source that fails is
// noted to the observer and the next one tried; a failure of this machine (disk, permission,
// another process) ends the pull. What was fetched stays and the next pull goes on from there.
StoreResult<Pulled> pull(const ModelStore& store, const RegisteredModel& model,
                         const PullOptions& options, const Observer& observer);

}  // namespace server
