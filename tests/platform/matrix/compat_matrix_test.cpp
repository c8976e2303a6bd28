#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "platform/matrix/matrix.h"

// Returns the document that is compiled in.
namespace platform {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(std::string(SCRIBED_SOURCE_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::set<std::string> finding_codes() {
  const std::string header = read("platform/verdict/finding_codes.h");
  const std::regex quoted("\"([A-Z0-9_]+)\"");
  std::set<std::string> codes;
  for (std::sregex_iterator it(header.begin(), header.end(), quoted), end; it != end; ++it) {
    codes.insert((*it)[1]);
  }
  return codes;
}

TEST(CompatMatrix, HasNoProblems) {
  const LoadedMatrix loaded = built_in_matrix();
  EXPECT_EQ(loaded.problems, std::vector<std::string>{});
  EXPECT_EQ(loaded.matrix.schema_version, 1);
  EXPECT_FALSE(loaded.matrix.date.empty());
}

TEST(CompatMatrix, IsTheFileInTheSources) {
  const auto loaded = parse_matrix(read("platform/matrix/compat_matrix.json"));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->problems, std::vector<std::string>{});
  const Matrix matrix = built_in_matrix().matrix;
  EXPECT_EQ(loaded->matrix.findings.size(), matrix.findings.size());
  EXPECT_EQ(loaded->matrix.torch.size(), matrix.torch.size());
  EXPECT_EQ(loaded->matrix.cards.size(), matrix.cards.size());
}

TEST(CompatMatrix, HasWordsForEveryFindingAndForNoOther) {
  std::set<std::string> rows;
  for (const auto& finding : built_in_matrix().matrix.findings) {
    EXPECT_TRUE(rows.insert(finding.code).second) << finding.code << " has two rows";
    EXPECT_FALSE(finding.fix.empty()) << finding.code;
    EXPECT_FALSE(finding.headline.ends_with('.')) << finding.code;
    EXPECT_TRUE(finding.meaning.ends_with('.')) << finding.code;
  }
  const auto codes = finding_codes();
  EXPECT_GT(codes.size(), 80u);
  EXPECT_EQ(rows, codes);
}

TEST(CompatMatrix, RefersOnlyToWhatItHas) {
  const Matrix matrix = built_in_matrix().matrix;
  for (const auto& status : matrix.status_codes) {
    EXPECT_TRUE(matrix.find_finding(status.finding)) << status.name;
  }
  for (const auto& torch : matrix.torch) {
    for (const auto& gfx : torch.gfx) EXPECT_TRUE(matrix.find_gfx(gfx)) << gfx;
    for (const auto& gfx : torch.gfx_uncertain) EXPECT_TRUE(matrix.find_gfx(gfx)) << gfx;
    if (torch.cuda.empty()) continue;
    EXPECT_TRUE(matrix.find_toolkit(torch.cuda)) << torch.cuda;
    EXPECT_TRUE(matrix.find_driver_floor(Version::parse(torch.cuda)->major())) << torch.cuda;
  }
  for (const auto& card : matrix.cards) {
    if (card.gfx.empty()) continue;
    EXPECT_TRUE(matrix.find_gfx(card.gfx)) << card.name;
  }
}

TEST(CompatMatrix, NamesTheSourcesOfItsBuilds) {
  const auto document = nlohmann::json::parse(read("platform/matrix/compat_matrix.json"));
  const auto& sources = document.at("sources");
  std::set<std::string> used;
  for (const auto& [key, table] : document.items()) {
    if (!table.is_array()) continue;
    for (const auto& row : table) {
      for (const auto& source : row.value("sources", nlohmann::json::array())) used.insert(source);
    }
  }
  for (const auto& source : used) EXPECT_TRUE(sources.contains(source)) << source;
  for (const auto& torch : built_in_matrix().matrix.torch) {
    EXPECT_FALSE(torch.sources.empty()) << torch.torch << " " << torch.variant;
  }
}

TEST(CompatMatrix, HasOneRowForAThing) {
  std::set<std::string> seen;
  const auto first = [&seen](const std::string& key) { return seen.insert(key).second; };
  const Matrix matrix = built_in_matrix().matrix;
  for (const auto& r : matrix.torch) {
    EXPECT_TRUE(first(r.torch + " " + r.variant + " " + r.origin)) << r.torch << r.variant;
  }
  for (const auto& r : matrix.gfx) EXPECT_TRUE(first(r.gfx)) << r.gfx;
  for (const auto& r : matrix.variables) EXPECT_TRUE(first(r.name)) << r.name;
  for (const auto& r : matrix.toolkits) EXPECT_TRUE(first("cuda " + r.cuda)) << r.cuda;
  for (const auto& r : matrix.status_codes) {
    EXPECT_TRUE(first(r.library + std::to_string(r.code))) << r.name;
  }
  for (const auto& r : matrix.cards) {
    EXPECT_TRUE(first(std::to_string(r.vendor) + ":" + std::to_string(r.device))) << r.name;
  }
}

TEST(CompatMatrix, KnowsTheFloorsOfDrivers) {
  const Matrix matrix = built_in_matrix().matrix;
  const std::tuple<int, const char*, const char*> floors[] = {
      {11, "450.80.02", "452.39"}, {12, "525.60.13", "528.33"}, {13, "580", "580"}};
  for (const auto& [major, linux_driver, windows_driver] : floors) {
    const DriverFloorRow* row = matrix.find_driver_floor(major);
    ASSERT_TRUE(row) << major;
    EXPECT_EQ(row->linux_driver.text(), linux_driver);
    EXPECT_EQ(row->windows_driver->text(), windows_driver);
  }
  EXPECT_EQ(matrix.find_driver_floor(14), nullptr);
  // A toolkit's own driver is never older than the floor of its major.
  for (const auto& toolkit : matrix.toolkits) {
    const auto* floor = matrix.find_driver_floor(Version::parse(toolkit.cuda)->major());
    ASSERT_TRUE(floor) << toolkit.cuda;
    EXPECT_GE(toolkit.linux_driver, floor->linux_driver) << toolkit.cuda;
  }
}

TEST(CompatMatrix, KeepsTheThreeTestedCombinations) {
  const Matrix matrix = built_in_matrix().matrix;
  ASSERT_EQ(matrix.tested.size(), 3u);
  const TestedRow* best = matrix.find_tested("2.2.0", "cu118", "8.7.0");
  ASSERT_TRUE(best);
  EXPECT_EQ(best->status, "recommended");
  EXPECT_EQ(best->cudnn, "8.7.0.84");
  const TestedRow* troubled = matrix.find_tested("2.7.1", "cu118", "9.1.0");
  ASSERT_TRUE(troubled);
  EXPECT_EQ(troubled->status, "issues_known");
  EXPECT_EQ(troubled->cudnn, "9.1.0.70");
  const TestedRow* cpu = matrix.find_tested("2.8.0", "cpu", "");
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->status, "cpu_only");
}

TEST(CompatMatrix, MarksWhatIsOnlyPlanned) {
  for (const auto& row : built_in_matrix().matrix.torch) {
    const bool seen = row.variant == "cu132";  // the build of 2.15 that the package index has
    EXPECT_EQ(row.evidence == "planned", row.torch == "2.15" && !seen)
        << row.torch << " " << row.variant;
  }
}

TEST(CompatMatrix, ClaimsNoOlderCardsThanBuildsHaveKernelsFor) {
  for (const auto& row : built_in_matrix().matrix.torch) {
    const int major = row.cuda.empty() ? 0 : Version::parse(row.cuda)->major();
    const ComputeCapability floor = major >= 13   ? ComputeCapability{7, 5}
                                    : major == 12 ? ComputeCapability{5, 0}
                                                  : ComputeCapability{3, 7};
    for (const auto* list : {&row.arch, &row.arch_windows, &row.arch_uncertain}) {
      for (const auto& cc : *list) EXPECT_GE(cc, floor) << row.torch << " " << row.variant;
    }
  }
}

TEST(CompatMatrix, SuggestsOverridesOnlyInsideAFamily) {
  std::set<std::string> suggested;
  for (const auto& row : built_in_matrix().matrix.gfx) {
    if (row.hsa_override.empty()) continue;
    suggested.insert(row.gfx);
    EXPECT_EQ(row.family, "RDNA2") << row.gfx;
    EXPECT_FALSE(row.blocked) << row.gfx;
  }
  const std::set<std::string> expected{"gfx1031", "gfx1032", "gfx1034", "gfx1035", "gfx1036"};
  EXPECT_EQ(suggested, expected);
  EXPECT_EQ(built_in_matrix().matrix.find_gfx("gfx1103")->harmful_override, "11.0.0");
  EXPECT_TRUE(built_in_matrix().matrix.find_gfx("gfx1033")->blocked);
}

TEST(CompatMatrix, SaysWhichCudnnLeftOldCards) {
  const auto rows = built_in_matrix().matrix.cudnn;
  const auto minimum = [&rows](const char* version) {
    const Version cudnn = Version::parse(version).value();
    for (const auto& row : rows) {
      if (cudnn >= row.from && (!row.before || cudnn < *row.before)) {
        return row.min_compute_capability.text();
      }
    }
    return std::string();
  };
  EXPECT_EQ(minimum("8.9.7"), "5.0");
  EXPECT_EQ(minimum("9.10.2.21"), "5.0");
  EXPECT_EQ(minimum("9.11.0"), "7.5");
  EXPECT_EQ(minimum("9.17.1.4"), "7.5");
}

TEST(CompatMatrix, NamesTheVariablesThatMatter) {
  std::set<std::string> names;
  for (const auto& row : built_in_matrix().matrix.variables) names.insert(row.name);
  for (const char* name :
       {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES",
        "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
        "HSA_OVERRIDE_GFX_VERSION", "CUDA_DEVICE_ORDER", "LD_LIBRARY_PATH",
        "PYTORCH_ENABLE_MPS_FALLBACK", "GPU_BACKEND", "USE_CUDA"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

}  // namespace
}  // namespace platform
