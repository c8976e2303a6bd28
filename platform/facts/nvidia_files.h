#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "platform/facts/file_reader.h"
#include "platform/facts/libraries.h"

namespace platform {

// Reads what files show of NVIDIA's kernel module, device nodes and user libraries.
NvidiaFacts read_nvidia(const FileReader& files, const LibraryFinder& libraries);

struct NvidiaModule {
  std::string version{};  // "550.54.14"
  bool open = false;      // "Open Kernel Module"
};

// Parses the line "NVRM version: …" of /proc/driver/nvidia/version.
std::optional<NvidiaModule> parse_nvrm_version(std::string_view text);

}  // namespace platform
