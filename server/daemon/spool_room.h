#pragma once

#include <cstdint>
#include <filesystem>

namespace server {

// Returns the folder in which workers keep what is too long for memory: $TMPDIR, else /var/tmp, as
// engine/audio/spool_file.h has it.
std::filesystem::path worker_spool_folder();

// Returns how many bytes of their disk workers leave free: `min_free`, and where the disk is
// another one than that of the state folder at most a twentieth of it. So a container that has a
// few megabytes of memory for temporary files can work, and uploads still find min_free.
std::int64_t spool_min_free(std::int64_t min_free, const std::filesystem::path& state_folder,
                            const std::filesystem::path& spool_folder);

}  // namespace server
