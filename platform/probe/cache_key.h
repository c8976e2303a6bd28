#pragma once

#include <filesystem>
#include <string>

#include "platform/facts/facts.h"
#include "platform/probe/probe.h"

namespace platform {

// What the answers in the cache depend on, beside machine_key (probe_cache.h).
std::string native_key(const Facts& facts, const ProbeSettings& settings);  // + the program, packs
std::string pack_key(const Facts& facts, const std::filesystem::path& pack_folder);

}  // namespace platform
