#include <algorithm>
#include <array>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/pack_checks.h"

namespace platform {
namespace {

struct Owner {
  std::string_view prefix;
  Backend backend;
};

constexpr std::array<Owner, 9> owners{{
    {"CUDA_", Backend::cuda},
    {"NVIDIA_", Backend::cuda},
    {"CUDNN_", Backend::cuda},
    {"TORCH_CUD", Backend::cuda},
    {"HIP_", Backend::rocm},
    {"ROCR_", Backend::rocm},
    {"HSA_", Backend::rocm},
    {"GPU_DEVICE_ORDINAL", Backend::rocm},
    {"PYTORCH_MPS", Backend::mps},
}};

// Returns whether a variable matters to a backend; one that belongs to no vendor matters to each.
bool concerns(const std::string& variable, Backend backend) {
  const auto owner = std::find_if(owners.begin(), owners.end(), [&](const Owner& candidate) {
    return variable.starts_with(candidate.prefix);
  });
  return owner == owners.end() || owner->backend == backend;
}

}  // namespace

void check_system_calls(Judgement& judgement) {
  for (const auto& refused : judgement.facts.os.refused_calls) {
    const auto name = refused.substr(0, refused.find(':'));
    judgement.add(code::system_call_refused, Severity::blocked,
                  {refused, "the system call " + name, "a call of it"}, name);
  }
}

void note_environment(Judgement& judgement) {
  for (const auto& variable : judgement.facts.environment) {
    if (!concerns(variable.name, judgement.verdict.backend)) continue;
    const std::string set = variable.name + "=" + variable.value;
    judgement.add(code::environment_set, Severity::note, {set, "", "the environment"}, set);
  }
}

}  // namespace platform
