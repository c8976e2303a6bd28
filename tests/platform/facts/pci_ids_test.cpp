#include "platform/facts/pci_ids.h"

#include <gtest/gtest.h>

#include "platform/facts/text.h"

namespace platform {
namespace {

constexpr char ids_text[] =
    "#\n#\tList of PCI ID's\n#\n"
    "0010  Allied Telesis, Inc\n"
    "1002  Advanced Micro Devices, Inc. [AMD/ATI]\n"
    "\t73df  Navi 22 [Radeon RX 6700/6700 XT/6750 XT / 6800M/6850M XT]\n"
    "\t\t1043 16c2  Radeon RX 6800M\n"
    "\t2504  Not that one\n"
    "10de  NVIDIA Corporation\n"
    "\t2503  GA106 [GeForce RTX 3060]\n"
    "\t2504  GA106 [GeForce RTX 3060 Lite Hash Rate]\n"
    "C 03  Display controller\n"
    "\t00  VGA compatible controller\n";

// Returns how many lines were taken until no more were needed.
int feed(PciIds& ids, std::string_view text) {
  int count = 0;
  for (const auto line : split(text, '\n')) {
    if (!ids.take(line)) break;
    ++count;
  }
  return count;
}

TEST(PciIds, NamesVendorAndDevice) {
  PciIds ids;
  ids.want(0x10de, 0x2504);
  ids.want(0x1002, 0x73df);
  feed(ids, ids_text);
  EXPECT_EQ(ids.name(0x10de, 0x2504), "NVIDIA Corporation GA106 [GeForce RTX 3060 Lite Hash Rate]");
  EXPECT_EQ(ids.name(0x1002, 0x73df),
            "AMD/ATI Navi 22 [Radeon RX 6700/6700 XT/6750 XT / 6800M/6850M XT]");
}

TEST(PciIds, UnknownDevicesHaveNoName) {
  PciIds ids;
  ids.want(0x10de, 0x2b85);
  ids.want(0xffff, 0x0001);
  feed(ids, ids_text);
  EXPECT_EQ(ids.name(0x10de, 0x2b85), "");
  EXPECT_EQ(ids.name(0xffff, 0x0001), "");
  EXPECT_EQ(ids.name(0x10de, 0x2504), "");  // was not asked for
}

TEST(PciIds, StopsWhenAllIsFound) {
  PciIds ids;
  ids.want(0x1002, 0x73df);
  EXPECT_EQ(feed(ids, ids_text), 6);
}

TEST(PciIds, SubsystemsAndClassesAreNoDevices) {
  PciIds ids;
  ids.want(0x1002, 0x1043);
  ids.want(0x10de, 0x0000);
  EXPECT_EQ(feed(ids, ids_text), 11);  // up to the classes
  EXPECT_EQ(ids.name(0x1002, 0x1043), "");
  EXPECT_EQ(ids.name(0x10de, 0x0000), "");
}

}  // namespace
}  // namespace platform
