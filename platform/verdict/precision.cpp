#include <algorithm>
#include <array>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/pack_checks.h"

namespace platform {
namespace {

bool is_known(const std::string& type) {
  constexpr std::array<std::string_view, 4> types{"float32", "float16", "bfloat16", "int8"};
  return std::find(types.begin(), types.end(), type) != types.end();
}

}  // namespace

void check_precision(Judgement& judgement, const Precision& precision) {
  Verdict& verdict = judgement.verdict;
  const std::string& wanted = judgement.request.compute_type;
  verdict.compute_type = wanted.empty() || wanted == "auto" ? precision.preferred : wanted;
  const std::string& type = verdict.compute_type;
  if (type == "float32") return;
  const Speed speed = !is_known(type)      ? Speed::none
                      : type == "int8"     ? precision.int8
                      : type == "bfloat16" ? precision.bfloat16
                                           : precision.float16;
  if (speed == Speed::none) {
    const char* code = type == "bfloat16" ? precision.no_bfloat16 : code::precision_not_supported;
    judgement.add(code, precision.stands_in ? Severity::degraded : Severity::blocked,
                  {type, precision.preferred, precision.read_from}, type);
    if (precision.stands_in) verdict.compute_type = precision.preferred;
  } else if (speed == Speed::slow && wanted == type) {
    judgement.add(code::precision_slow, Severity::degraded,
                  {type, precision.preferred, precision.read_from}, type);
  }
}

Precision unknown_precision(Judgement& judgement, const std::string& architecture) {
  judgement.add(code::precision_unknown, Severity::unknown,
                {architecture, "an architecture that the matrix knows", "the matrix has no row"},
                architecture);
  return {.preferred = "float32", .smaller = "float16", .read_from = architecture};
}

bool check_attention(Judgement& judgement, std::optional<bool> fused,
                     const std::string& read_from) {
  if (fused == false) {
    judgement.add(code::attention_not_fused, Severity::note,
                  {"attention without a fused kernel", "a fused kernel", read_from},
                  judgement.verdict.architecture);
  }
  return fused.value_or(false) && judgement.request.flash_attn;
}

}  // namespace platform
