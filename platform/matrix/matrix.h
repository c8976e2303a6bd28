#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/error.h"
#include "platform/model_size.h"
#include "platform/version.h"

// The matrix says what is known to work together: one JSON document (compat_matrix.json), compiled
// in and replaceable. A version that has no row here is unknown, never the same as its neighbour.
namespace platform {

// A libtorch binary: release × variant.
struct TorchRow {
  std::string torch{};             // "2.11"
  std::string variant{};           // "cpu", "cu130", "rocm7.2"
  std::string origin = "pytorch";  // "amd": AMD's own builds
  std::string cuda{};              // "13.0"
  std::string cudnn{};             // "9.17.1.4"
  std::string rocm{};
  std::vector<ComputeCapability> arch{};  // Linux x86_64
  std::vector<ComputeCapability> arch_aarch64{};
  std::vector<ComputeCapability> arch_windows{};
  std::vector<ComputeCapability> arch_uncertain{};  // sources disagree: the smoke run decides
  std::vector<std::string> gfx{};
  std::vector<std::string> gfx_uncertain{};
  std::string evidence{};  // "measured", "build-script", …; "planned" counts as unknown
  std::vector<std::string> sources{};
};

// The lowest driver with which a CUDA major version runs at all (minor-version compatibility).
struct DriverFloorRow {
  int cuda_major = 0;
  Version linux_driver{};
  std::optional<Version> windows_driver{};
};

// The driver that came with a toolkit. An older one only gets a note.
struct ToolkitRow {
  std::string cuda{};
  Version linux_driver{};
  std::optional<Version> windows_driver{};
};

// Cards from this compute capability on need a driver of this branch or newer.
struct DriverRuleRow {
  ComputeCapability from{}, to{};
  int min_driver_major = 0;
};

// Exceptions to the rule that a cubin runs on the same major and an equal or higher minor.
struct CubinRow {
  ComputeCapability built_for{};
  bool exact = false;  // runs on that capability alone
  std::vector<ComputeCapability> except{};
  std::vector<ComputeCapability> also{};
};

// From this cuDNN version on, only cards of at least this compute capability are supported.
struct CudnnRow {
  Version from{};
  std::optional<Version> before{};
  ComputeCapability min_compute_capability{};
};

struct PrecisionRow {
  ComputeCapability from{};
  std::optional<ComputeCapability> to{};
  std::string float16{};   // "fast", "no tensor cores", "slow", "storage only"
  std::string bfloat16{};  // "fast", "emulated", "no"
  bool tf32 = false;
};

struct GfxRow {
  std::string gfx{};
  std::string family{};  // "RDNA2"
  std::vector<std::string> examples{};
  bool fused_attention = false;    // AOTriton has kernels
  bool bfloat16 = false;           // bfloat16 is worth using
  bool blocked = false;            // the GPU computes wrong numbers
  std::string hsa_override{};      // the unofficial value that may be suggested; mostly empty
  std::string harmful_override{};  // a common value that hangs or faults
  std::string rocblas_until{};     // the last ROCm whose rocBLAS has kernels; empty: all
  std::string note{};
};

struct MpsRow {
  std::string torch_from{}, torch_to{};
  Version min_macos{};
};

struct ModelRow {
  std::string name{};
  std::vector<std::string> aliases{};
  ModelSize size{};
  bool english_only = false;                             // every model of the row
  std::optional<double> minimum_gb{}, recommended_gb{};  // the table that users know
};

struct MemoryRules {
  int overhead_mib = 457;  // memory for context and workspaces of a GPU
  double factor = 1.2;     // factor on the formula before a model counts as fitting
  // The estimate for a CPU adds the process and its libraries alone to the weights: base took
  // 208, 263 and 323 MB in int8, bfloat16 and float32, and the estimates are 237, 295 and 373.
  int cpu_overhead_mib = 40;
  double cpu_factor = 1.1;
};

// A combination that was run by hand.
struct TestedRow {
  std::string torch{};  // "2.2.0"
  std::string variant{};
  std::string cudnn{};
  std::string status{};  // "recommended", "issues_known", "cpu_only"
  std::string gpu{};
  std::string note{};
};

// A card by its PCI id, for when no driver reports its name.
struct CardRow {
  std::uint16_t vendor = 0;
  std::uint16_t device = 0;
  std::string name{};
  std::string gfx{};                                      // AMD
  std::optional<ComputeCapability> compute_capability{};  // NVIDIA
};

// The texts of a finding. Headlines and fixes may hold {card}, {found}, {needed}, {pack}, {model},
// {value}. In a headline, a part in [square brackets] is left out where a placeholder in it has no
// value; a fix step with such a placeholder is left out whole.
struct FindingRow {
  std::string code{};
  std::string vendor{};  // the guide's chapter: nvidia, amd, apple, other, cpu, any
  std::string headline{};
  std::string meaning{};  // used in the guide
  std::vector<std::string> fix{};
  std::vector<std::vector<std::string>> match{};  // a failure's text matches when one of its lines
                                                  // holds every string of one of these lists
};

// The meaning of a status code of a vendor's library.
struct StatusCodeRow {
  std::string library{};  // "cuda", "nvml", "hip"
  int code = 0;
  std::string name{};     // "CUDA_ERROR_NO_DEVICE"
  std::string finding{};  // the finding's code
};

struct VariableRow {
  std::string name{};
  std::string effect{};
};

struct Matrix {
  int schema_version = 0;
  std::string date{};
  std::vector<TorchRow> torch{};
  std::vector<DriverFloorRow> driver_floors{};
  std::vector<ToolkitRow> toolkits{};
  std::vector<DriverRuleRow> driver_rules{};
  std::vector<CubinRow> cubins{};
  std::vector<CudnnRow> cudnn{};
  std::vector<PrecisionRow> precision{};
  std::vector<GfxRow> gfx{};
  std::vector<MpsRow> mps{};
  std::vector<ModelRow> models{};
  MemoryRules memory{};
  std::vector<TestedRow> tested{};
  std::vector<CardRow> cards{};
  std::vector<FindingRow> findings{};
  std::vector<StatusCodeRow> status_codes{};
  std::vector<VariableRow> variables{};  // environment variables that influence GPUs

