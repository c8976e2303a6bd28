#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/verdict/judgement.h"

// Checks that are the same for every vendor.
namespace platform {

// Whether scribed can start a worker at all.
void check_system_calls(Judgement& judgement);

// True: the libraries of the pack hang, crash or cannot be loaded (cuDNN is judged by itself).
bool pack_does_not_load(Judgement& judgement);

// Whether the build is one that is known: a combination that was run by hand, or a release with a
// row. A newer one is unknown, never as good as its neighbour.
void check_torch_build(Judgement& judgement);

enum class Speed { fast, slow, none };

// How well a device computes in fewer bits, and what it takes where the user leaves it open.
struct Precision {
  Speed float16 = Speed::fast;
  Speed bfloat16 = Speed::fast;
  Speed int8 = Speed::none;
  std::string preferred = "float16";
  std::string smaller{};    // that `auto` may take where the preferred does not fit; may be empty
  std::string read_from{};  // "compute capability 6.1"
  const char* no_bfloat16 = "PRECISION_NOT_SUPPORTED";  // the finding's code
  bool stands_in = false;  // takes the preferred type in place of one that it lacks
};

// Settles the verdict's compute type.
void check_precision(Judgement& judgement, const Precision& precision);

// For a device that the matrix has no row for: says that nobody knows, and what `auto` takes, a
// type that every device has. No type is refused.
Precision unknown_precision(Judgement& judgement, const std::string& architecture);

// Notes that the scores of attention will be stored; nothing is said where it is not known.
// Returns whether they are known not to be.
bool check_attention(Judgement& judgement, std::optional<bool> fused, const std::string& read_from);

// Memory that is free, or, where nobody says how much that is, all there is.
struct MemoryAtHand {
  std::optional<std::int64_t> bytes{};  // nothing: not known, and not judged
  std::string read_from{};
};

// Whether the wanted model fits, and what would fit if it does not. Where `auto` chose the compute
// type, a smaller one is taken instead.
void check_memory(Judgement& judgement, const MemoryAtHand& memory, bool fused_attention,
                  const std::string& smaller_type);

// Names the variables that are set and influence the verdict's backend: they explain much, and are
// never changed here.
void note_environment(Judgement& judgement);

}  // namespace platform
