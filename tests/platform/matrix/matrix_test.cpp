#include "platform/matrix/matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace platform {
namespace {

using nlohmann::json;

// Returns a whole document with one row in one table.
json document_with(const std::string& table, const json& row) {
  json document = {{"schema_version", 1},
                   {"date", "2026-11-21"},
                   {"memory", {{"overhead_mib", 100}, {"factor", 1.5}}}};
  for (const char* name :
       {"torch", "driver_floors", "toolkits", "driver_rules", "cubins", "cudnn", "precision", "gfx",
        "mps", "models", "tested", "cards", "findings", "status_codes", "variables"}) {
    document[name] = json::array();
  }
  document[table].push_back(row);
  return document;
}

LoadedMatrix parse(const json& document) {
  auto loaded = parse_matrix(document.dump());
  EXPECT_TRUE(loaded);
  return loaded ? *loaded : LoadedMatrix{};
}

TEST(ParseMatrix, RefusesWhatIsNoDocument) {
  for (const char* text : {"", "{", "[]", "3", "null", "\"text\"", "\xff\xfe", "{}garbage"}) {
    const auto loaded = parse_matrix(text);
    ASSERT_FALSE(loaded) << text;
    EXPECT_EQ(loaded.error().message, "The compatibility matrix is not a JSON object") << text;
  }
}

TEST(ParseMatrix, RefusesAnotherSchema) {
  for (const char* text : {"{}", R"({"schema_version":2})", R"({"schema_version":"1"})",
                           R"({"schema_version":null})", R"({"schema_version":[1]})"}) {
    const auto loaded = parse_matrix(text);
    ASSERT_FALSE(loaded) << text;
    EXPECT_NE(loaded.error().message.find("schema_version"), std::string::npos) << text;
  }
}

TEST(ParseMatrix, NamesEachBadRowAndKeepsTheOthers) {
  json document = document_with("variables", {{"name", "A"}, {"effect", "one"}});
  document["variables"].push_back({{"name", "B"}});
  document["variables"].push_back("C");
  document["variables"].push_back({{"name", "D"}, {"effect", "two"}});
  const LoadedMatrix loaded = parse(document);
  const std::vector<std::string> problems{
      "variables[1]: effect is missing; the row is ignored",
      "variables[2]: the row is not an object; the row is ignored"};
  EXPECT_EQ(loaded.problems, problems);
  ASSERT_EQ(loaded.matrix.variables.size(), 2u);
  EXPECT_EQ(loaded.matrix.variables[1].name, "D");
}

TEST(ParseMatrix, RefusesRowsThatContradictThemselves) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"torch", R"({"torch":"2.11","variant":"cu130","evidence":"x"})",
       "variant and the versions of CUDA and ROCm disagree"},
      {"torch", R"({"torch":"2.11","variant":"cpu","cuda":"13.0","evidence":"x"})",
       "variant and the versions of CUDA and ROCm disagree"},
      {"torch", R"({"torch":"2.11","variant":"rocm7.2","rocm":"7.2","gfx":["906"],"evidence":"x"})",
       "gfx holds something that is no gfx name"},
      {"torch", R"({"torch":"2.11","variant":"cu130","cuda":"13.0","arch":"7.5","evidence":"x"})",
       "arch is not a list"},
      {"torch", R"({"torch":"two","variant":"cpu","evidence":"x"})", "torch is not a version: two"},
      {"torch", R"({"torch":"2.11","variant":"cpu"})", "evidence is missing"},
      {"driver_floors", R"({"cuda_major":0,"linux":"580"})", "cuda_major is out of range"},
      {"toolkits", R"({"cuda":"13.0"})", "linux is missing"},
      {"driver_rules", R"({"from":"12.0","to":"10.0","min_driver_major":570})", "to is below from"},
      {"cubins", R"({"built_for":"87"})", "built_for is not a compute capability: 87"},
      {"cudnn", R"({"from":"9.11","before":"9.0","min_compute_capability":"7.5"})",
       "before is not above from"},
      {"precision", R"({"from":"7.5","float16":"quick","bfloat16":"no"})",
       "float16 is none of the known words: quick"},
      {"gfx", R"({"gfx":"1030","family":"RDNA2"})", "gfx is no gfx name: 1030"},
      {"gfx", R"({"gfx":"gfx1030","family":"RDNA2","hsa_override":"1.0","harmful_override":"1.0"})",
       "hsa_override is the harmful one"},
      {"mps", R"({"torch_from":"2.9","torch_to":"2.5","min_macos":"14"})",
       "torch_to is below torch_from"},
      {"models",
       R"({"name":"m","parameters":1,"d_model":1,"heads":1,"encoder_layers":1,"decoder_layers":0})",
       "decoder_layers is out of range"},
      {"models",
       R"({"name":"m","parameters":1,"d_model":1,"heads":1,"encoder_layers":1,"decoder_layers":1,
           "encoder_positions":1,"decoder_positions":1,"vocabulary":1,"minimum_gb":4})",
       "minimum_gb and recommended_gb go together"},
      {"tested", R"({"torch":"2.2.0","variant":"cu118","status":"fine"})",
       "status is none of the known words: fine"},
      {"cards", R"({"vendor":"10de","device":"2503","name":"x"})", "compute_capability is missing"},
      {"cards", R"({"vendor":"1002","device":"73df","name":"x"})", "gfx is missing"},
      {"status_codes", R"({"library":"metal","code":1,"name":"x","finding":"Y"})",
       "library is none of the known words: metal"},
      {"findings", R"({"code":"a b","vendor":"any","headline":"h","meaning":"m"})",
       "code holds more than A to Z, 0 to 9 and _"},
      {"findings", R"({"code":"A","vendor":"any","headline":"{car}","meaning":"m"})",
       "headline has an unknown placeholder"},
      {"findings", R"({"code":"A","vendor":"any","headline":"card}","meaning":"m"})",
       "headline has an unknown placeholder"},
      {"findings", R"({"code":"A","vendor":"any","headline":"a [b","meaning":"m"})",
       "headline has a bracket without its pair"},
      {"findings", R"({"code":"A","vendor":"any","headline":"h","meaning":"m","fix":["{x}"]})",
       "fix has an unknown placeholder"},
      {"findings", R"({"code":"A","vendor":"any","headline":"h","meaning":"m","match":["x"]})",
       "match holds something that is no list of texts"},
  };
  for (const auto& [table, row, fault] : cases) {
    const LoadedMatrix loaded = parse(document_with(table, json::parse(row)));
    const std::vector<std::string> problems{std::string(table) + "[0]: " + fault +
                                            "; the row is ignored"};
    EXPECT_EQ(loaded.problems, problems) << row;
  }
}

