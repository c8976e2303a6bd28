#pragma once

#include <string>
#include <vector>

#include "platform/facts/facts.h"
#include "platform/matrix/matrix.h"

namespace platform {

// One GPU, joined from all that knows it: by UUID or PCI address, never by an index, because every
// library counts in its own order. The pointers are into the Facts; nullptr: not known there.
struct Card {
  std::string name{};         // never empty: "an NVIDIA card (PCI 10de:2504)" where nobody says one
  std::string pci_address{};  // empty where the PCI bus cannot be seen
  const PciGpu* pci = nullptr;
  const CardRow* row = nullptr;  // of the matrix
  const CudaDevice* cuda = nullptr;
  const NvmlDevice* nvml = nullptr;
  const KfdNode* kfd = nullptr;
  const HipDevice* hip = nullptr;
  const MetalDevice* metal = nullptr;
};

// True where a driver holds the card that only keeps it for a virtual machine.
bool is_for_a_guest(const Card& card);

// Those that the vendor's library lists come first, in its order; then those that are only seen on
// the bus. A driver that fails where the bus cannot be seen stands for one card without a name; so
// does, under WSL, a driver that is not there, where a CUDA pack shows that one is wanted.
std::vector<Card> nvidia_cards(const Facts& facts, const Matrix& matrix, bool wants_cuda);
std::vector<Card> amd_cards(const Facts& facts, const Matrix& matrix);
std::vector<Card> apple_cards(const Facts& facts);
// Display adapters of other makers: nothing here can run on them.
std::vector<Card> other_cards(const Facts& facts, const Matrix& matrix);

}  // namespace platform
