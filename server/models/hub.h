#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "server/base/environment.h"
#include "server/models/error.h"
#include "server/models/http_access.h"
#include "server/models/manifest.h"
#include "server/models/observer.h"
#include "server/models/registry.h"

namespace server {

// The result of a source: its exact origin, and the checked files.
struct Fetched {
  std::string origin;
  std::vector<InstalledFile> files;
};

// The address of the hub, and the access to it.
struct HubAccess {
  std::string endpoint;  // $HF_ENDPOINT, or the public one; no slash at the end
  // Holds $HF_TOKEN and a file of certificates: libcurl itself reads no environment for them.
  HttpAccess http;
};
// Returns the file of CA certificates that the environment names, or else the system has; empty:
// none of the places that systems have them at.
std::string certificates_of(const Environment& environment);

HubAccess hub_access(const Environment& environment);

// Fetches the files of a repository into `folder`. Each is checked against the registry's digest,
// or, if that is unknown, against the one by which the hub names the file: sha256 for large
// files, git's hash for small ones.
StoreResult<Fetched> fetch_from_hub(const HubSource& source, const HubAccess& access,
                                    const std::filesystem::path& folder, const Observer& observer);

// Fetches the published checkpoint into `folder`.
StoreResult<Fetched> fetch_from_openai(const OpenAiSource& source, const std::string& certificates,
                                       const std::filesystem::path& folder,
                                       const Observer& observer);

}  // namespace server
