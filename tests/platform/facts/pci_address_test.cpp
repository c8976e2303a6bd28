#include "platform/facts/pci_address.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

TEST(PciAddress, IsWrittenAsTheKernelDoes) {
  EXPECT_EQ(pci_address("0000:0A:00.0"), "0000:0a:00.0");
  EXPECT_EQ(pci_address("00000000:0A:00.0"), "0000:0a:00.0");
  EXPECT_EQ(pci_address(""), "");
  EXPECT_EQ(pci_address(0, 0x0a, 0x1f), "0000:0a:1f.0");
  EXPECT_EQ(pci_address(0x10001, 1, 0), "10001:01:00.0");
}

}  // namespace
}  // namespace platform
