#include "server/models/model_report.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/whisper/constants.h"
#include "server/models/import.h"
#include "tests/engine/whisper/weights/toy_model.h"
#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

namespace fs = std::filesystem;

const fs::path sources = SCRIBED_SOURCE_DIR;
const fs::path of_writers = sources / "tests/engine/whisper/weights/data";
const fs::path added_tokens = sources / "tests/engine/whisper/text/data/added";
constexpr int n_added_vocab = 1785;  // of the tokenizer there

engine::ModelDims runnable_dims(int n_vocab) {
  engine::ModelDims dims = toy::dims();
  dims.n_audio_state = dims.n_text_state = engine::head_dim;
  dims.n_audio_head = dims.n_text_head = 1;
  dims.n_vocab = n_vocab;
  return dims;
}

class ModelReports : public ::testing::Test {
 protected:
  // A folder as transformers saves it, with a tokenizer of its own.
  fs::path hugging_face(const std::string& name) const {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path);
    fs::copy(added_tokens, path);
    const auto tensors = toy::tensors(runnable_dims(n_added_vocab));
    testing::write(path / "model.safetensors",
                   toy::safetensors_file(toy::with_hugging_face_names(tensors)));
    return path;
  }
  fs::path checkpoint(const std::string& name, int n_vocab) const {
    const auto dims = runnable_dims(n_vocab);
    testing::write(folder_.path() / name, toy::torch_zip_file(toy::tensors(dims), dims));
    return folder_.path() / name;
  }

  testing::TemporaryStore here_;
  testing::TemporaryFolder folder_;
};

// Each is checked and then imported: the answers are the same to the letter.
TEST_F(ModelReports, RefuseWhatAnImportRefusesInTheSameWords) {
  std::vector<fs::path> paths{hugging_face("mine"), checkpoint("bare.pt", 51865),
                              checkpoint("odd.pt", 1000), folder_.path() / "nothing"};
  for (const auto& entry : fs::directory_iterator(of_writers)) paths.push_back(entry.path());
  testing::write(folder_.path() / "page.pt", "<html>404</html>");
  paths.push_back(folder_.path() / "page.pt");
  fs::create_directories(folder_.path() / "onnx");
  testing::write(folder_.path() / "onnx" / "model.onnx", "x");
  paths.push_back(folder_.path() / "onnx");
  int imported = 0;
  for (const auto& path : paths) {
    const ModelReport report = check_model(here_.store(), path, {});
    const auto manifest = import_model(here_.store(), path, {}, {});
    ASSERT_EQ(!report.plan.refusal, bool(manifest)) << path;
    imported += manifest ? 1 : 0;
    if (manifest) {
      EXPECT_EQ(manifest->name, report.plan.name);
      EXPECT_EQ(manifest->total_size(), report.bytes);
      continue;
    }
    EXPECT_EQ(report.plan.refusal->code, manifest.error().code) << path;
    EXPECT_EQ(report.plan.refusal->message, manifest.error().message) << path;
    EXPECT_EQ(report.plan.refusal->fix, manifest.error().fix) << path;
  }
  EXPECT_EQ(imported, 1);
}

TEST_F(ModelReports, WriteNothing) {
  const auto path = hugging_face("mine");
  check_model(here_.store(), path, {});
  EXPECT_FALSE(fs::exists(here_.root()));
}

TEST_F(ModelReports, SayThatTheNameIsTakenAndStillDescribeTheModel) {
  const auto path = hugging_face("mine");
  ASSERT_TRUE(import_model(here_.store(), path, {}, {}));
  const ModelReport report = check_model(here_.store(), path, {});
  ASSERT_TRUE(report.plan.refusal);
  EXPECT_EQ(report.plan.refusal->code, StoreErrc::already_installed);
  EXPECT_TRUE(report.plan.model);
  EXPECT_FALSE(check_model(here_.store(), path, {.name = "other"}).plan.refusal);
  EXPECT_FALSE(check_model(here_.store(), path, {.replace = true}).plan.refusal);
}

TEST_F(ModelReports, DescribeAnInstalledModelByItsName) {
  ASSERT_TRUE(import_model(here_.store(), hugging_face("mine"), {}, {}));
  const auto report = check_installed(here_.store(), "mine");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->plan.refusal) << report->plan.refusal->message;
  EXPECT_EQ(report->plan.model->dims.at("n_vocab"), n_added_vocab);
  EXPECT_EQ(check_installed(here_.store(), "other").error().code, StoreErrc::unknown_model);
}

TEST_F(ModelReports, EstimateLessMemoryForNarrowerTypes) {
  const ModelReport report = check_model(here_.store(), hugging_face("mine"), {});
  std::map<std::string, std::int64_t> memory;
  for (const auto& row : report.memory) memory[row.device + " " + row.compute_type] = row.bytes;
  ASSERT_EQ(memory.size(), 7U);
  EXPECT_GT(memory["cpu float32"], memory["cpu bfloat16"]);
  EXPECT_GT(memory["cpu bfloat16"], memory["cpu int8"]);
  EXPECT_GT(memory["gpu float32"], memory["gpu bfloat16"]);
  EXPECT_EQ(memory["gpu float16"], memory["gpu bfloat16"]);
  EXPECT_GT(memory["gpu bfloat16"], memory["gpu int8"]);
  EXPECT_GT(memory["gpu int8"], memory["cpu float32"]);
}

TEST_F(ModelReports, HaveTheSameKeysWhateverIsFound) {
  const auto keys_of = [](const nlohmann::ordered_json& json) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.push_back(key);
    return keys;
  };
  const auto whole = report_json(check_model(here_.store(), hugging_face("mine"), {}));
  const auto none = report_json(check_model(here_.store(), folder_.path() / "nothing", {}));
  EXPECT_EQ(keys_of(whole), keys_of(none));
  EXPECT_EQ(whole["usable"], true);
  EXPECT_EQ(whole["model"]["format"], "safetensors");
  EXPECT_EQ(whole["files"].size(), 3U);
  EXPECT_EQ(none["usable"], false);
  EXPECT_EQ(none["refusal"]["code"], "unknown_model");
  EXPECT_TRUE(none["model"].is_null());
}

}  // namespace
}  // namespace server
