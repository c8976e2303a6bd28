#include "platform/verdict/choice.h"

#include <gtest/gtest.h>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

Verdict device(Backend backend, int index, Status status, std::int64_t free = 8 * gib_bytes) {
  Verdict verdict{.pack = {.name = name(backend), .worker = "w"},
                  .backend = backend,
                  .device_name = std::string(name(backend)) + " card",
                  .pci_address = "0000:01:00.0",
                  .status = status,
                  .need = 1 * gib_bytes,
                  .free_memory = free};
  if (index >= 0) verdict.index = index;
  if (status == Status::blocked) {
    verdict.findings = {{.code = "BAD", .headline = verdict.device_name + " is bad"}};
  }
  return verdict;
}

Verdict cpu() {
  return {.pack = {.name = "cpu", .worker = "w"}, .device_name = "EPYC", .status = Status::ok};
}

Verdict intel() {
  Verdict verdict = device(Backend::cpu, -1, Status::blocked);
  verdict.device_name = "Intel UHD Graphics 770";
  return verdict;
}

Choice chosen(const std::vector<Verdict>& verdicts, DeviceRequest wanted = {}) {
  const auto choice = choose(verdicts, {.device = wanted});
  EXPECT_TRUE(choice);
  return choice ? *choice : Choice{};
}

std::string device_of(const std::vector<Verdict>& verdicts, DeviceRequest wanted = {}) {
  return chosen(verdicts, wanted).verdict.device();
}

std::string refused(const std::vector<Verdict>& verdicts, DeviceRequest wanted, bool require_gpu) {
  const auto choice = choose(verdicts, {.device = wanted, .require_gpu = require_gpu});
  EXPECT_FALSE(choice);
  return choice ? "" : choice.error().finding.headline;
}

std::vector<std::string> next_of(const Choice& choice) {
  std::vector<std::string> devices;
  for (const auto& verdict : choice.next) devices.push_back(verdict.device());
  return devices;
}

TEST(Choose, PrefersCudaThenRocmThenMpsThenTheCpu) {
  std::vector<Verdict> all{cpu(), device(Backend::mps, 0, Status::ok),
                           device(Backend::rocm, 0, Status::ok),
                           device(Backend::cuda, 0, Status::ok)};
  EXPECT_EQ(device_of(all), "cuda:0");
  EXPECT_EQ(next_of(chosen(all)), (std::vector<std::string>{"rocm:0", "mps", "cpu"}));
  all.pop_back();
  EXPECT_EQ(device_of(all), "rocm:0");
  all.pop_back();
  EXPECT_EQ(device_of(all), "mps");
  all.pop_back();
  EXPECT_EQ(device_of(all), "cpu");
}

TEST(Choose, TakesTheCardWithMostRoomBesideTheModel) {
  Verdict small = device(Backend::cuda, 0, Status::ok, 4 * gib_bytes);
  Verdict large = device(Backend::cuda, 1, Status::ok, 9 * gib_bytes);
  EXPECT_EQ(device_of({small, large, cpu()}), "cuda:1");
  large.need = 7 * gib_bytes;
  EXPECT_EQ(device_of({small, large, cpu()}), "cuda:0");
  small.free_memory = 0;
  small.total_memory = 24 * gib_bytes;
  EXPECT_EQ(device_of({small, large, cpu()}), "cuda:0");
}

TEST(Choose, AnUnknownDeviceComesAfterTheKnownOfItsBackendOnly) {
  const Verdict unknown = device(Backend::cuda, 0, Status::unknown, 40 * gib_bytes);
  EXPECT_EQ(device_of({unknown, device(Backend::cuda, 1, Status::degraded), cpu()}), "cuda:1");
  EXPECT_EQ(device_of({unknown, device(Backend::rocm, 0, Status::ok), cpu()}), "cuda:0");
  EXPECT_EQ(next_of(chosen({unknown, cpu()})), std::vector<std::string>{"cpu"});
}

TEST(Choose, GivesTheDeviceThatWasAskedFor) {
  const std::vector<Verdict> all{device(Backend::cuda, 0, Status::ok, 20 * gib_bytes),
                                 device(Backend::cuda, 1, Status::ok),
                                 device(Backend::rocm, 0, Status::ok), cpu()};
  EXPECT_EQ(device_of(all, {Backend::cuda, 1}), "cuda:1");
  EXPECT_EQ(next_of(chosen(all, {Backend::cuda, 1})), std::vector<std::string>{"cpu"});
  EXPECT_EQ(device_of(all, {Backend::rocm, {}}), "rocm:0");
  EXPECT_EQ(device_of(all, {{}, 1}), "cuda:1");
  EXPECT_EQ(device_of(all, {Backend::cpu, {}}), "cpu");
  EXPECT_TRUE(next_of(chosen(all, {Backend::cpu, {}})).empty());
}

