#include "platform/probe/probe_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <set>

#include "fake_machine.h"

namespace platform {
namespace {

using nlohmann::json;
using test::FakeMachine;
using Kinds = std::vector<std::string>;

json world() {
  return {{"cuda", {{"devices", {{{"name", "A card"}, {"pci", "0000:01:00.0"}}}}}},
          {"nvml", {{"devices", {{{"pci", "0000:01:00.0"}, {"free_mib", 100}}}}}},
          {"hip",
           {{"devices",
             {{{"name", "B"}, {"pci", "0000:02:00.0"}, {"gfx", "gfx1030"}, {"free_mib", 5}}}}}}};
}

// Makes a change visible on a file system with a coarse clock.
void age(const std::filesystem::path& path) {
  static int hours = 0;
  std::filesystem::last_write_time(
      path, std::filesystem::file_time_type::clock::now() + std::chrono::hours(++hours));
}

// The fixture is one machine with cards of both vendors.
class ProbeCache : public testing::Test {
 protected:
  ProbeCache() {
    machine_.world(world());
    facts_.os.kernel = "6.1.0";
    facts_.pci = {{.address = "0000:01:00.0", .vendor = vendor_nvidia},
                  {.address = "0000:02:00.0", .vendor = vendor_amd}};
    facts_.amd.nodes = {{.node = 1,
                         .gfx = "gfx1030",
                         .pci_address = "0000:02:00.0",
                         .vram_total = 1000,
                         .vram_used = 300}};
  }
  NativeFacts probe() { return cached_probe_native(facts_, machine_.settings(), file()); }
  std::filesystem::path file() const { return machine_ / "state/probe.json"; }
  std::string text() const {
    std::ifstream stream(file());
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  FakeMachine machine_;
  Facts facts_{};
};

TEST_F(ProbeCache, AsksOnlyNvmlASecondTime) {
  probe();
  EXPECT_EQ(machine_.asked(), (Kinds{"cuda", "hip", "nvml"}));
  auto changed = world();
  changed["nvml"]["devices"][0]["free_mib"] = 50;
  machine_.world(changed);
  const auto native = probe();
  EXPECT_EQ(machine_.asked(), (Kinds{"nvml"}));
  ASSERT_EQ(native.cuda.devices.size(), 1U);
  EXPECT_EQ(native.cuda.devices.front().name, "A card");
  EXPECT_EQ(native.cuda.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(native.nvml.devices.at(0).free_memory, 50LL << 20);
  EXPECT_EQ(native.hip.devices.at(0).free_memory, 700) << "as the kernel says it now";
}

TEST_F(ProbeCache, TakesTheFreeMemoryOfAnIntegratedGpuFromTheMachines) {
  constexpr std::int64_t mib = 1 << 20;
  auto shared = world();
  shared["hip"]["devices"][0].update({{"total_mib", 12'500}, {"free_mib", 12'000}});
  machine_.world(shared);
  facts_.memory = {.total = 32'000 * mib, .available = 20'000 * mib};
  facts_.amd.nodes.front() = {.gfx = "gfx1103",
                              .pci_address = "0000:02:00.0",
                              .vram_total = 512 * mib,
                              .vram_used = 400 * mib,
                              .gtt_total = 12'288 * mib,
                              .integrated = true};
  const auto free = [&] { return probe().hip.devices.at(0).free_memory; };
  EXPECT_EQ(free(), 12'000 * mib);
  EXPECT_EQ(free(), 12'288 * mib) << "what the kernel lends at most";
  facts_.memory.available = 3'000 * mib;
  EXPECT_EQ(free(), 3'000 * mib) << "what the machine has left";
  facts_.memory = {};
  EXPECT_EQ(free(), std::nullopt);
}

TEST_F(ProbeCache, LeavesAnIntegratedGpuItsOwnPartWhereHipCountsNoMore) {
  constexpr std::int64_t mib = 1 << 20;
  auto own = world();
  own["hip"]["devices"][0].update({{"total_mib", 512}, {"free_mib", 100}});
  machine_.world(own);
  facts_.memory = {.total = 32'000 * mib, .available = 20'000 * mib};
  facts_.amd.nodes.front() = {.pci_address = "0000:02:00.0",
                              .vram_total = 512 * mib,
                              .vram_used = 400 * mib,
                              .gtt_total = 12'288 * mib,
                              .integrated = true};
  probe();
  EXPECT_EQ(probe().hip.devices.at(0).free_memory, 112 * mib);
}

TEST_F(ProbeCache, KeepsNoFailure) {
  for (const char* behaviour : {"abort", ""}) {
    auto broken = world();
    broken["cuda"]["behaviour"] = {{"cuInit", behaviour}};
    broken["cuda"]["results"] = {{"cuInit", 999}};
    machine_.world(broken);
    EXPECT_NE(probe().cuda.probe.outcome, ProbeOutcome::answered);
    machine_.asked();
  }
  machine_.world(world());
  EXPECT_EQ(probe().cuda.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(machine_.asked(), (Kinds{"cuda", "nvml"})) << "HIP's answer was kept";
}

TEST_F(ProbeCache, AsksCudaAgainWhenNvmlFails) {
  probe();
  machine_.asked();
  auto broken = world();
  broken["nvml"]["results"] = {{"nvmlInit_v2", 18}};
  broken["cuda"]["results"] = {{"cuInit", 803}};
  machine_.world(broken);
  EXPECT_EQ(probe().cuda.probe.code, 803);
  EXPECT_EQ(machine_.asked(), (Kinds{"cuda", "nvml"}));
  machine_.world(world());
  EXPECT_EQ(probe().cuda.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(machine_.asked(), (Kinds{"cuda", "nvml"})) << "the old answer was dropped";
}

TEST_F(ProbeCache, ForgetsEverythingWhenTheMachineChanges) {
  using Change = void (*)(Facts&);
  for (const Change change : {
           Change([](Facts& facts) { facts.os.kernel = "6.1.1"; }),
           Change([](Facts& facts) { facts.nvidia.module_version = "580.65.06"; }),
           Change([](Facts& facts) {
             facts.nvidia.nodes = {{"/dev/nvidiactl", true, 13}};
           }),
           Change([](Facts& facts) {
             facts.amd.kfd = {"/dev/kfd", true, 0};
           }),
           Change([](Facts& facts) { facts.pci.front().driver = "nouveau"; }),
           Change([](Facts& facts) {
             facts.environment = {{"CUDA_VISIBLE_DEVICES", "1"}};
           }),
           Change(
               [](Facts& facts) { facts.amd.libraries = {{.path = "/usr/lib/libamdhip64.so"}}; }),
       }) {
    change(facts_);
    probe();
    EXPECT_EQ(machine_.asked(), (Kinds{"cuda", "hip", "nvml"}));
    probe();
    EXPECT_EQ(machine_.asked(), (Kinds{"nvml"}));
  }
}

TEST_F(ProbeCache, NoticesALibraryThatWasExchanged) {
  machine_.write("libcuda.so.1", "one");
  facts_.nvidia.libraries = {{.path = "x", .target = (machine_ / "libcuda.so.1").string()}};
  const auto before = machine_key(facts_);
  EXPECT_EQ(machine_key(facts_), before);
  machine_.write("libcuda.so.1", "three");
  EXPECT_NE(machine_key(facts_), before);
}

TEST_F(ProbeCache, LeavesOneFileThatOnlyItsOwnerReads) {
  probe();
  struct stat status {};
  ASSERT_EQ(::stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  const std::filesystem::directory_iterator entries(file().parent_path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST_F(ProbeCache, TakesADamagedFileForNone) {
  probe();
  const std::string good = text();
  for (const std::string& bad :
       {std::string(), good.substr(0, good.size() / 2), std::string("[]"), std::string("\xff\xfe"),
        std::string(R"({"version": 99, "native": {}})"),
        std::string(R"({"version": 1, "native": [1], "packs": 4, "smoke": "all"})")}) {
    machine_.write("state/probe.json", bad);
    machine_.asked();
    EXPECT_EQ(probe().cuda.devices.size(), 1U) << bad;
    EXPECT_EQ(machine_.asked(), (Kinds{"cuda", "hip", "nvml"})) << bad;
    EXPECT_FALSE(smoke_passed(file(), "all")) << bad;
  }
}

TEST_F(ProbeCache, TakesAnAnswerOfAnotherShapeForNone) {
  probe();
  auto document = json::parse(text());
  document["native"]["cuda"]["devices"] = 3;
  document["native"]["hip"]["probe"]["outcome"] = "hung";
  machine_.write("state/probe.json", document.dump());
  machine_.asked();
  EXPECT_EQ(probe().cuda.devices.size(), 1U);
  EXPECT_EQ(machine_.asked(), (Kinds{"cuda", "hip", "nvml"}));
}

TEST_F(ProbeCache, WorksWhereNothingCanBeWritten) {
  machine_.write("file", "");
  const auto nowhere = machine_ / "file/probe.json";
  EXPECT_EQ(cached_probe_native(facts_, machine_.settings(), nowhere).cuda.devices.size(), 1U);
  remember_smoke(nowhere, "key");
  EXPECT_FALSE(smoke_passed(nowhere, "key"));
}

TEST_F(ProbeCache, RemembersSmokeRunsBesideTheAnswers) {
  EXPECT_FALSE(smoke_passed(file(), "one"));
  remember_smoke(file(), "one");
  probe();
  EXPECT_TRUE(smoke_passed(file(), "one"));
  for (int i = 0; i < 64; ++i) remember_smoke(file(), "more " + std::to_string(i));
  EXPECT_FALSE(smoke_passed(file(), "one")) << "the oldest goes";
  EXPECT_TRUE(smoke_passed(file(), "more 0"));
  machine_.asked();
  probe();
  EXPECT_EQ(machine_.asked(), (Kinds{"nvml"}));
}

TEST_F(ProbeCache, TakesNamesThatAreNoUtf8) {
  remember_smoke(file(), "caf\xe9");
  remember_smoke(file(), "tea");
  EXPECT_TRUE(smoke_passed(file(), "tea"));
}

TEST_F(ProbeCache, GivesSmokeRunsAKeyOfEverythingTheyDependOn) {
  machine_.write("pack/scribed-worker", "1");
  machine_.write("libcudnn.so.9", "one");
  machine_.write("rocblas/library/one", "");
  const auto path = [&](const char* name) { return (machine_ / name).string(); };
  const SmokeRun run{.pack_folder = machine_ / "pack",
                     .device = "cuda:0",
                     .compute_type = "float16",
                     .libraries = {.libraries = {{"libcudnn.so.9", path("libcudnn.so.9")},
                                                 {"librocblas.so.4", path("librocblas.so.4")}}}};
  std::set<std::string> keys{smoke_key(facts_, run)};
  const auto is_new = [&](const SmokeRun& other) {
    return keys.insert(smoke_key(facts_, other)).second;
  };
  const auto with = [&](auto change) {
    SmokeRun other = run;
    change(other);
    return other;
  };
  EXPECT_FALSE(is_new(run));
  EXPECT_TRUE(is_new(with([](SmokeRun& other) { other.device = "cuda:1"; })));
  EXPECT_TRUE(is_new(with([](SmokeRun& other) { other.compute_type = "float32"; })));
  EXPECT_TRUE(is_new(with([](SmokeRun& other) { other.flash_attn = false; })));
  EXPECT_TRUE(is_new(with([](SmokeRun& other) { other.libraries.libraries[0].path = "/other"; })));
  machine_.write("pack/scribed-worker", "22");
  EXPECT_TRUE(is_new(run));
  machine_.write("libcudnn.so.9", "three");
  EXPECT_TRUE(is_new(run));
  machine_.write("rocblas/library/gfx1030", "");
  age(machine_ / "rocblas/library");
  EXPECT_TRUE(is_new(run));
}

TEST_F(ProbeCache, KeepsThePacksLibrariesUntilOneOfThemChanges) {
  machine_.write("pack/build-info.json", R"({"backend": "rocm", "rocm": "6.3"})");
  machine_.write("lib/readme", "");
  const auto library = machine_ / "lib/librocblas.so.4";
  std::filesystem::copy(test::doubles("rocblas") / "librocblas.so.4", library);
  machine_.library_path({machine_ / "lib"});
  const auto ask = [&] {
    return cached_probe_pack(facts_, {machine_ / "pack"}, machine_.settings(), file());
  };
  EXPECT_EQ(ask().probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(machine_.asked(), (Kinds{"pack"}));
  EXPECT_EQ(ask().libraries.size(), 1U);
  EXPECT_TRUE(machine_.asked().empty());
  age(library);
  ask();
  EXPECT_EQ(machine_.asked(), (Kinds{"pack"}));
  machine_.library_path({});
  EXPECT_NE(ask().libraries.at(0).error, "");
  ask();
  EXPECT_EQ(machine_.asked(), (Kinds{"pack", "pack"})) << "a missing library is not kept";
}

TEST_F(ProbeCache, NoticesKernelsThatRocblasHasGot) {
  machine_.write("pack/build-info.json", R"({"backend": "rocm", "rocm": "6.3"})");
  machine_.write("lib/rocblas/library/TensileLibrary_lazy_gfx900.dat", "");
  std::filesystem::copy(test::doubles("rocblas") / "librocblas.so.4", machine_ / "lib");
  machine_.library_path({machine_ / "lib"});
  const auto gpus = [&] {
    return cached_probe_pack(facts_, {machine_ / "pack"}, machine_.settings(), file()).rocblas_gfx;
  };
  EXPECT_EQ(gpus(), (Kinds{"gfx900"}));
  machine_.write("lib/rocblas/library/TensileLibrary_lazy_gfx1103.dat", "");
  age(machine_ / "lib/rocblas/library");
  EXPECT_EQ(gpus(), (Kinds{"gfx1103", "gfx900"}));
  machine_.asked();
  gpus();
  EXPECT_TRUE(machine_.asked().empty());
  machine_.write("own/TensileLibrary_lazy_gfx90a.dat", "");
  machine_.variable("ROCBLAS_TENSILE_LIBPATH", machine_ / "own");
  EXPECT_EQ(gpus(), (Kinds{"gfx90a"}));
}

}  // namespace
}  // namespace platform
