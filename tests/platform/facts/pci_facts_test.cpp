#include "platform/facts/pci_facts.h"

#include <gtest/gtest.h>

#include "tests/platform/facts/fake_tree.h"

namespace platform {
namespace {

// Adds a device as sysfs has it: the bus's folder holds links to the device's place in the tree.
void add_device(FakeTree& tree, const std::string& address, const std::string& pci_class,
                const std::string& vendor, const std::string& device, const std::string& driver) {
  const std::string folder = "/sys/devices/pci0000:00/" + address;
  tree.file(folder + "/class", pci_class + "\n");
  tree.file(folder + "/vendor", vendor + "\n");
  tree.file(folder + "/device", device + "\n");
  if (!driver.empty()) {
    tree.folder("/sys/bus/pci/drivers/" + driver);
    tree.link(folder + "/driver", "../../../bus/pci/drivers/" + driver);
  }
  tree.link("/sys/bus/pci/devices/" + address, "../../../devices/pci0000:00/" + address);
}

TEST(PciFacts, FindsDisplaysAndAccelerators) {
  FakeTree tree;
  add_device(tree, "0000:00:02.0", "0x030000", "0x8086", "0x9a49", "i915");
  add_device(tree, "0000:01:00.0", "0x030200", "0x10de", "0x20b0", "nvidia");
  add_device(tree, "0000:01:00.1", "0x040300", "0x10de", "0x10f0", "snd_hda_intel");
  add_device(tree, "0000:c1:00.0", "0x120000", "0x1002", "0x74a1", "");
  const auto gpus = read_pci(FileReader(tree.root()));
  ASSERT_EQ(gpus.size(), 3U);
  EXPECT_EQ(gpus[0].vendor, vendor_intel);
  EXPECT_EQ(gpus[1].address, "0000:01:00.0");
  EXPECT_EQ(gpus[1].vendor, vendor_nvidia);
  EXPECT_EQ(gpus[1].device, 0x20b0);
  EXPECT_EQ(gpus[1].driver, "nvidia");
  EXPECT_EQ(gpus[1].name, "");
  EXPECT_EQ(gpus[2].vendor, vendor_amd);
  EXPECT_EQ(gpus[2].driver, "");
}

TEST(PciFacts, NamesComeFromEitherPlace) {
  for (const char* place : {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"}) {
    FakeTree tree;
    add_device(tree, "0000:01:00.0", "0x030000", "0x10de", "0x1b80", "nouveau");
    tree.file(place, "10de  NVIDIA Corporation\n\t1b80  GP104 [GeForce GTX 1080]\n");
    EXPECT_EQ(read_pci(FileReader(tree.root())).at(0).name,
              "NVIDIA Corporation GP104 [GeForce GTX 1080]");
  }
}

TEST(PciFacts, DamagedEntriesAreLeftOut) {
  FakeTree tree;
  add_device(tree, "0000:01:00.0", "0x030000", "vendor", "0x1b80", "");
  add_device(tree, "0000:02:00.0", "0x03", "0x10de", "0x1b80", "");
  add_device(tree, "0000:03:00.0", "", "0x10de", "0x1b80", "");
  EXPECT_TRUE(read_pci(FileReader(tree.root())).empty());
}

}  // namespace
}  // namespace platform