TEST(Choose, SaysWhy) {
  const Verdict gpu = device(Backend::cuda, 0, Status::ok);
  const Verdict bad = device(Backend::cuda, 0, Status::blocked);
  EXPECT_EQ(chosen({gpu, cpu()}).reason, "CUDA device 0, cuda card: the first working GPU");
  EXPECT_EQ(chosen({gpu, device(Backend::cuda, 1, Status::ok), cpu()}).reason,
            "CUDA device 0, cuda card: the working GPU with most room");
  EXPECT_EQ(chosen({device(Backend::rocm, 0, Status::unknown), cpu()}).reason,
            "ROCm device 0, rocm card: the first GPU that may work; a trial run decides");
  EXPECT_EQ(chosen({gpu, cpu()}, {Backend::cuda, 0}).reason,
            "CUDA device 0, cuda card: as asked (--device cuda:0)");
  EXPECT_EQ(chosen({gpu, cpu()}, {Backend::cpu, {}}).reason, "as asked (--device cpu)");
  EXPECT_EQ(chosen({cpu()}).reason, "no GPU that scribed supports was found");
  EXPECT_EQ(chosen({intel(), cpu()}).reason,
            "no GPU that scribed supports was found (Intel UHD Graphics 770 is not one)");
  EXPECT_EQ(chosen({bad, cpu()}).reason, "the CPU, because cuda card is bad");
}

TEST(Choose, FallsBackLoudly) {
  const auto beside = chosen({device(Backend::rocm, 0, Status::blocked), cpu()});
  ASSERT_TRUE(beside.fallback);
  EXPECT_EQ(beside.fallback->wanted, "auto");
  EXPECT_EQ(beside.fallback->finding.code, "BAD");
  const auto named = chosen({device(Backend::cuda, 0, Status::blocked), cpu()}, {Backend::cuda, 0});
  ASSERT_TRUE(named.fallback);
  EXPECT_EQ(named.fallback->wanted, "cuda:0");
}

TEST(Choose, IsNoFallbackWithoutACardOrByWish) {
  EXPECT_FALSE(chosen({cpu()}).fallback);
  EXPECT_FALSE(chosen({intel(), cpu()}).fallback);
  EXPECT_FALSE(
      chosen({device(Backend::cuda, 0, Status::blocked), cpu()}, {Backend::cpu, {}}).fallback);
  EXPECT_FALSE(chosen({device(Backend::rocm, 0, Status::blocked),
                       device(Backend::cuda, 0, Status::ok), cpu()})
                   .fallback);
}

TEST(Choose, TheCardThatItsDriverListsExplainsTheFallback) {
  Verdict unlisted = device(Backend::cuda, -1, Status::blocked);
  unlisted.findings[0].code = "UNLISTED";
  const auto choice = chosen({unlisted, device(Backend::cuda, 0, Status::blocked), cpu()});
  EXPECT_EQ(choice.fallback->finding.code, "BAD");
}

TEST(Choose, RefusesTheCpuWhereAGpuIsRequired) {
  const Verdict bad = device(Backend::cuda, 0, Status::blocked);
  EXPECT_EQ(refused({bad, cpu()}, {}, true), "cuda card is bad");
  EXPECT_NE(refused({cpu()}, {}, true).find("No GPU"), std::string::npos);
  EXPECT_NE(refused({intel(), cpu()}, {}, true), "");
  EXPECT_NE(refused({cpu()}, {Backend::cuda, 2}, true).find("cuda:2"), std::string::npos);
  EXPECT_NE(refused({cpu()}, {Backend::cpu, {}}, true).find("--device cpu"), std::string::npos);
}

TEST(Choose, LeavesTheCpuOutOfWhatComesNextWhereAGpuIsRequired) {
  const std::vector<Verdict> all{device(Backend::cuda, 0, Status::ok),
                                 device(Backend::cuda, 1, Status::unknown), cpu()};
  const auto choice = choose(all, {.require_gpu = true});
  ASSERT_TRUE(choice);
  EXPECT_EQ(next_of(*choice), std::vector<std::string>{"cuda:1"});
}

TEST(Choose, RefusesWhereNotEvenTheCpuCan) {
  Verdict full = cpu();
  full.status = Status::blocked;
  full.findings = {{.code = "FULL", .headline = "no memory"}};
  EXPECT_EQ(refused({full}, {}, false), "no memory");
}

}  // namespace
}  // namespace platform::test
