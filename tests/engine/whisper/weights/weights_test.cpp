#include "engine/whisper/weights/weights.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/engine/whisper/weights/toy_model.h"

namespace {

namespace fs = std::filesystem;
using engine::Errc;
using engine::WeightFormat;

class ReadWeights : public testing::Test {
 protected:
  ReadWeights() {
    std::string pattern = (fs::temp_directory_path() / "scribed-weights-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ReadWeights() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& content) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }

  static engine::Error error_of(const fs::path& path) {
    auto result = engine::read_weights(path);
    return result ? engine::Error{Errc::internal, "was read", ""} : result.error();
  }

  static void expect_toy(const fs::path& path, WeightFormat format) {
    const auto weights = engine::read_weights(path);
    ASSERT_TRUE(weights) << weights.error().message;
    EXPECT_EQ(weights->format(), format);
    EXPECT_EQ(weights->dims(), toy::dims());
    toy::expect_same(weights->tensors(), toy::tensors());
  }

  fs::path folder_;
};

const char* const config = R"({"encoder_attention_heads": 2, "decoder_attention_heads": 2})";

TEST_F(ReadWeights, GivesTheSameTensorsFromEveryFormat) {
  const auto toy_tensors = toy::tensors();
  const auto renamed = toy::with_hugging_face_names(toy_tensors);
  expect_toy(write("ct2", toy::ctranslate2_file(toy::ctranslate2_variables(toy_tensors))),
             WeightFormat::ctranslate2);
  expect_toy(write("ggml", toy::ggml_file(toy_tensors)), WeightFormat::ggml);
  expect_toy(write("zip", toy::torch_zip_file(toy_tensors)), WeightFormat::torch_zip);
  expect_toy(write("legacy", toy::torch_legacy_file(toy_tensors)), WeightFormat::torch_legacy);
  write("config.json", config);
  expect_toy(write("safetensors", toy::safetensors_file(renamed)), WeightFormat::safetensors);
}

TEST_F(ReadWeights, JoinsTheShardsThatAnIndexNames) {
  const auto renamed = toy::with_hugging_face_names(toy::tensors());
  toy::Tensors parts[2];
  for (const auto& [name, tensor] : renamed) parts[name.size() % 2][name] = tensor;
  write("one.safetensors", toy::safetensors_file(parts[0]));
  write("two.safetensors", toy::safetensors_file(parts[1]));
  write("config.json", config);
  write("model.safetensors.index.json",
        R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  expect_toy(folder_, WeightFormat::safetensors);

  parts[1].insert(*parts[0].begin());
  write("two.safetensors", toy::safetensors_file(parts[1]));
  EXPECT_NE(error_of(folder_).message.find("appears twice"), std::string::npos);
  fs::remove(folder_ / "two.safetensors");
  EXPECT_EQ(error_of(folder_).code, Errc::not_found);
}

TEST_F(ReadWeights, TakesAlignmentHeadsFromTheConfigBeside) {
  write("model.bin", toy::ctranslate2_file(toy::ctranslate2_variables(toy::tensors())));
  EXPECT_FALSE(engine::read_weights(folder_)->alignment_heads());
  write("config.json", R"({"alignment_heads": [[0, 1], [0, 0]]})");
  const auto weights = engine::read_weights(folder_);
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(weights->alignment_heads(), (std::vector<std::pair<int, int>>{{0, 1}, {0, 0}}));
}

TEST_F(ReadWeights, LeavesOutAlignmentHeadsOfAnotherModel) {
  write("model.bin", toy::ctranslate2_file(toy::ctranslate2_variables(toy::tensors())));
  for (const char* text :
       {R"({"alignment_heads": [[0, 1], [1, 0]]})", R"({"alignment_heads": [[0, 2]]})"}) {
    write("config.json", text);
    const auto weights = engine::read_weights(folder_);
    ASSERT_TRUE(weights) << weights.error().message;
    EXPECT_FALSE(weights->alignment_heads());
    ASSERT_EQ(weights->notes().size(), 1U);
    EXPECT_NE(weights->notes()[0].find("1 layers of 2 heads"), std::string::npos)
        << weights->notes()[0];
  }
}

TEST_F(ReadWeights, RefusesAConfigThatMakesNoSense) {
  write("model.bin", toy::ctranslate2_file(toy::ctranslate2_variables(toy::tensors())));
  for (const char* text : {"[]", "{", R"({"alignment_heads": 1})", R"({"alignment_heads": [[1]]})",
                           R"({"alignment_heads": [[0, -1]]})"}) {
    write("config.json", text);
    EXPECT_EQ(error_of(folder_).code, Errc::damaged_model) << text;
  }
}

TEST_F(ReadWeights, KeepsTheTokensOfAGgmlFile) {
  const auto weights = engine::read_weights(write("m.bin", toy::ggml_file(toy::tensors())));
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->token_bytes(), (std::vector<std::string>{"a", "\xc3\xa9\n"}));
}

TEST_F(ReadWeights, OutlivesAMoveOfWeights) {
  auto weights = engine::read_weights(write("m.bin", toy::ggml_file(toy::tensors())));
  ASSERT_TRUE(weights);
  const engine::Weights moved = std::move(*weights);
  toy::expect_same(moved.tensors(), toy::tensors());
}

TEST_F(ReadWeights, ComparesTheHeaderWithTheTensors) {
  auto dims = toy::dims();
  dims.n_text_ctx = 448;
  const auto path = write("m.pt", toy::torch_zip_file(toy::tensors(), dims));
  EXPECT_EQ(
      error_of(path).message,
      "[weights] n_text_ctx: the header says 448, the tensors have 5 (" + path.string() + ")");
}

TEST_F(ReadWeights, SaysWhatIsWrongWithAFileThatIsNoModel) {
  struct Case {
    std::string content;
    Errc code;
    const char* message;
  };
  const Case cases[]{
      {"", Errc::damaged_model, "the file is empty"},
      {"x", Errc::unknown_format, "not a known kind of model"},
      {std::string(4096, '\0'), Errc::unknown_format, "not a known kind of model"},
      {"version https://git-lfs.github.com/spec/v1\n", Errc::unknown_format, "Git LFS pointer"},
      {"GGUF\x03", Errc::damaged_model, "GGUF: truncated"},
      {"<!DOCTYPE html>", Errc::unknown_format, "a web page"},
      {"PK\x03\x04", Errc::damaged_model, "zip: truncated"},
      {"lmgg", Errc::damaged_model, "ggml: truncated"},
      {"{}", Errc::damaged_model, "has no weight_map"},
      {"\x80\x02\x8a\x0a", Errc::damaged_model, "checkpoint: truncated"},
      {std::string("\x80\x04\x95\x0a", 4), Errc::unknown_format, "not a known kind of model"}};
  for (const Case& c : cases) {
    const auto error = error_of(write("model", c.content));
    EXPECT_EQ(error.code, c.code) << c.message;
    EXPECT_NE(error.message.find(c.message), std::string::npos) << error.message;
    EXPECT_NE(error.message.find(folder_.string()), std::string::npos) << error.message;
    EXPECT_NE(error.fix, "") << c.message;
  }
}

TEST_F(ReadWeights, SaysWhatIsWrongWithAPathThatIsNoModel) {
  EXPECT_EQ(error_of(folder_ / "nothing").code, Errc::not_found);
  EXPECT_EQ(error_of(folder_).code, Errc::not_found);
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of(folder_ / "pipe").code, Errc::unreadable);
}

TEST_F(ReadWeights, TakesTheOnlyModelOfAFolderAndAsksWhereThereAreTwo) {
  write("small.pt", toy::torch_zip_file(toy::tensors()));
  write("notes.txt", "hello");
  expect_toy(folder_, WeightFormat::torch_zip);
  write("other.bin", "hello");
  const auto error = error_of(folder_);
  EXPECT_EQ(error.code, Errc::unknown_format);
  EXPECT_NE(error.message.find("other.bin, small.pt"), std::string::npos);
}

}  // namespace
