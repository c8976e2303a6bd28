#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/facts/facts.h"
#include "platform/probe/probe.h"

namespace platform {

// The answers in the cache depend on these keys, besides machine_key (probe_cache.h). native_key()
// also names the program and the packs.
std::string native_key(const Facts& facts, const ProbeSettings& settings);
std::string pack_key(const Facts& facts, const PackPlace& pack);

// Returns the files that answered for a pack, and the folder of rocBLAS's kernels, each with its
// stamp, which reveals an exchanged file.
nlohmann::json stamps_of(const PackLibraries& libraries);

}  // namespace platform
