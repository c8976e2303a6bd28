#include "engine/model/compute_type.h"

namespace engine {

const char* name(ComputeType type) {
  return type == ComputeType::bfloat16 ? "bfloat16" : "float32";
}

Result<ComputeTypeChoice> choose_compute_type(std::string_view wanted,
                                              const platform::CpuFacts& cpu) {
  const bool native = cpu.fast_bfloat16();
  if (wanted == "auto") {
    if (native) {
      return ComputeTypeChoice{
          ComputeType::bfloat16,
          "bfloat16, because this CPU computes it natively (" + cpu.isa() + ")"};
    }
    return ComputeTypeChoice{ComputeType::float32, "float32, because this CPU (" + cpu.isa() +
                                                       ") has no bfloat16 instructions"};
  }
  if (wanted == "float32") return ComputeTypeChoice{ComputeType::float32, "float32, as asked"};
  if (wanted == "bfloat16") {
    return ComputeTypeChoice{ComputeType::bfloat16,
                             native ? "bfloat16, as asked"
                                    : "bfloat16, as asked; this CPU (" + cpu.isa() +
                                          ") has no instructions for it, so float32 is faster"};
  }
  return Error{Errc::invalid_option, "compute type '" + std::string(wanted) + "' is not known",
               "Use auto, float32 or bfloat16."};
}

}  // namespace engine