TEST(ParseMatrix, NamesTablesThatAreMissingOrUnknown) {
  json document = document_with("torch", json::parse(R"({"torch":"2.11","variant":"cpu",
                                                         "evidence":"measured"})"));
  document.erase("cards");
  document["models"] = 3;
  document["model"] = json::array();
  document.erase("date");
  document["memory"]["factor"] = 0.5;
  const LoadedMatrix loaded = parse(document);
  const std::vector<std::string> problems{
      "date is missing", "memory: factor is out of range; the usual rules are used",
      "models: the table is missing or not a list", "cards: the table is missing or not a list",
      "model: unknown, and ignored"};
  EXPECT_EQ(loaded.problems, problems);
  EXPECT_EQ(loaded.matrix.memory.factor, MemoryRules{}.factor);
  EXPECT_EQ(loaded.matrix.torch.size(), 1u);
}

TEST(ParseMatrix, ReadsTheMemoryRules) {
  const Matrix matrix = parse(document_with("variables", {{"name", "A"}, {"effect", "b"}})).matrix;
  EXPECT_EQ(matrix.memory.overhead_mib, 100);
  EXPECT_EQ(matrix.memory.factor, 1.5);
}

TEST(ParseMatrix, LeavesNoFindingWithoutWords) {
  const Matrix matrix =
      parse(document_with("findings", json::parse(R"({"code":"NO_GPU","vendor":"any",
        "headline":"Own words","meaning":"Own meaning."})")))
          .matrix;
  EXPECT_EQ(matrix.find_finding("NO_GPU")->headline, "Own words");
  const Matrix built_in = built_in_matrix().matrix;
  EXPECT_EQ(matrix.findings.size(), built_in.findings.size());
  ASSERT_TRUE(matrix.find_finding("CUDA_NO_DRIVER"));
  EXPECT_EQ(matrix.find_finding("CUDA_NO_DRIVER")->headline,
            built_in.find_finding("CUDA_NO_DRIVER")->headline);
}

TEST(LoadMatrix, SaysWhichFileCannotBeRead) {
  const auto missing = load_matrix("/nowhere/matrix.json");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "The compatibility matrix /nowhere/matrix.json is empty or cannot be read");
  EXPECT_FALSE(load_matrix("/"));
}

TEST(LoadMatrix, ReadsAFile) {
  const auto file = std::filesystem::path(testing::TempDir()) / "scribed-matrix-test.json";
  std::ofstream(file) << document_with("variables", {{"name", "ONLY"}, {"effect", "b"}});
  const auto loaded = load_matrix(file);
  std::filesystem::remove(file);
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->matrix.variables.size(), 1u);
  EXPECT_EQ(loaded->matrix.variables.front().name, "ONLY");
}

}  // namespace
}  // namespace platform
