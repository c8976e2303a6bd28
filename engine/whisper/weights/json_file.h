#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace engine {

// Reads a JSON object of at most 16 MiB; null where there is no such file. Throws engine::Exception
// (damaged_model) for anything else.
nlohmann::json read_json_file(const std::filesystem::path& file);

// Returns the text under a key; empty where there is none.
std::string text_of(const nlohmann::json& object, const char* key);

// Returns the first 64 bytes of a text of a file, fit to be shown: bytes that are not printable
// ASCII become '?'.
std::string printable(std::string_view text);

}  // namespace engine
