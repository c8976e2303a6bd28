#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/error.h"
#include "engine/whisper/recognizer/family.h"
#include "engine/whisper/weights/folder.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_left_out = 100;

constexpr std::array vocabularies_that_are_read{
    "tokenizer.json", "vocabulary.txt", "vocabulary.json", "vocab.json", "added_tokens.json"};

bool is_one_of(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string why_left_out(const fs::directory_entry& entry, const ModelChoice& choice) {
  std::error_code ignored;
  const std::string name = entry.path().filename().string();
  if (entry.is_directory(ignored)) return "a folder; check it by its own path";
  if (is_one_of(choice.passed_over, name)) {
    return "another copy of the model; " + choice.file.filename().string() + " is better";
  }
  if (is_of_training(name)) return "a state of the training";
  if (is_shard_name(name)) return "a part of another copy of the model";
  if (std::ranges::find(vocabularies_that_are_read, name) != vocabularies_that_are_read.end()) {
    return "not needed, or not readable as a vocabulary";
  }
  return "not needed";
}

}  // namespace

std::vector<LeftOutFile> WhisperFamily::left_out(const fs::path& model) try {
  std::vector<LeftOutFile> left_out;
  std::error_code error;
  if (!fs::is_directory(model, error)) return left_out;
  const auto taken = files(model);
  if (!taken) return left_out;
  const ModelChoice choice = model_file_in(model);
  for (fs::directory_iterator entry(model, error), end; !error && entry != end;
       entry.increment(error)) {
    const bool is_taken = std::ranges::find(*taken, entry->path()) != taken->end();
    if (is_taken || entry->path() == choice.file || left_out.size() == most_left_out) continue;
    left_out.push_back({entry->path().filename().string(), why_left_out(*entry, choice)});
  }
  std::ranges::sort(left_out, {}, &LeftOutFile::name);
  return left_out;
} catch (const Exception&) {
  return {};  // the folder changed meanwhile
}

}  // namespace engine
