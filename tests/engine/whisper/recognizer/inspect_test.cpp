#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "engine/whisper/constants.h"
#include "engine/whisper/recognizer/family.h"
#include "platform/matrix/matrix.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

class InspectWhisper : public testing::Test {
 protected:
  InspectWhisper() { fs::create_directories(folder_); }
  ~InspectWhisper() override { fs::remove_all(folder_); }

  void write(const char* name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  // The toy model with a vocabulary of a real one's size, as a checkpoint without its tokens.
  static std::string checkpoint(int n_vocab) {
    ModelDims dims = toy::dims();
    dims.n_vocab = n_vocab;
    return toy::torch_zip_file(toy::tensors(dims), dims);
  }

  fs::path folder_ = fs::temp_directory_path() / ("scribed_inspect_" + std::to_string(::getpid()));
};

TEST_F(InspectWhisper, TellsSizesLanguagesAndThatTheVocabularyIsMissing) {
  write("model.pt", checkpoint(multilingual_vocabulary));
  const auto model = WhisperFamily::inspect(folder_ / "model.pt");
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->family, "whisper");
  EXPECT_EQ(model->format, "PyTorch");
  EXPECT_EQ(model->dims.at("n_vocab"), multilingual_vocabulary);
  EXPECT_EQ(model->size.vocabulary, multilingual_vocabulary);
  EXPECT_EQ(model->size.d_model, toy::dims().n_audio_state);
  EXPECT_EQ(model->size.decoder_layers, toy::dims().n_text_layer);
  EXPECT_TRUE(model->multilingual);
  EXPECT_FALSE(model->has_vocabulary);
  EXPECT_EQ(WhisperFamily::n_languages(model->dims), 99);
}

TEST_F(InspectWhisper, KnowsEnglishModelsAndLaterOnesByTheirVocabulary) {
  write("model.pt", checkpoint(english_vocabulary));
  const auto english = WhisperFamily::inspect(folder_);
  ASSERT_TRUE(english) << english.error().message;
  EXPECT_FALSE(english->multilingual);
  EXPECT_EQ(WhisperFamily::n_languages(english->dims), 1);
  EXPECT_EQ(WhisperFamily::n_languages({{"n_vocab", cantonese_vocabulary}}), 100);
}

TEST_F(InspectWhisper, RefusesAVocabularyThatIsNoWhispers) {
  write("model.pt", checkpoint(1000));
  EXPECT_EQ(WhisperFamily::inspect(folder_).error().code, Errc::damaged_model);
}

TEST_F(InspectWhisper, NamesTheFilesOfTheModelAndNoOthers) {
  write("model.safetensors", toy::safetensors_file(toy::with_hugging_face_names(toy::tensors())));
  write("config.json", R"({"encoder_attention_heads":2,"decoder_attention_heads":2})");
  write("notes.txt", "no part of it");
  const auto files = WhisperFamily::files(folder_);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(*files,
            (std::vector<fs::path>{folder_ / "model.safetensors", folder_ / "config.json"}));
  EXPECT_EQ(WhisperFamily::files(folder_ / "missing").error().code, Errc::not_found);
}

// The matrix says of models what their files would.
TEST(ModelSizesOfTheMatrix, HaveWhispersPositions) {
  for (const auto& model : platform::built_in_matrix().matrix.models) {
    EXPECT_EQ(model.size.encoder_positions, audio_positions) << model.name;
    EXPECT_EQ(model.size.decoder_positions, text_positions) << model.name;
    const int expected =
        model.name.find("v3") == std::string::npos ? multilingual_vocabulary : cantonese_vocabulary;
    EXPECT_EQ(model.size.vocabulary, expected) << model.name;
  }
}

}  // namespace
}  // namespace engine
