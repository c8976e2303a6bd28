#pragma once

#include <nlohmann/json.hpp>

#include "platform/error.h"
#include "platform/facts/native_facts.h"

// Writes native facts as JSON, which a probe's child prints, the cache keeps and `doctor` shows.
namespace platform {

// Every text in it is valid UTF-8, so that dump() does not throw.
nlohmann::json to_json(const CudaFacts& facts);
nlohmann::json to_json(const NvmlFacts& facts);
nlohmann::json to_json(const HipFacts& facts);
nlohmann::json to_json(const MetalFacts& facts);
nlohmann::json to_json(const NativeFacts& facts);
nlohmann::json to_json(const PackLibraries& libraries);

// Reads each of these six types: from_json<CudaFacts>(json). Unknown fields are ignored and missing
// ones keep their defaults; a field of a wrong type or an unknown word is an error that names it
// ("devices[0].index is not a whole number"). It never throws.
template <class T>
Result<T> from_json(const nlohmann::json& json);

}  // namespace platform
