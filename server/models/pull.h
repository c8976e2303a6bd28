#pragma once

#include <optional>

#include "server/models/error.h"
#include "server/models/hub.h"
#include "server/models/model_store.h"
#include "server/models/observer.h"
#include "server/models/registry.h"

namespace server {

struct PullOptions {
  std::optional<SourceKind> only{};  // empty: every source of the model, in the registry's order
  bool replace = false;              // replaces a complete installed model, too
  HubAccess hub{};
};

struct Pulled {
  Manifest manifest;
  bool was_installed = false;  // nothing was fetched
};

// Fetches a model, checks every file and installs it. Blocks for minutes. A source that fails is
// reported to the observer as a note, and the next one tried; a failure of this machine (disk,
// permission, another process) ends the pull. The fetched part stays on the disk, and the next pull
// resumes it.
StoreResult<Pulled> pull(const ModelStore& store, const RegisteredModel& model,
                         const PullOptions& options, const Observer& observer);

}  // namespace server
