#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "platform/facts/file_reader.h"
#include "platform/facts/libraries.h"

namespace platform {

// Reads what files show of amdgpu, of the compute driver's topology and of ROCm's libraries.
AmdFacts read_amd(const FileReader& files, const LibraryFinder& libraries);

// Parses the properties of a topology node: a name and a decimal number a line. Other lines are
// ignored.
std::map<std::string, std::int64_t, std::less<>> parse_kfd_properties(std::string_view text);

// Returns whether a GPU looks integrated: one that shares the machine's memory shows a small part
// of it as its own and reaches the rest through the translation table.
bool looks_integrated(std::int64_t vram_total, std::int64_t gtt_total);

}  // namespace platform
