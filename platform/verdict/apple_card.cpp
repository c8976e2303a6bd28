#include "platform/verdict/apple_card.h"

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/pack_checks.h"
#include "platform/verdict/probe_start.h"

namespace platform {
namespace {

constexpr int first_macos_with_bfloat16 = 14;

void check_metal(Judgement& judgement, const Card& card) {
  const MetalFacts& metal = judgement.facts.native.metal;
  if (probe_did_not_start(judgement, metal.probe, Severity::blocked)) return;
  if (metal.rosetta) {
    judgement.add(code::mps_rosetta, Severity::blocked,
                  {"x86_64 under Rosetta", "the arm64 build", "sysctl.proc_translated"});
    return;
  }
  if (!card.metal) {
    judgement.add(code::mps_no_metal, Severity::blocked,
                  {name(metal.probe.outcome), "a Metal device", "MTLCopyAllDevices"});
    return;
  }
  if (card.metal->mac2 && !card.metal->low_power) return;
  judgement.add(code::mps_card_not_supported, Severity::blocked,
                {card.metal->low_power ? "a low-power GPU" : "not of the family Mac2",
                 "a GPU of the family Mac2", "MTLDevice"});
}

// Returns the release of a version: "2.11.0" and "2.11.0+cpu" count as "2.11".
std::optional<Version> release(std::string_view torch) {
  const auto version = Version::parse(torch.substr(0, torch.find('+')));
  if (!version) return std::nullopt;
  return Version::parse(std::to_string(version->major()) + "." + std::to_string(version->minor()));
}

const MpsRow* find_row(const Matrix& matrix, const std::string& torch) {
  const auto wanted = release(torch);
  if (!wanted) return nullptr;
  for (const auto& row : matrix.mps) {
    const auto from = Version::parse(row.torch_from), to = Version::parse(row.torch_to);
    if (from && to && *from <= *wanted && *wanted <= *to) return &row;
  }
  return nullptr;
}

void check_macos(Judgement& judgement) {
  const BuildInfo& build = judgement.verdict.pack.build;
  const MpsRow* row = find_row(judgement.matrix, build.torch);
  const auto macos = Version::parse(judgement.facts.native.metal.macos_version);
  if (!row) return;  // the release has no row either, and check_torch_build reports that
  if (!macos) {
    judgement.add(code::torch_unknown, Severity::unknown,
                  {"a macOS that does not say its version", row->min_macos.text(), "the system"},
                  "torch " + build.torch);
    return;
  }
  if (*macos >= row->min_macos) return;
  judgement.add(code::mps_macos_too_old, Severity::blocked,
                {macos->text(), row->min_macos.text(), "NSProcessInfo.operatingSystemVersion"});
}

void judge_listed_card(Judgement& judgement, const Card& card) {
  const auto macos = Version::parse(judgement.facts.native.metal.macos_version);
  const bool bfloat16 = macos && macos->major() >= first_macos_with_bfloat16;
  const Precision precision{.bfloat16 = bfloat16 ? Speed::fast : Speed::none,
                            .smaller = "float16",
                            .read_from = "macOS " + (macos ? macos->text() : "unknown"),
                            .no_bfloat16 = code::mps_bfloat16};
  check_precision(judgement, precision);
  const bool fused = check_attention(judgement, false, "MPS");
  Verdict& verdict = judgement.verdict;
  verdict.total_memory = card.metal->recommended_working_set;
  verdict.free_memory = verdict.total_memory - card.metal->allocated;
  check_memory(judgement, {verdict.free_memory, "recommendedMaxWorkingSetSize (shared memory)"},
               fused, precision);
}

}  // namespace

Verdict judge_apple_card(const Facts& facts, const Matrix& matrix,
                         const DeviceRequirements& request, const Pack& pack, const Card& card) {
  Judgement judgement{facts, matrix, request};
  Verdict& verdict = judgement.verdict;
  verdict.pack = pack;
  verdict.backend = Backend::mps;
  verdict.device_name = card.name;
  if (card.metal) verdict.index = 0;

  check_metal(judgement, card);
  if (pack.worker.empty()) {
    judgement.add(code::mps_pack_missing, Severity::blocked,
                  {"no MPS pack", "an MPS pack", "the folder runtimes/ beside scribed"});
  } else {
    check_macos(judgement);
    check_torch_build(judgement);
    if (card.metal) judge_listed_card(judgement, card);
  }
  note_environment(judgement);
  return std::move(judgement).conclude();
}

}  // namespace platform
