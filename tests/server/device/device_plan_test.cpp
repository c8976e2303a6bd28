#include "server/device/device_plan.h"

#include <gtest/gtest.h>

#include "platform/verdict/finding_codes.h"
#include "protocol/worker_contract.h"

namespace server {
namespace {

using platform::Backend;
using platform::Severity;
using platform::Status;
namespace code = platform::code;

platform::Verdict gpu(int index, Status status) {
  platform::Verdict verdict{.pack = {.name = "cuda-13", .worker = "/opt/cuda-13/scribed-worker"},
                            .backend = Backend::cuda,
                            .index = index,
                            .device_name = "NVIDIA GeForce RTX 306" + std::to_string(index),
                            .status = status,
                            .compute_type = "float16"};
  if (status == Status::blocked) {
    verdict.findings.push_back({.code = code::cuda_driver_too_old,
                                .severity = Severity::blocked,
                                .headline = verdict.device_name + ": the driver is too old",
                                .fix = {"Install a newer driver"},
                                .link = "docs/gpu-findings.md#cuda_driver_too_old"});
  }
  return verdict;
}

platform::Verdict cpu() {
  return {.pack = {.name = "cpu", .worker = "/opt/scribed-worker"},
          .backend = Backend::cpu,
          .device_name = "a CPU",
          .status = Status::ok,
          .compute_type = "bfloat16"};
}

Survey machine(std::vector<platform::Verdict> verdicts, bool require_gpu = false) {
  return {.matrix = platform::built_in_matrix(),
          .request = {.require_gpu = require_gpu},
          .verdicts = std::move(verdicts)};
}

std::vector<std::string> devices(const DevicePlan& plan) {
  std::vector<std::string> names;
  for (const auto& candidate : plan.candidates) names.push_back(candidate.verdict.device());
  return names;
}

TEST(PlanDevices, TriesGpusBeforeTheCpu) {
  const auto plan = plan_devices(machine({gpu(0, Status::ok), cpu()})).value();
  EXPECT_EQ(devices(plan), (std::vector<std::string>{"cuda:0", "cpu"}));
  EXPECT_FALSE(plan.passed_over);
  EXPECT_FALSE(plan.candidates[0].smoke_key.empty());
  EXPECT_TRUE(plan.candidates[1].smoke_key.empty());
}

TEST(PlanDevices, NamesTheCardThatIsPassedOver) {
  const auto plan = plan_devices(machine({gpu(0, Status::blocked), cpu()})).value();
  EXPECT_EQ(devices(plan), std::vector<std::string>{"cpu"});
  ASSERT_TRUE(plan.passed_over);
  EXPECT_EQ(plan.passed_over->card, "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(plan.passed_over->fallback.finding.code, code::cuda_driver_too_old);
}

TEST(PlanDevices, LeavesTheCpuOutWhereAGpuIsRequired) {
  EXPECT_EQ(devices(plan_devices(machine({gpu(0, Status::ok), cpu()}, true)).value()),
            std::vector<std::string>{"cuda:0"});
  const auto refused = plan_devices(machine({gpu(0, Status::blocked), cpu()}, true));
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, errc::device_blocked);
  EXPECT_NE(refused.error().message.find("too old (CUDA_DRIVER_TOO_OLD)"), std::string::npos);
  EXPECT_NE(refused.error().fix.find("Install a newer driver"), std::string::npos);
  EXPECT_NE(refused.error().fix.find("docs/gpu-findings.md#cuda_driver_too_old"),
            std::string::npos);
}

TEST(WarningOf, SaysTheNameOfTheCardOnce) {
  PassedOver card{"NVIDIA RTX", {"auto", {.headline = "NVIDIA RTX: the driver is too old"}}};
  EXPECT_EQ(warning_of(card), "NVIDIA RTX is not used: the driver is too old");
  card.fallback.finding.headline = "NVIDIA RTX found, but no CUDA runtime pack is installed";
  EXPECT_EQ(warning_of(card), "NVIDIA RTX is not used: no CUDA runtime pack is installed");
  card.fallback.finding.headline = "NVIDIA RTX ran out of memory";
  EXPECT_EQ(warning_of(card), "NVIDIA RTX is not used: NVIDIA RTX ran out of memory");
}

const Error died{errc::worker_died, "scribed-worker was killed by signal 6 (SIGABRT)", ""};

TEST(ExplainFailure, FindsTheCauseInTheLastWords) {
  const auto matrix = platform::built_in_matrix().matrix;
  const auto finding =
      explain_failure(died, "CUDA out of memory. Tried to allocate", gpu(0, Status::ok), matrix);
  EXPECT_EQ(finding.code, code::gpu_out_of_memory);
  EXPECT_NE(finding.headline.find("RTX 3060"), std::string::npos);
}

TEST(ExplainFailure, HasWordsForWhatNobodyHasSeen) {
  const auto matrix = platform::built_in_matrix().matrix;
  const auto card = gpu(0, Status::ok);
  const std::pair<Error, const char*> cases[] = {
      {died, code::worker_fault},
      {{protocol::worker::smoke_run_failed, "the product differs", ""}, code::smoke_run_failed},
      {{errc::device_unavailable, "smoke run failed: so it says", ""}, code::worker_failed},
      {{errc::device_unavailable, "something else", ""}, code::worker_failed},
      {{errc::program_missing, "cannot start scribed-worker", ""}, code::worker_failed},
      {{errc::worker_hung, "scribed-worker did not send its greeting", ""}, code::worker_failed},
      {{errc::out_of_memory, "scribed-worker was killed", ""}, code::worker_failed},
  };
  for (const auto& [error, expected] : cases) {
    const auto finding = explain_failure(error, "?", card, matrix);
    EXPECT_EQ(finding.code, expected) << error.message;
    EXPECT_EQ(finding.evidence.found, error.message);
  }
}

TEST(PlanDevices, SaysWhatTheCpuCannotDo) {
  const std::pair<const char*, const char*> cases[] = {
      {code::precision_not_supported, errc::usage},
      {code::memory_too_small, errc::out_of_memory},
      {code::cpu_pack_missing, errc::device_blocked},
  };
  for (const auto& [finding, expected] : cases) {
    auto verdict = cpu();
    verdict.status = Status::blocked;
    verdict.findings.push_back({.code = finding, .severity = Severity::blocked, .headline = "no"});
    const auto plan = plan_devices(machine({verdict}));
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, expected);
  }
}

TEST(ExplainedError, KeepsTheErrorAndAddsTheCause) {
  const auto matrix = platform::built_in_matrix().matrix;
  const auto error = explained_error(died, "No SGEMM backend on CPU", cpu(), matrix);
  EXPECT_EQ(error.code, errc::worker_died);
  EXPECT_TRUE(error.message.starts_with(died.message));
  EXPECT_NE(error.message.find(code::cpu_no_sgemm), std::string::npos);
  EXPECT_FALSE(error.fix.empty());
}

TEST(ExplainedError, TakesNothingForAGpusFaultOnTheCpu) {
  const auto matrix = platform::built_in_matrix().matrix;
  EXPECT_EQ(explained_error(died, "CUDA unknown error", cpu(), matrix), died);
}

TEST(IsAboutTheDevice, TellsACardFromAModel) {
  EXPECT_TRUE(is_about_the_device(died));
  EXPECT_TRUE(is_about_the_device({"device_unavailable", "", ""}));
  EXPECT_TRUE(is_about_the_device({errc::out_of_memory, "", ""}));
  EXPECT_FALSE(is_about_the_device({"damaged_model", "", ""}));
  EXPECT_FALSE(is_about_the_device({"invalid_option", "", ""}));
}

}  // namespace
}  // namespace server
