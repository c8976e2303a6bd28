#include <algorithm>
#include <array>

#include "platform/verdict/amd_checks.h"
#include "platform/verdict/finding_codes.h"
#include "platform/verdict/pack_checks.h"

namespace platform {
namespace {

constexpr char override_variable[] = "HSA_OVERRIDE_GFX_VERSION";

bool contains(const std::vector<std::string>& list, const std::string& element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

// Returns the architecture that an override stands for: "10.3.0" makes every card a gfx1030. Empty
// for a value that is no version.
std::string gfx_of_override(const std::string& value) {
  const auto version = Version::parse(value);
  if (!version || version->part(1) > 15 || version->part(2) > 15) return "";
  constexpr char digits[] = "0123456789abcdef";
  return "gfx" + std::to_string(version->major()) + digits[version->part(1)] +
         digits[version->part(2)];
}

// Returns the architecture for which kernels are looked up.
std::string effective_gfx(const Facts& facts, const Card& card) {
  if (const std::string* value = find_variable(facts, override_variable)) {
    if (std::string gfx = gfx_of_override(*value); !gfx.empty()) return gfx;
  }
  return gfx_of(card);
}

// Returns true if the card computes wrong numbers, with any build.
bool computes_wrong(Judgement& judgement, const GfxRow* row) {
  if (!row || !row->blocked) return false;
  judgement.add(code::gfx_computes_wrong, Severity::blocked,
                {row->gfx, "another card", "the matrix"}, row->note);
  return true;
}

void check_override(Judgement& judgement, const Card& card) {
  const std::string* value = find_variable(judgement.facts, override_variable);
  if (!value || value->empty()) return;
  const std::string gfx = gfx_of(card);
  const GfxRow* row = judgement.matrix.find_gfx(gfx);
  const std::string set = std::string(override_variable) + "=" + *value;
  const bool harmful = row && !row->harmful_override.empty() && row->harmful_override == *value;
  judgement.add(harmful ? code::hsa_override_harmful : code::hsa_override_set,
                harmful ? Severity::blocked : Severity::degraded,
                {set, gfx.empty() ? "no override" : gfx + " as it is", override_variable}, *value);
}

struct GfxLists {
  std::vector<std::string> sure{};
  std::vector<std::string> uncertain{};
  std::string read_from{};
};

GfxLists read_lists(const Judgement& judgement) {
  const BuildInfo& build = judgement.verdict.pack.build;
  if (!build.gfx_list.empty()) return {build.gfx_list, {}, "build-info.json of the pack"};
  const TorchRow* row = judgement.matrix.find_torch(build.torch, build.variant, build.origin);
  if (!row) return {};
  return {row->gfx, row->gfx_uncertain,
          "torch " + build.torch + " " + build.variant + " in the matrix"};
}

void check_kernels(Judgement& judgement, const Card& card) {
  const std::string gfx = effective_gfx(judgement.facts, card);
  const GfxLists lists = read_lists(judgement);
  if (gfx.empty()) {
    if (!card.hip) return;  // the finding is then why HIP does not list it
    judgement.add(code::hip_kernels_uncertain, Severity::unknown,
                  {"the card does not say its architecture", "its gfx name",
                   "hipGetDeviceProperties, the KFD, and the matrix for its PCI id"});
    return;
  }
  if (contains(lists.sure, gfx)) return;
  const bool nothing_known = lists.sure.empty() && lists.uncertain.empty();
  if (nothing_known || contains(lists.uncertain, gfx)) {
    judgement.add(code::hip_kernels_uncertain, Severity::unknown,
                  {nothing_known ? "no list of kernels" : "sources that disagree",
                   "kernels for " + gfx, nothing_known ? "build-info.json" : lists.read_from},
                  gfx);
    return;
  }
  // The value is for the row's last step: the unofficial override, for cards that have one.
  const GfxRow* row = judgement.matrix.find_gfx(gfx_of(card));
  const bool may_suggest = row && !find_variable(judgement.facts, override_variable);
  judgement.add(code::hip_no_kernels, Severity::blocked, {joined(lists.sure), gfx, lists.read_from},
                may_suggest ? row->hsa_override : "");
}

// torch may have kernels where rocBLAS has none, in which case it ends the process.
void check_rocblas(Judgement& judgement, const Card& card) {
  const std::string gfx = effective_gfx(judgement.facts, card);
  const auto& files = judgement.verdict.pack.libraries.rocblas_gfx;
  if (gfx.empty() || contains(files, gfx)) return;
  if (!files.empty()) {
    judgement.add(code::rocblas_no_kernels, Severity::blocked,
                  {joined(files), gfx, "rocblas/library of the pack"}, gfx);
    return;
  }
  const GfxRow* row = judgement.matrix.find_gfx(gfx);
  const auto last = row ? Version::parse(row->rocblas_until) : std::nullopt;
  const auto built = Version::parse(judgement.verdict.pack.build.rocm);
  if (!last || !built || *built <= *last) return;
  judgement.add(code::rocblas_no_kernels, Severity::blocked,
                {"", "ROCm " + last->text() + " or older",
                 "the matrix, for the ROCm " + built->text() + " of the pack"},
                gfx);
}

MemoryAtHand memory_of(Judgement& judgement, const Card& card) {
  Verdict& verdict = judgement.verdict;
  verdict.total_memory = card.hip->total_memory;
  const KfdNode* node = card.kfd;
  if (card.hip->free_memory) {
    verdict.free_memory = *card.hip->free_memory;
    return {verdict.free_memory, "hipMemGetInfo"};
  }
  if (node && node->vram_total && node->vram_used && !node->integrated) {
    verdict.free_memory = *node->vram_total - *node->vram_used;
    return {verdict.free_memory, "mem_info_vram_used"};
  }
  return {verdict.total_memory, "hipGetDeviceProperties (total, not free)"};
}

void judge_listed_card(Judgement& judgement, const Card& card) {
  const std::string gfx = effective_gfx(judgement.facts, card);
  const GfxRow* row = judgement.matrix.find_gfx(gfx);
  const Precision precision = row ? Precision{.bfloat16 = row->bfloat16 ? Speed::fast : Speed::slow,
                                              .int8 = Speed::slow,  // it has no kernels for it
                                              .smaller = "float16",
                                              .read_from = gfx}
                                  : unknown_precision(judgement, gfx.empty() ? "no gfx name" : gfx);
  check_precision(judgement, precision);
  const auto known_attention = row ? std::optional(row->fused_attention) : std::nullopt;
  const bool fused = check_attention(judgement, known_attention, gfx);
  check_memory(judgement, memory_of(judgement, card), fused, precision);
}

}  // namespace

std::string gfx_of(const Card& card) {
  if (card.kfd && !card.kfd->gfx.empty()) return card.kfd->gfx;
  if (card.hip && !card.hip->gfx.empty()) return card.hip->gfx;
  return card.row ? card.row->gfx : "";
}

Verdict judge_amd_card(const Facts& facts, const Matrix& matrix, const DeviceRequirements& request,
                       const Pack& pack, const Card& card) {
  Judgement judgement{facts, matrix, request};
  Verdict& verdict = judgement.verdict;
  verdict.pack = pack;
  verdict.backend = Backend::rocm;
  verdict.architecture = gfx_of(card);
  verdict.device_name = card.name;
  verdict.pci_address = card.pci_address;
  if (card.hip) verdict.index = card.hip->index;

  check_system_calls(judgement);
  check_amd_driver(judgement, card);
  computes_wrong(judgement, matrix.find_gfx(verdict.architecture));
  if (!pack.is_ready()) {
    if (!pack.worker.empty()) check_kernels(judgement, card);
    if (card.hip) memory_of(judgement, card);
    judgement.add(code::rocm_pack_missing, Severity::blocked,
                  {"no ROCm pack", "a ROCm pack", "the folder runtimes/ beside scribed"},
                  pack.install_command);
  } else {
    check_override(judgement, card);
    check_kernels(judgement, card);
    if (!pack_does_not_load(judgement)) check_rocblas(judgement, card);
    check_torch_build(judgement);
    if (card.hip) judge_listed_card(judgement, card);
  }
  note_environment(judgement);
  return std::move(judgement).conclude();
}

}  // namespace platform
