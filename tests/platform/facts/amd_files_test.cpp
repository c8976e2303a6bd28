#include "platform/facts/amd_files.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/platform/facts/fake_tree.h"

namespace platform {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

AmdFacts facts_of(const FakeTree& tree) {
  const FileReader files(tree.root());
  return read_amd(files, LibraryFinder(files, {}));
}

void add_node(FakeTree& tree, int node, const std::string& properties) {
  tree.file("/sys/class/kfd/kfd/topology/nodes/" + std::to_string(node) + "/properties",
            properties);
}

// Adds a card as sysfs has it: the render node's folder links to the card.
void add_card(FakeTree& tree, int minor, const std::string& address, std::int64_t vram,
              std::int64_t used, std::int64_t gtt) {
  const std::string card = "/sys/devices/pci0000:00/0000:00:01.1/" + address;
  const auto render = "renderD" + std::to_string(minor);
  tree.file(card + "/vendor", "0x1002\n")
      .file(card + "/mem_info_vram_total", std::to_string(vram) + "\n")
      .file(card + "/mem_info_vram_used", std::to_string(used) + "\n")
      .file(card + "/mem_info_gtt_total", std::to_string(gtt) + "\n")
      .link("/sys/class/drm/" + render + "/device", card)
      .file("/dev/dri/" + render);
}

constexpr char cpu_node[] =
    "cpu_cores_count 16\nsimd_count 0\nmem_banks_count 1\ngfx_target_version 0\nvendor_id 0\n"
    "device_id 0\nlocation_id 0\ndrm_render_minor 0\n";
constexpr char navi_22[] =
    "cpu_cores_count 0\nsimd_count 80\nmem_banks_count 1\ngfx_target_version 100301\n"
    "vendor_id 4098\ndevice_id 29663\nlocation_id 768\ndomain 0\ndrm_render_minor 128\n"
    "unique_id 18446744073709551615\n";

TEST(KfdProperties, AreNamesAndNumbers) {
  const auto properties = parse_kfd_properties("vendor_id 4098\r\n a  7 \nname x\nthree 1 2\nb -1");
  EXPECT_EQ(properties.size(), 2U);
  EXPECT_EQ(properties.at("vendor_id"), 4098);
  EXPECT_EQ(properties.at("a"), 7);
}

TEST(AmdFiles, ReadsACardFromTheTopology) {
  FakeTree tree;
  add_node(tree, 0, cpu_node);
  add_node(tree, 1, navi_22);
  add_card(tree, 128, "0000:03:00.0", 12 * gib, 1 * gib, 16 * gib);
  const auto nodes = facts_of(tree).nodes;
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0].node, 1);
  EXPECT_EQ(nodes[0].vendor, vendor_amd);
  EXPECT_EQ(nodes[0].device, 0x73df);
  EXPECT_EQ(nodes[0].gfx, "gfx1031");
  EXPECT_EQ(nodes[0].pci_address, "0000:03:00.0");
  EXPECT_EQ(nodes[0].vram_total, 12 * gib);
  EXPECT_EQ(nodes[0].vram_used, 1 * gib);
  EXPECT_EQ(nodes[0].gtt_total, 16 * gib);
  EXPECT_FALSE(nodes[0].integrated);
}

TEST(AmdFiles, WithoutTheRenderNodeTheTopologyTellsTheAddress) {
  FakeTree tree;
  add_node(tree, 1, navi_22);
  const auto node = facts_of(tree).nodes.at(0);
  EXPECT_EQ(node.pci_address, "0000:03:00.0");
  EXPECT_EQ(node.vram_total, std::nullopt);
}

TEST(AmdFiles, NodesAreInTheOrderOfTheirNumbers) {
  FakeTree tree;
  add_node(tree, 10, "gfx_target_version 90402\n");
  add_node(tree, 2, "gfx_target_version 90010\n");
  const auto nodes = facts_of(tree).nodes;
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].gfx, "gfx90a");
  EXPECT_EQ(nodes[1].gfx, "gfx942");
}

