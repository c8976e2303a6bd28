#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/error.h"
#include "engine/recognizer/inspection.h"

namespace platform {
struct PathRule;
}
namespace protocol::worker {
struct Bench;
struct BenchResult;
}  // namespace protocol::worker

namespace engine {

struct LoadRequest;
struct LoadedRecognizer;

// Whisper as a family of models, see engine/recognizer/README.md. Who only inspects is not linked
// with load.cpp, which brings the recogniser.
struct WhisperFamily {
  static constexpr std::string_view name = "whisper";

  // These are in inspect.cpp.
  static Result<Examination> examine(const std::filesystem::path& model,
                                     const std::filesystem::path& lent = {});
  static Result<std::vector<std::filesystem::path>> files(const std::filesystem::path& model);
  static std::vector<std::filesystem::path> vocabulary_files(const std::filesystem::path& folder,
                                                             bool multilingual);
  static std::vector<LeftOutFile> left_out(const std::filesystem::path& model);
  static int n_languages(const Dims& dims);
  static std::optional<std::string> base_of_adapter(const std::filesystem::path& model);
  static Result<AdapterFacts> examine_adapter(const std::filesystem::path& adapter,
                                              const std::filesystem::path& base);
  static Result<std::vector<std::filesystem::path>> merge_adapter(
      const std::filesystem::path& adapter, const std::filesystem::path& base,
      const std::filesystem::path& out);

  // These are in load.cpp.
  static Result<LoadedRecognizer> load(const LoadRequest& request);
  static Result<protocol::worker::BenchResult> bench(const protocol::worker::Bench& request);
  static std::vector<platform::PathRule> written_paths();
};

}  // namespace engine