  // These functions return nullptr if there is no row.
  const TorchRow* find_torch(std::string_view torch, std::string_view variant,
                             std::string_view origin) const;  // "2.11.0" finds "2.11"
  const DriverFloorRow* find_driver_floor(int cuda_major) const;
  const ToolkitRow* find_toolkit(std::string_view cuda) const;
  const PrecisionRow* find_precision(ComputeCapability cc) const;
  const GfxRow* find_gfx(std::string_view gfx) const;
  const ModelRow* find_model(std::string_view name) const;
  // Another minor version of cuDNN is another combination.
  const TestedRow* find_tested(std::string_view torch, std::string_view variant,
                               std::string_view cudnn) const;
  const CardRow* find_card(std::uint16_t vendor, std::uint16_t device) const;
  const FindingRow* find_finding(std::string_view code) const;
  const StatusCodeRow* find_status(std::string_view library, int code) const;
};

struct LoadedMatrix {
  Matrix matrix{};
  std::vector<std::string> problems{};  // "torch[12]: arch is not a list; the row is ignored"
};

// Returns the compiled-in matrix, which has no problems.
LoadedMatrix built_in_matrix();

// Parses a matrix. Bad rows are reported and left out. Findings that the document lacks are taken
// from the built-in one, so that each has a text. It fails only for text that is no JSON object, or
// has another schema.
Result<LoadedMatrix> parse_matrix(std::string_view json);
Result<LoadedMatrix> load_matrix(const std::filesystem::path& file);

// Returns whether a kernel built for `built_for` runs on `device`.
bool cubin_runs_on(const Matrix& matrix, ComputeCapability built_for, ComputeCapability device);

}  // namespace platform
