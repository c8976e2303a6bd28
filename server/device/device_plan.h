#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/verdict/choice.h"
#include "server/base/error.h"
#include "server/device/survey.h"

namespace server {

// A device to try, and how a worker is started there.
struct DeviceCandidate {
  platform::Verdict verdict{};
  std::string smoke_key{};  // its smoke run is remembered by this name; empty: it needs none
  std::vector<int> cpus{};  // the CPUs that the worker may run on; empty: those of this process
};

// A card that is not used, and why.
struct PassedOver {
  std::string card{};  // its name for people
  platform::Fallback fallback{};
};

// Returns "NVIDIA GeForce RTX 3060 is not used: no CUDA runtime pack is installed".
std::string warning_of(const PassedOver& card);

// The plan of where a model will run: the chosen device, and those to try after it.
struct DevicePlan {
  std::vector<DeviceCandidate> candidates{};  // never empty; the first is the choice
  std::string reason{};  // why the first was chosen: for status and transcripts
  std::string wanted = "auto";
  std::optional<PassedOver> passed_over{};
  platform::Matrix matrix{};  // its signatures explain failures
};

// Plans the devices. It fails only if a GPU is required and none works (device_blocked), or
// where not even the CPU can do what was asked.
Result<DevicePlan> plan_devices(const Survey& survey);

// Makes an error of a finding: its headline, what to do, and where to read on.
Error blocked_error(const platform::Finding& finding, const char* code = errc::device_blocked);

// Explains a worker's failure on a device: by the signature that `error` and the worker's last
// words match, otherwise by the fact that its smoke run failed, that it died, or that it cannot be
// used.
platform::Finding explain_failure(const Error& error, std::string_view last_words,
                                  const platform::Verdict& device, const platform::Matrix& matrix);

// Returns `error` with the finding's words where its text, or the worker's last words, match a
// signature.
Error explained_error(Error error, std::string_view last_words, const platform::Verdict& device,
                      const platform::Matrix& matrix);

// Returns whether another device may succeed where this one failed: not for a model that is
// damaged.
bool is_about_the_device(const Error& error);

}  // namespace server
