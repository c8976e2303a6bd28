#pragma once

#include "platform/facts/file_reader.h"

namespace platform {

// Reads the NUMA nodes that have CPUs for this process, in the order of their numbers. Nodes of
// memory alone, and those outside of the affinity mask, are left out. Under the root of a copied
// tree no mask counts, because it would be this machine's.
std::vector<NumaNode> read_numa_nodes(const FileReader& files);

}  // namespace platform
