#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "fake_machine.h"
#include "platform/probe/probe.h"

namespace platform {
namespace {

using nlohmann::json;
using test::FakeMachine;

void cuda_pack(FakeMachine& machine, const std::string& cudnn = "9.19.0.56") {
  machine.write("pack/build-info.json",
                json{{"backend", "cuda"}, {"cuda", "13.0"}, {"cudnn", cudnn}}.dump());
  machine.library_path({test::doubles("cudnn"), test::doubles("cublas")});
}

PackLibraries probe(FakeMachine& machine) {
  return probe_pack({machine / "pack"}, machine.settings());
}

const LibraryLoad* find(const PackLibraries& libraries, const std::string& soname) {
  const auto found = std::ranges::find(libraries.libraries, soname, &LibraryLoad::soname);
  return found != libraries.libraries.end() ? &*found : nullptr;
}

TEST(PackProbe, LoadsCudnnWithAllItsPartsAndCublas) {
  FakeMachine machine;
  cuda_pack(machine);
  const auto found = probe(machine);
  EXPECT_EQ(found.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(found.cudnn, "9.19.0");
  EXPECT_EQ(found.libraries.size(), 10U);
  for (const auto& library : found.libraries) EXPECT_EQ(library.error, "") << library.soname;
  const auto* ops = find(found, "libcudnn_ops.so.9");
  ASSERT_NE(ops, nullptr);
  EXPECT_EQ(ops->path, (test::doubles("cudnn") / "libcudnn_ops.so.9").string());
}

TEST(PackProbe, NamesThePartThatIsMissing) {
  FakeMachine machine;
  cuda_pack(machine);
  machine.write("lib/readme", "");
  std::filesystem::copy(test::doubles("cudnn") / "libcudnn.so.9", machine / "lib/libcudnn.so.9");
  machine.library_path({machine / "lib"});
  const auto found = probe(machine);
  EXPECT_EQ(found.probe.outcome, ProbeOutcome::answered);
  const auto* ops = find(found, "libcudnn_ops.so.9");
  ASSERT_NE(ops, nullptr);
  EXPECT_EQ(ops->path, "");
  EXPECT_NE(ops->error.find("libcudnn_ops.so.9"), std::string::npos);
  EXPECT_EQ(found.cudnn, "9.19.0");
}

// The pack's rpath wins for cuDNN, but cuDNN looks for its parts by itself.
TEST(PackProbe, FindsTheForeignPartThatCudnnWouldLoad) {
  FakeMachine machine;
  cuda_pack(machine);
  std::filesystem::copy(SCRIBED_RPATH_TEST_PATH, machine / "pack/scribed-worker");
  std::filesystem::copy(test::doubles("cudnn"), machine / "pack/lib");
  const auto found = probe(machine);
  const auto* front = find(found, "libcudnn.so.9");
  const auto* ops = find(found, "libcudnn_ops.so.9");
  ASSERT_TRUE(front != nullptr && ops != nullptr);
  EXPECT_EQ(front->path, (machine / "pack/lib/libcudnn.so.9").string());
  EXPECT_EQ(ops->path, (test::doubles("cudnn") / "libcudnn_ops.so.9").string());
}

TEST(PackProbe, AsksForThePartsOfCudnn8WhereThePackWasBuiltWithIt) {
  FakeMachine machine;
  cuda_pack(machine, "8.7.0.84");
  const auto found = probe(machine);
  const auto* ops = find(found, "libcudnn_ops_infer.so.8");
  ASSERT_NE(ops, nullptr);
  EXPECT_NE(ops->error, "");
  EXPECT_EQ(found.cudnn, "");
}

TEST(PackProbe, TellsPartsOfAnotherVersion) {
  FakeMachine machine;
  cuda_pack(machine);
  machine.world({{"cudnn", {{"version", 90100}, {"results", {{"cudnnOpsVersionCheck", 1002}}}}}});
  const auto found = probe(machine);
  EXPECT_EQ(found.cudnn, "9.1.0");
  EXPECT_EQ(found.probe.outcome, ProbeOutcome::failed);
  EXPECT_EQ(found.probe.function, "cudnnOpsVersionCheck");
  EXPECT_EQ(found.probe.code_name, "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH");
}

TEST(PackProbe, SurvivesAPartThatAbortsWhenItIsLoaded) {
  FakeMachine machine;
  cuda_pack(machine);
  machine.world(
      {{"cudnn", {{"behaviour", {{"libcudnn_cnn.so.9", "print:Invalid handle. Cannot load"}}}}}});
  const auto found = probe(machine);
  EXPECT_EQ(found.probe.outcome, ProbeOutcome::crashed);
  EXPECT_EQ(found.probe.function, "dlopen libcudnn_cnn.so.9");
  EXPECT_EQ(found.probe.signal, SIGABRT);
  EXPECT_EQ(found.probe.text, "Invalid handle. Cannot load");
  EXPECT_NE(find(found, "libcudnn_ops.so.9"), nullptr) << "what was loaded before is listed";
}

TEST(PackProbe, ListsTheCardsThatRocblasHasKernelsFor) {
  FakeMachine machine;
  machine.write("pack/build-info.json", json{{"backend", "rocm"}, {"rocm", "6.3"}}.dump());
  machine.write("lib/rocblas/library/TensileLibrary_lazy_gfx1100.dat", "");
  machine.write("lib/rocblas/library/TensileLibrary_lazy_gfx1030.dat", "");
  machine.write("lib/rocblas/library/TensileLibrary_lazy_gfx1030.txt", "");
  machine.write("lib/rocblas/library/TensileManifest.txt", "");
  std::filesystem::copy(test::doubles("rocblas") / "librocblas.so.4",
                        machine / "lib/librocblas.so.4");
  machine.library_path({machine / "lib"});
  const auto found = probe(machine);
  EXPECT_EQ(found.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(found.rocblas_gfx, (std::vector<std::string>{"gfx1030", "gfx1100"}));
  EXPECT_NE(find(found, "librocblas.so.4"), nullptr);
}

TEST(PackProbe, AsksNothingOfACpuPackOrOfNone) {
  FakeMachine machine;
  machine.write("pack/build-info.json", json{{"backend", "cpu"}}.dump());
  EXPECT_EQ(probe(machine).probe.outcome, ProbeOutcome::not_run);
  EXPECT_EQ(probe_pack({machine / "nowhere"}, machine.settings()).probe.outcome,
            ProbeOutcome::not_run);
}

}  // namespace
}  // namespace platform
