#include "platform/matrix/rows.h"

// This file reads the rows about cards: their abilities and recognition, and the meaning of their
// libraries' codes and variables.
namespace platform {
namespace {

constexpr std::uint16_t pci_vendor_nvidia = 0x10de;
constexpr std::uint16_t pci_vendor_amd = 0x1002;

}  // namespace

PrecisionRow read_precision(RowReader& row) {
  PrecisionRow precision{.from = row.capability("from"), .to = row.optional_capability("to")};
  precision.float16 = row.text_of("float16", {"fast", "no tensor cores", "slow", "storage only"});
  precision.bfloat16 = row.text_of("bfloat16", {"fast", "emulated", "no"});
  precision.tf32 = row.flag("tf32");
  if (precision.to && *precision.to < precision.from) row.refuse("to is below from");
  return precision;
}

GfxRow read_gfx(RowReader& row) {
  GfxRow gfx{.gfx = row.text("gfx"),
             .family = row.text("family"),
             .examples = row.texts("examples"),
             .fused_attention = row.flag("fused_attention"),
             .bfloat16 = row.flag("bfloat16"),
             .blocked = row.flag("blocked"),
             .hsa_override = row.optional_text("hsa_override"),
             .harmful_override = row.optional_text("harmful_override"),
             .rocblas_until = {},
             .note = row.optional_text("note")};
  if (const auto until = row.optional_version("rocblas_until")) gfx.rocblas_until = until->text();
  if (!gfx.gfx.starts_with("gfx")) row.refuse("gfx is no gfx name: " + gfx.gfx);
  if (!gfx.hsa_override.empty() && gfx.hsa_override == gfx.harmful_override) {
    row.refuse("hsa_override is the harmful one");
  }
  return gfx;
}

CardRow read_card(RowReader& row) {
  CardRow card{.vendor = row.pci_id("vendor"),
               .device = row.pci_id("device"),
               .name = row.text("name"),
               .gfx = row.optional_text("gfx"),
               .compute_capability = row.optional_capability("compute_capability")};
  if (card.vendor == pci_vendor_nvidia && !card.compute_capability) {
    row.refuse("compute_capability is missing");
  }
  if (card.vendor == pci_vendor_amd && !card.gfx.starts_with("gfx")) {
    row.refuse("gfx is missing");
  }
  return card;
}

StatusCodeRow read_status_code(RowReader& row) {
  return {.library = row.text_of("library", {"cuda", "nvml", "hip"}),
          .code = row.whole("code", 1, 1'000'000),
          .name = row.text("name"),
          .finding = row.text("finding")};
}

VariableRow read_variable(RowReader& row) {
  return {.name = row.text("name"), .effect = row.text("effect")};
}

}  // namespace platform
