#pragma once

#include <boost/system/result.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/verdict/verdict.h"

namespace platform {

// The reason why a GPU that was asked for, or is present, is not used.
struct Fallback {
  std::string wanted{};  // "cuda:0", or "auto"
  Finding finding{};     // the headline of the best card that cannot be used
};

// The device on which the model will run.
struct Choice {
  Verdict verdict{};                   // pack, device and compute type
  std::string reason{};                // "the first working GPU", … for status and transcripts
  std::optional<Fallback> fallback{};  // set on every run on a CPU beside a card that is not used
  std::vector<Verdict> next{};         // tried in order, where the smoke run or loading fails
};

// The refusal to run: a GPU is required and none works, or not even the CPU can do what was asked.
struct Refusal {
  Finding finding{};
  bool gpu_required = true;  // false: the CPU cannot do it
};

// value() of a refused choice throws by this function: the caller must check before.
[[noreturn]] inline void throw_exception_from_error(const Refusal& refusal,
                                                    const boost::source_location&) {
  throw std::logic_error(refusal.finding.headline);
}

using ChoiceResult = boost::system::result<Choice, Refusal>;

// Chooses the device. `auto` takes the first backend of CUDA, ROCm, MPS, CPU with a usable device,
// and on it the one with most free memory after the model; a device whose verdict is unknown comes
// after those of its backend that are known to work. An explicit device that cannot work gives the
// CPU with a fallback, or, under require_gpu, a refusal with the finding's words. --device cpu is
// no fallback; together with require_gpu it is refused. A card of another maker than NVIDIA, AMD
// and Apple is named in the reason and is no fallback.
ChoiceResult choose(const std::vector<Verdict>& verdicts, const DeviceRequirements& request);

}  // namespace platform
