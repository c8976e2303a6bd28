#include <fmt/format.h>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/pack_checks.h"

namespace platform {
namespace {

std::string title(const BuildInfo& build) {
  if (build.torch.empty()) return "a build that does not say its version";
  return fmt::format("torch {}+{}", build.torch, build.variant);
}

}  // namespace

void check_torch_build(Judgement& judgement) {
  const BuildInfo& build = judgement.verdict.pack.build;
  const std::string& loaded = judgement.verdict.pack.libraries.cudnn;
  const std::string& cudnn = loaded.empty() ? build.cudnn : loaded;
  if (const TestedRow* tested = judgement.matrix.find_tested(build.torch, build.variant, cudnn)) {
    if (tested->status == "issues_known") {
      judgement.add(code::tested_with_issues, Severity::degraded,
                    {title(build), "a combination without known issues",
                     "tested configurations of the matrix"},
                    tested->note);
    }
    return;
  }
  const TorchRow* row = judgement.matrix.find_torch(build.torch, build.variant, build.origin);
  if (row && row->evidence != "planned" && row->evidence != "unknown") return;
  judgement.add(code::torch_unknown, Severity::unknown,
                {title(build), "a release that the matrix knows",
                 row ? "the matrix: " + row->evidence : "the matrix has no row"},
                title(build));
}

}  // namespace platform
