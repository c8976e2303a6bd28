#pragma once

#include <string>
#include <vector>

#include "platform/facts/facts.h"
#include "platform/matrix/matrix.h"

namespace platform {

// One GPU, joined from all sources by UUID or PCI address, never by an index, because every library
// counts in its own order. The pointers lead into the Facts; nullptr: the source does not know the
// card.
struct Card {
  std::string name{};         // never empty; without a name "an NVIDIA card (PCI 10de:2504)"
  std::string pci_address{};  // empty if the PCI bus cannot be seen
  const PciGpu* pci = nullptr;
  const CardRow* row = nullptr;  // row of the matrix
  // The capability by CUDA, or else by the matrix; 0.0: unknown, or no card of NVIDIA.
  ComputeCapability compute_capability{};
  const CudaDevice* cuda = nullptr;
  const NvmlDevice* nvml = nullptr;
  const KfdNode* kfd = nullptr;
  const HipDevice* hip = nullptr;
  const MetalDevice* metal = nullptr;
};

// Returns whether the card is bound to a driver that only keeps it for a virtual machine.
bool is_for_a_guest(const Card& card);

// Returns the cards: those that the vendor's library lists come first, in its order, then those
// that are only seen on the bus. A driver that fails where the bus cannot be seen stands for one
// card without a name; so does, under WSL, a missing driver, where a CUDA pack shows that one is
// wanted.
std::vector<Card> nvidia_cards(const Facts& facts, const Matrix& matrix, bool wants_cuda);
std::vector<Card> amd_cards(const Facts& facts, const Matrix& matrix);
std::vector<Card> apple_cards(const Facts& facts);
// Returns the display adapters of other makers, on which no pack can run.
std::vector<Card> other_cards(const Facts& facts, const Matrix& matrix);

}  // namespace platform
