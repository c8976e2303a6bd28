#include <algorithm>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/nvidia_checks.h"
#include "platform/verdict/pack_checks.h"

namespace platform {
namespace {

// Returns true if cuDNN or one of its parts does not load.
bool cudnn_is_missing(Judgement& judgement) {
  for (const auto& library : judgement.verdict.pack.libraries.libraries) {
    if (!library.path.empty() || !library.soname.starts_with("libcudnn")) continue;
    // This part of cuDNN 8 is not used here.
    if (library.soname.find("_train.") != std::string::npos) continue;
    const bool eighth = library.soname.ends_with(".so.8");
    judgement.add(eighth ? code::cudnn8_missing : code::cudnn9_missing, Severity::blocked,
                  {"no " + library.soname, library.soname,
                   library.error.empty() ? "the loader" : library.error},
                  library.soname);
    return true;
  }
  return false;
}

// Returns whether cuDNN's version does not fit: the build's headers fix the major version, and a
// lower minor lacks functions that it calls.
bool cudnn_differs(Judgement& judgement) {
  const ProbeResult& probe = judgement.verdict.pack.libraries.probe;
  if (probe.outcome == ProbeOutcome::failed && probe.function.starts_with("cudnn")) {
    // The parts of cuDNN have compared their versions: "cudnnOpsVersionCheck".
    judgement.add(code::cudnn_version_mismatch, Severity::blocked,
                  {probe.code_name.empty() ? std::to_string(probe.code) : probe.code_name, "",
                   probe.function});
    return true;
  }
  const auto runtime = Version::parse(judgement.verdict.pack.libraries.cudnn);
  const auto built = Version::parse(judgement.verdict.pack.build.cudnn);
  if (!runtime || !built) return false;
  if (runtime->major() == built->major() && runtime->minor() >= built->minor()) return false;
  judgement.add(code::cudnn_version_mismatch, Severity::blocked,
                {runtime->text(), built->text(), "cudnnGetVersion"});
  return true;
}

void check_cudnn_on_card(Judgement& judgement, ComputeCapability device) {
  const std::string& loaded = judgement.verdict.pack.libraries.cudnn;
  const auto version = Version::parse(loaded.empty() ? judgement.verdict.pack.build.cudnn : loaded);
  if (!version || device == ComputeCapability{}) return;
  for (const auto& row : judgement.matrix.cudnn) {
    const bool applies = *version >= row.from && (!row.before || *version < *row.before);
    if (!applies || device >= row.min_compute_capability) continue;
    judgement.add(code::cudnn_too_new_for_card, Severity::blocked,
                  {"cuDNN " + version->text(), row.min_compute_capability.text(),
                   loaded.empty() ? "build-info.json of the pack" : "cudnnGetVersion"},
                  device.text());
    return;
  }
}

}  // namespace

void check_cuda_math(Judgement& judgement, const Card& card) {
  if (pack_does_not_load(judgement)) return;
  if (cudnn_is_missing(judgement) || cudnn_differs(judgement)) return;
  check_cudnn_on_card(judgement, card.compute_capability);
}

}  // namespace platform