TEST(AmdFiles, GuessesIntegratedGpusByTheirMemory) {
  EXPECT_TRUE(looks_integrated(gib / 2, 15 * gib));
  EXPECT_TRUE(looks_integrated(4 * gib, 16 * gib));
  EXPECT_FALSE(looks_integrated(4 * gib, 15 * gib));  // a small card in a big machine
  EXPECT_FALSE(looks_integrated(5 * gib, 32 * gib));
  EXPECT_FALSE(looks_integrated(gib, 7 * gib));
  FakeTree tree;
  add_node(tree, 1, "gfx_target_version 110003\ndrm_render_minor 128\n");
  add_card(tree, 128, "0000:c4:00.0", gib / 2, 0, 14 * gib);
  EXPECT_TRUE(facts_of(tree).nodes.at(0).integrated);
}

TEST(AmdFiles, SeesTheModule) {
  FakeTree tree;
  EXPECT_FALSE(facts_of(tree).amdgpu);
  tree.folder("/sys/module/amdgpu");
  EXPECT_TRUE(facts_of(tree).amdgpu);
  EXPECT_EQ(facts_of(tree).amdgpu_version, "");
  tree.file("/sys/module/amdgpu/version", "6.8.5\n");
  EXPECT_EQ(facts_of(tree).amdgpu_version, "6.8.5");
}

TEST(AmdFiles, NodesTellWhetherTheyCanBeOpened) {
  FakeTree tree;
  EXPECT_EQ(facts_of(tree).kfd.path, "/dev/kfd");
  EXPECT_FALSE(facts_of(tree).kfd.exists);
  tree.closed_file("/dev/kfd");
  EXPECT_TRUE(facts_of(tree).kfd.exists);
  EXPECT_EQ(facts_of(tree).kfd.open_error, EACCES);
}

TEST(AmdFiles, RenderNodesOfOtherVendorsAreLeftOut) {
  FakeTree tree;
  add_card(tree, 129, "0000:03:00.0", gib, 0, gib);
  tree.file("/dev/dri/card0")
      .file("/dev/dri/renderD128")
      .file("/sys/class/drm/renderD128/device/vendor", "0x8086\n")
      .closed_file("/dev/dri/renderD130");  // its card is unknown
  const auto render = facts_of(tree).render;
  ASSERT_EQ(render.size(), 2U);
  EXPECT_EQ(render[0].path, "/dev/dri/renderD129");
  EXPECT_EQ(render[0].open_error, 0);
  EXPECT_EQ(render[1].path, "/dev/dri/renderD130");
  EXPECT_EQ(render[1].open_error, EACCES);
}

TEST(AmdFiles, FindsRocmWhereItIsInstalled) {
  FakeTree tree;
  tree.file("/opt/rocm-6.3.3/lib/libamdhip64.so.6.3.60303")
      .link("/opt/rocm-6.3.3/lib/libamdhip64.so.6", "libamdhip64.so.6.3.60303")
      .file("/opt/rocm-6.3.3/lib/librocblas.so.4.3.60303")
      .link("/opt/rocm-6.3.3/lib/librocblas.so.4", "librocblas.so.4.3.60303")
      .link("/opt/rocm", "/etc/alternatives/rocm")
      .link("/etc/alternatives/rocm", "/opt/rocm-6.3.3");
  const auto libraries = facts_of(tree).libraries;
  ASSERT_EQ(libraries.size(), 2U);
  EXPECT_EQ(libraries[0].path, "/opt/rocm/lib/libamdhip64.so.6");
  EXPECT_EQ(libraries[0].target, "/opt/rocm-6.3.3/lib/libamdhip64.so.6.3.60303");
  EXPECT_EQ(libraries[0].version, "6.3.60303");
  EXPECT_EQ(libraries[1].soname, "librocblas.so.4");
}

}  // namespace
}  // namespace platform
