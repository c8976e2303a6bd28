#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/build_info.h"
#include "platform/device.h"
#include "platform/facts/facts.h"
#include "platform/matrix/matrix.h"
#include "platform/verdict/finding.h"

namespace platform {

enum class Status { ok, ok_with_notes, degraded, unknown, blocked };

const char* name(Status status);

// The wishes for a device, in this one form from the command line to the verdicts.
struct DeviceRequirements {
  DeviceRequest device{};
  std::optional<ModelRow> model{};    // empty: memory is not judged
  std::string compute_type = "auto";  // or float32, float16, bfloat16, int8
  int batch = 1;
  int beam_size = 5;
  bool flash_attn = true;    // fused attention on GPUs that have it
  bool require_gpu = false;  // refuse rather than use the CPU
};

// A runtime pack as it is judged. Nothing of it is loaded here.
struct Pack {
  std::string name{};    // name of its folder: "cpu", "cuda-13"
  std::string worker{};  // path of its scribed-worker; empty: there is no pack for this backend
  BuildInfo build{};
  PackLibraries libraries{};
  std::string library_path{};  // RuntimePack::library_path
  std::string fetched_to{};    // the folder of fetched libraries; empty: none are
  // The command that fetches the libraries without which the worker cannot start; empty: they are
  // here.
  std::string install_command{};

  bool is_ready() const { return !worker.empty() && install_command.empty(); }
};

// The verdict on one pack on one device. A card of another maker than NVIDIA, AMD and Apple has the
// backend cpu, its PCI address and a blocked finding.
struct Verdict {
  Pack pack{};
  Backend backend = Backend::cpu;
  // The N of cuda:N, empty if the driver does not list the card; on a CPU the NUMA node, empty: all
  std::optional<int> index{};
  std::string device_name{};  // "NVIDIA GeForce RTX 3060", or the CPU's
  std::string pci_address{};
  std::string architecture{};  // "8.6", "gfx1030", "avx512_bf16"
  Status status = Status::unknown;
  std::string compute_type{};  // the meaning of `auto` here, or the wanted one
  std::int64_t need = 0;       // bytes with the factor; 0: not asked
  // The part of `need` that is not weights, which all workers of a model on CPUs share in one file.
  std::int64_t need_beside_weights = 0;
  std::int64_t free_memory = 0;  // 0: unknown, or none
  std::int64_t total_memory = 0;
  std::vector<Finding> findings{};  // in the order of causes

  // Everything but blocked is usable: the worker's smoke run decides whether an unknown device
  // works.
  bool usable() const { return status != Status::blocked; }
  const Finding* headline() const;  // the first of the worst severity; nullptr: none
  // Returns "cuda:0", "cpu", "cpu:1" on a NUMA node; "none" for a card without a backend.
  std::string device() const;
};

// Judges every device of the machine with every pack, and every card that no pack or no driver
// serves. It is pure: the same arguments give the same result. The CPU's verdict is always
// included.
std::vector<Verdict> evaluate(const Facts& facts, const Matrix& matrix,
                              const std::vector<Pack>& packs, const DeviceRequirements& request);

}  // namespace platform
