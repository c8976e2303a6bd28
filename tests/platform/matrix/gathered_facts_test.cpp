#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "platform/matrix/matrix.h"

// These tests compare the document with facts.json, which was gathered independently.
namespace platform {
namespace {

using nlohmann::json;

class GatheredFacts : public testing::Test {
 protected:
  static json read_facts() {
    std::ifstream file(SCRIBED_SOURCE_DIR "/tests/platform/matrix/facts.json");
    return json::parse(file);
  }

  const json facts = read_facts();
  const Matrix matrix = built_in_matrix().matrix;
};

std::string text(const json& value) {
  return value.is_null() ? "" : value.get<std::string>();
}

std::string text(const std::optional<Version>& version) {
  return version ? version->text() : "";
}

std::set<std::string> names(const json& list) {
  return list.is_null() ? std::set<std::string>{} : list.get<std::set<std::string>>();
}

std::set<std::string> names(std::initializer_list<const std::vector<ComputeCapability>*> lists) {
  std::set<std::string> all;
  for (const auto* list : lists) {
    for (const auto& cc : *list) all.insert(cc.text());
  }
  return all;
}

std::set<std::string> names(const std::vector<std::string>& list) {
  return {list.begin(), list.end()};
}

TEST_F(GatheredFacts, AgreeOnCudaBuilds) {
  std::size_t rows = 0;
  for (const auto& release : facts.at("torch_releases")) {
    for (const auto& build : release.at("cuda")) {
      const std::string torch = release.at("version");
      const std::string variant = build.at("variant");
      SCOPED_TRACE(torch + " " + variant);
      const TorchRow* row = matrix.find_torch(torch, variant, "pytorch");
      ASSERT_TRUE(row);
      ++rows;
      EXPECT_EQ(row->cuda, text(build.at("cuda")));
      EXPECT_EQ(row->cudnn, text(build.at("cudnn")));
      const auto& arch = build.at("arch");
      EXPECT_EQ(names({&row->arch, &row->arch_uncertain}), names(arch.at("linux_x86_64")));
      EXPECT_EQ(names({&row->arch_windows}), names(arch.at("windows_x86_64")));
      EXPECT_EQ(names({&row->arch_aarch64}), names(arch.at("linux_aarch64")));
      const DriverFloorRow* floor =
          matrix.find_driver_floor(Version::parse(row->cuda).value().major());
      ASSERT_TRUE(floor);
      EXPECT_EQ(floor->linux_driver.text(), text(build.at("min_driver").at("linux")));
      EXPECT_EQ(text(floor->windows_driver), text(build.at("min_driver").at("windows")));
    }
  }
  EXPECT_EQ(rows, static_cast<std::size_t>(
                      std::count_if(matrix.torch.begin(), matrix.torch.end(),
                                    [](const TorchRow& row) { return !row.cuda.empty(); })));
}

TEST_F(GatheredFacts, AgreeOnRocmBuilds) {
  for (const auto& release : facts.at("torch_releases")) {
    for (const auto& build : release.value("rocm", json::array())) {
      const std::string torch = release.at("version");
      const std::string variant = build.at("variant");
      SCOPED_TRACE(torch + " " + variant);
      const TorchRow* row = matrix.find_torch(torch, variant, "pytorch");
      ASSERT_TRUE(row);
      EXPECT_EQ(row->rocm, text(build.at("rocm")));
      EXPECT_EQ(names(row->gfx), names(build.at("gfx")));
      EXPECT_EQ(names(row->gfx_uncertain), names(build.at("gfx_uncertain")));
    }
    EXPECT_EQ(
        matrix.find_torch(release.at("version").get<std::string>(), "cpu", "pytorch") != nullptr,
        release.at("cpu").get<bool>());
  }
}

TEST_F(GatheredFacts, AgreeOnBuildsByAmd) {
  for (const auto& build : facts.at("amd_built_wheels")) {
    const std::string variant = build.at("variant").get<std::string>();
    const TorchRow* row = matrix.find_torch(build.at("torch").get<std::string>(),
                                            variant.substr(0, variant.find(' ')), "amd");
    ASSERT_TRUE(row) << variant;
    auto gfx = names(row->gfx);
    gfx.insert(row->gfx_uncertain.begin(), row->gfx_uncertain.end());
    EXPECT_EQ(gfx, names(build.at("gfx"))) << variant;
  }
}

TEST_F(GatheredFacts, AgreeOnDriversOfToolkits) {
  ASSERT_EQ(facts.at("cuda_toolkits").size(), matrix.toolkits.size());
  for (const auto& toolkit : facts.at("cuda_toolkits")) {
    const std::string cuda = toolkit.at("cuda");
    const ToolkitRow* row = matrix.find_toolkit(cuda);
    ASSERT_TRUE(row) << cuda;
    EXPECT_EQ(row->linux_driver.text(), text(toolkit.at("toolkit_driver").at("linux"))) << cuda;
    EXPECT_EQ(text(row->windows_driver), text(toolkit.at("toolkit_driver").at("windows"))) << cuda;
  }
}

TEST_F(GatheredFacts, AgreeOnWhatACubinRunsOn) {
  std::set<std::string> cards;
  for (const auto& rule : facts.at("cubin_compatibility").at("rows")) {
    cards.insert(rule.at("built_for").get<std::string>());
  }
  for (const auto& rule : facts.at("cubin_compatibility").at("rows")) {
    const auto built_for = ComputeCapability::parse(text(rule.at("built_for"))).value();
    const std::string runs_on = text(rule.at("runs_on_same_major"));
    const auto except = names(rule.at("except"));
    for (const auto& card : cards) {
      const auto device = ComputeCapability::parse(card).value();
      const bool at_least = runs_on.starts_with(">=") && device.major == built_for.major &&
                            device.minor >= built_for.minor && !except.contains(card);
      const bool exactly =
          runs_on.starts_with("==") && (device == built_for || runs_on.ends_with("or " + card));
      EXPECT_EQ(cubin_runs_on(matrix, built_for, device), at_least || exactly)
          << built_for.text() << " on " << card;
    }
  }
}

TEST_F(GatheredFacts, AgreeOnPrecision) {
  for (const auto& fact : facts.at("precision").at("nvidia")) {
    const auto cc = ComputeCapability::parse(text(fact.at("min_cc"))).value();
    const PrecisionRow* row = matrix.find_precision(cc);
    ASSERT_TRUE(row) << cc.text();
    EXPECT_EQ(row->from, cc);
    if (!fact.at("max_cc").is_null()) {
      EXPECT_EQ(row->to->text(), text(fact.at("max_cc")));
    }
    const auto& bf16 = fact.at("bf16");
    EXPECT_EQ(row->bfloat16, bf16.is_string()   ? "emulated"
                             : bf16.get<bool>() ? "fast"
                                                : "no")
        << cc.text();
    EXPECT_EQ(row->tf32, fact.at("tf32").get<bool>()) << cc.text();
    const bool fast = text(fact.at("fp16")).starts_with("tensor cores");
    EXPECT_EQ(row->float16 == "fast", fast) << cc.text();
  }
}

TEST_F(GatheredFacts, AgreeOnModels) {
  ASSERT_EQ(facts.at("models").size(), matrix.models.size());
  for (const auto& fact : facts.at("models")) {
    const std::string name = fact.at("name");
    SCOPED_TRACE(name);
    const ModelRow* row = matrix.find_model(name);
    ASSERT_TRUE(row);
    EXPECT_EQ(row->size.parameters, fact.at("parameters").get<std::int64_t>());
    EXPECT_EQ(row->size.d_model, fact.at("d_model").get<int>());
    EXPECT_EQ(row->size.heads, fact.at("heads").get<int>());
    EXPECT_EQ(row->size.encoder_layers, fact.at("encoder_layers").get<int>());
    EXPECT_EQ(row->size.decoder_layers, fact.at("decoder_layers").get<int>());
    const auto number = [&fact](const char* key) {
      return fact.at(key).is_null() ? std::optional<double>() : fact.at(key).get<double>();
    };
    EXPECT_EQ(row->minimum_gb, number("seed_min_gb"));
    EXPECT_EQ(row->recommended_gb, number("seed_recommended_gb"));
  }
  EXPECT_EQ(matrix.memory.overhead_mib, facts.at("vram").at("overhead_mib").get<int>());
  EXPECT_EQ(matrix.memory.factor, facts.at("vram").at("suggested_factor").get<double>());
}

TEST_F(GatheredFacts, AgreeOnAmdChips) {
  ASSERT_EQ(facts.at("amd_gfx").size(), matrix.gfx.size());
  for (const auto& fact : facts.at("amd_gfx")) {
    const std::string name = fact.at("gfx");
    SCOPED_TRACE(name);
    const GfxRow* row = matrix.find_gfx(name);
    ASSERT_TRUE(row);
    EXPECT_EQ(decode_gfx(fact.at("gfx_target_version").get<std::uint32_t>()), name);
    EXPECT_EQ(row->fused_attention, fact.at("aotriton").get<bool>());
    EXPECT_EQ(row->blocked, text(fact.at("note")).ends_with("block"));
    // Overrides for older builds of chips that have kernels of their own now are not suggested.
    const std::string override_version = text(fact.at("hsa_override"));
    const bool old_builds = override_version.find("older") != std::string::npos;
    EXPECT_EQ(row->hsa_override, old_builds ? "" : override_version);
  }
}

TEST_F(GatheredFacts, AgreeOnStatusCodes) {
  for (const auto& [library, codes] : facts.at("status_codes").items()) {
    if (library == "sources") continue;
    for (const auto& fact : codes) {
      const int code = fact.at("code");
      if (code == 0) continue;
      EXPECT_TRUE(matrix.find_status(library, code)) << library << " " << code;
    }
  }
}

TEST_F(GatheredFacts, AgreeOnTestedCombinations) {
  ASSERT_EQ(facts.at("tested_configurations").size(), matrix.tested.size());
  for (const auto& fact : facts.at("tested_configurations")) {
    const TestedRow* row =
        matrix.find_tested(fact.at("torch").get<std::string>(),
                           fact.at("variant").get<std::string>(), text(fact.at("cudnn")));
    ASSERT_TRUE(row) << fact;
    EXPECT_EQ(row->cudnn, text(fact.at("cudnn")));
    const std::string status = fact.at("status");
    EXPECT_EQ(row->status, status == "compatibility_issues" ? "issues_known" : status);
  }
}

TEST_F(GatheredFacts, AgreeOnMacos) {
  std::size_t rows = 0;
  for (const auto& fact : facts.at("mps").at("min_macos")) {
    if (fact.at("min_macos").is_null()) continue;
    const std::string range = fact.at("torch");
    const MpsRow& row = matrix.mps.at(rows++);
    EXPECT_EQ(row.torch_from + "-" + row.torch_to, range);
    EXPECT_EQ(row.min_macos.text(), text(fact.at("min_macos")));
  }
  EXPECT_EQ(rows, matrix.mps.size());
}

}  // namespace
}  // namespace platform
