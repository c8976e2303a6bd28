#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/whisper/text/vocabulary.h"

namespace engine {

// Reads one vocabulary file, or that of a model folder: tokenizer.json, vocabulary.txt,
// vocabulary.json, vocab.json with added_tokens.json, or *.tiktoken (openai/whisper's name for
// `multilingual` first). Fails with not_found where there is none.
Result<Vocabulary> read_vocabulary(const std::filesystem::path& file_or_folder, bool multilingual);

// Returns the file that read_vocabulary() takes of a folder; nullopt if there is none.
std::optional<std::filesystem::path> vocabulary_file_in(const std::filesystem::path& folder,
                                                        bool multilingual);

// Reads a file of at most 64 MiB.
Result<std::string> read_vocabulary_text(const std::filesystem::path& file);

}  // namespace engine
