#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "platform/facts/file_reader.h"
#include "platform/facts/libraries.h"

namespace platform {

// What amdgpu, the compute driver's topology and ROCm's libraries look like from outside.
AmdFacts read_amd(const FileReader& files, const LibraryFinder& libraries);

// The properties of a topology node: a name and a decimal number a line. Other lines are ignored.
std::map<std::string, std::int64_t, std::less<>> parse_kfd_properties(std::string_view text);

// A GPU that shares the machine's memory shows a small piece of it as its own and takes the rest
// through the translation table.
bool looks_integrated(std::int64_t vram_total, std::int64_t gtt_total);

}  // namespace platform
