#pragma once

#include <filesystem>
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

// The networks that tell speakers apart as a family of models of their own: what they "transcribe"
// is who speaks when. See engine/recognizer/README.md.
struct SpeakersFamily {
  static constexpr std::string_view name = "speakers";

  // These are in inspect.cpp.
  static bool claims(const std::filesystem::path& model);
  static Result<Examination> examine(const std::filesystem::path& model,
                                     const std::filesystem::path& lent = {});
  static Result<std::vector<std::filesystem::path>> files(const std::filesystem::path& model);
  static std::vector<std::filesystem::path> vocabulary_files(const std::filesystem::path& folder,
                                                             bool multilingual);
  static std::vector<LeftOutFile> left_out(const std::filesystem::path& model);
  static int n_languages(const Dims& dims);

  // These are in load.cpp.
  static Result<LoadedRecognizer> load(const LoadRequest& request);
  static Result<protocol::worker::BenchResult> bench(const protocol::worker::Bench& request);
  static std::vector<platform::PathRule> written_paths();
};

}  // namespace engine
