#pragma once

#include <filesystem>
#include <vector>

#include "server/base/environment.h"
#include "server/config/config.h"

// These functions name the folders in which scribed keeps its own files.
namespace server {

// Returns the folder of the models: $SCRIBED_DATA_DIR/models; else /var/lib/scribed/models if that
// exists and this user may write there (a service, or root on a machine that has it); else models/
// below $XDG_DATA_HOME/scribed or ~/.local/share/scribed. `system_folder` stands for
// /var/lib/scribed.
std::filesystem::path models_folder(
    const Environment& environment,
    const std::filesystem::path& system_folder = "/var/lib/scribed");

// Returns the folder of cached data that can be computed again: cache/ beside models/. Root writes
// nothing into another user's folder, as that of a service: there it is $XDG_CACHE_HOME/scribed or
// ~/.cache/scribed.
std::filesystem::path cache_folder(const Environment& environment,
                                   const std::filesystem::path& system_folder = "/var/lib/scribed");

// Returns the folders of runtime packs whose libraries were fetched, best first. The first one is
// where they are installed: $SCRIBED_DATA_DIR/packs; else /var/lib/scribed/packs if that folder of
// scribed exists and this user may write there; else packs/ beside models/. The second one, where
// it is another, is that of the whole machine.
std::vector<std::filesystem::path> packs_folders(
    const Environment& environment,
    const std::filesystem::path& system_folder = "/var/lib/scribed");

// Returns the folder of jobs and uploads: jobs.state_folder; else the one that systemd has made for
// the service ($STATE_DIRECTORY); else /var/lib/scribed for root; else scribed/ below
// $XDG_STATE_HOME or ~/.local/state.
std::filesystem::path state_folder(const Config& config, const Environment& environment,
                                   bool is_root);

// The unix sockets on which clients look for a daemon of this machine, the user's own first:
// $XDG_RUNTIME_DIR/scribed/scribed.sock, then /run/scribed/scribed.sock. A daemon listens there
// where server.listen names one of them, as "unix:/run/scribed/scribed.sock".
std::vector<std::filesystem::path> local_sockets(const Environment& environment);

// Returns scribed/ below $`variable`, where that is absolute, or below ~/`in_home`; empty if
// neither exists.
std::filesystem::path user_folder(const Environment& environment, const char* variable,
                                  const char* in_home);

}  // namespace server
