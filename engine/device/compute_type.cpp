#include "engine/device/compute_type.h"

#include <optional>

namespace engine {
namespace {

std::optional<ComputeType> parse(std::string_view text) {
  for (const auto type :
       {ComputeType::float32, ComputeType::float16, ComputeType::bfloat16, ComputeType::int8}) {
    if (text == name(type)) return type;
  }
  return std::nullopt;
}

ComputeTypeChoice fastest_of_cpu(const platform::CpuFacts& cpu) {
  if (cpu.fast_int8()) {
    return {ComputeType::int8, "int8, because this CPU multiplies it natively (" + cpu.isa() + ")"};
  }
  if (cpu.fast_bfloat16()) {
    return {ComputeType::bfloat16,
            "bfloat16, because this CPU computes it natively (" + cpu.isa() + ")"};
  }
  return {ComputeType::float32, "float32, because this CPU (" + cpu.isa() +
                                    ") has no instructions for int8 products or bfloat16"};
}

Result<ComputeTypeChoice> named_type_on_cpu(ComputeType wanted, const platform::CpuFacts& cpu) {
  if (wanted == ComputeType::float16) {
    return Error{
        Errc::invalid_option,
        "float16 is not offered on a CPU, which computes it ten times slower than bfloat16",
        "Use --compute-type auto, bfloat16 or float32, or a GPU."};
  }
  if (wanted == ComputeType::int8 && !cpu.has_int8()) {
    return Error{Errc::invalid_option, "int8 needs a CPU with AVX2, which this one has not",
                 "Use --compute-type auto or float32."};
  }
  const std::string reason = std::string(name(wanted)) + ", as asked";
  if (wanted == ComputeType::bfloat16 && !cpu.fast_bfloat16()) {
    return ComputeTypeChoice{wanted, reason + "; this CPU (" + cpu.isa() +
                                         ") has no instructions for it, so float32 is faster"};
  }
  return ComputeTypeChoice{wanted, reason};
}

}  // namespace

const char* name(ComputeType type) {
  switch (type) {
    case ComputeType::float16:
      return "float16";
    case ComputeType::bfloat16:
      return "bfloat16";
    case ComputeType::int8:
      return "int8";
    case ComputeType::float32:
      return "float32";
  }
  return "float32";
}

Result<ComputeTypeChoice> choose_compute_type(std::string_view wanted, const Device& device,
                                              const platform::CpuFacts& cpu) {
  if (wanted == "auto") {
    if (device.is_cpu()) return fastest_of_cpu(cpu);
    return ComputeTypeChoice{ComputeType::float16, "float16, because GPUs compute it natively"};
  }
  const auto type = parse(wanted);
  if (!type) {
    return Error{Errc::invalid_option, "compute type '" + std::string(wanted) + "' is not known",
                 "Use auto, float32, float16, bfloat16 or int8."};
  }
  if (device.is_cpu()) return named_type_on_cpu(*type, cpu);
  if (*type == ComputeType::int8) {
    return ComputeTypeChoice{*type, "int8 weights, multiplied in float16, as asked"};
  }
  return ComputeTypeChoice{*type, std::string(name(*type)) + ", as asked"};
}

}  // namespace engine
