#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/verdict/judgement.h"

// These checks are the same for every vendor.
namespace platform {

// Checks whether scribed can start a worker at all.
void check_system_calls(Judgement& judgement);

// Returns true if the libraries of the pack hang, crash or cannot be loaded (cuDNN is judged
// separately).
bool pack_does_not_load(Judgement& judgement);

// Checks whether the build is known: a combination that was run by hand, or a release with a row. A
// newer one is unknown, never as good as its neighbour.
void check_torch_build(Judgement& judgement);

enum class Speed { fast, slow, none };

// The speed of a device in fewer bits, and the type it uses if the user names none.
struct Precision {
  Speed float16 = Speed::fast;
  Speed bfloat16 = Speed::fast;
  Speed int8 = Speed::none;
  std::string preferred = "float16";
  std::string smaller{};    // `auto` takes it where `preferred` does not fit; may be empty
  std::string read_from{};  // "compute capability 6.1"
  const char* no_bfloat16 = "PRECISION_NOT_SUPPORTED";  // the finding's code
  bool stands_in = false;  // uses `preferred` instead of a type that it lacks
};

// Settles the verdict's compute type.
void check_precision(Judgement& judgement, const Precision& precision);

// Reports that the matrix has no row for the device, and lets `auto` take a type that every device
// has. No type is refused.
Precision unknown_precision(Judgement& judgement, const std::string& architecture);

// Notes that the scores of attention will be stored; notes nothing if that is unknown. Returns
// whether they are known not to be stored.
bool check_attention(Judgement& judgement, std::optional<bool> fused, const std::string& read_from);

// The free memory, or, if that is unknown, the total.
struct MemoryAtHand {
  std::optional<std::int64_t> bytes{};  // empty: unknown, and not judged
  std::string read_from{};
};

// Checks whether the wanted model fits, and what would fit if it does not. Where `auto` chose the
// compute type, a smaller one is taken instead.
void check_memory(Judgement& judgement, const MemoryAtHand& memory, bool fused_attention,
                  const Precision& precision);

// Notes the variables that are set and influence the verdict's backend. They explain much, and are
// never changed here.
void note_environment(Judgement& judgement);

}  // namespace platform
