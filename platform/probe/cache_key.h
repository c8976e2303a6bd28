#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "platform/facts/facts.h"
#include "platform/probe/probe.h"

namespace platform {

// What the answers in the cache depend on, beside machine_key (probe_cache.h).
std::string native_key(const Facts& facts, const ProbeSettings& settings);  // + the program, packs
std::string pack_key(const Facts& facts, const std::filesystem::path& pack_folder);

// The files that answered for a pack, and the folder of rocBLAS's kernels, each with its stamp: an
// exchanged one is noticed by them.
nlohmann::json stamps_of(const PackLibraries& libraries);

}  // namespace platform
