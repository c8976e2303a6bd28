#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/whisper/cpu/packed_whisper.h"

namespace engine::cpu {

// Returns the folder where packed models are kept from one start to the next: $CACHE_DIRECTORY,
// which systemd sets, or scribed's folder in $XDG_CACHE_HOME or ~/.cache. The path is empty where
// there is none of them.
std::filesystem::path pack_cache_folder();

// Returns the model of these weights packed in a type of matrix. Where `folder` holds it whole,
// loading is mapping a file and reading it once, for its checksum; processes share it. Otherwise it
// is packed, into a new file there, or into memory where that cannot be written. A file belongs to
// model files of one path, size, time and content, as far as samples of that tell; those of files
// that have changed or gone are removed when a new one is written. Throws Exception
// (damaged_model).
//   notes  are added to, for the user: a damaged file was replaced
PackedWhisper load_packed(const Weights& weights, MatrixType type,
                          const std::filesystem::path& folder, std::vector<std::string>& notes);

}  // namespace engine::cpu
