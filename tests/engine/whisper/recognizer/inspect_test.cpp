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
  static ModelDims dims(int n_vocab) {
    ModelDims dims = toy::dims();
    dims.n_audio_state = dims.n_text_state = head_dim;
    dims.n_audio_head = dims.n_text_head = 1;
    dims.n_vocab = n_vocab;
    return dims;
  }
  static std::string checkpoint(int n_vocab) {
    return toy::torch_zip_file(toy::tensors(dims(n_vocab)), dims(n_vocab));
  }
  // The same as a folder of Hugging Face, whose head is of the usual width.
  void write_hugging_face(int n_vocab, const char* generation_config) const {
    const auto tensors = toy::with_hugging_face_names(toy::tensors(dims(n_vocab)));
    write("model.safetensors", toy::safetensors_file(tensors));
    write("generation_config.json", generation_config);
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
  EXPECT_EQ(model->size.d_model, head_dim);
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
  EXPECT_EQ(WhisperFamily::inspect(folder_).error().code, Errc::refused_model);
  // As large-v3 has them, which hears other mel bins.
  write("model.pt", checkpoint(cantonese_vocabulary));
  EXPECT_EQ(WhisperFamily::inspect(folder_).error().code, Errc::refused_model);
}

TEST_F(InspectWhisper, RefusesHeadsOfAnotherWidth) {
  write("model.pt", toy::torch_zip_file(toy::tensors(), toy::dims()));
  const auto model = WhisperFamily::inspect(folder_);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, Errc::refused_model);
  EXPECT_NE(model.error().message.find("16 wide"), std::string::npos) << model.error().message;
}

// Its text and one added token, as transformers saves them (text/data/make_fixtures.py).
TEST_F(InspectWhisper, TakesTheTokensOfTheFoldersOwnTokenizer) {
  const fs::path own = fs::path(SCRIBED_SOURCE_DIR) / "tests/engine/whisper/text/data/added";
  fs::copy(own, folder_);
  const int n_vocab = 1785;
  const auto tensors = toy::with_hugging_face_names(toy::tensors(dims(n_vocab)));
  write("model.safetensors", toy::safetensors_file(tensors));
  const auto model = WhisperFamily::inspect(folder_);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE(model->has_vocabulary);
  EXPECT_EQ(model->languages, (std::vector<std::string>{"en", "de", "fr", "gsw"}));
  EXPECT_TRUE(WhisperFamily::vocabulary_files(folder_, true).empty()) << "it is for nobody else";
  EXPECT_EQ(WhisperFamily::files(folder_)->size(), 3U);
}

TEST_F(InspectWhisper, RefusesAModelWhoseTokenizerHasMoreTokens) {
  write_hugging_face(1700, "{}");
  fs::copy(fs::path(SCRIBED_SOURCE_DIR) / "tests/engine/whisper/text/data/added/tokenizer.json",
           folder_);
  const auto smaller = WhisperFamily::inspect(folder_);
  ASSERT_FALSE(smaller);
  EXPECT_EQ(smaller.error().code, Errc::refused_model);
  EXPECT_NE(smaller.error().message.find("has 1700 tokens"), std::string::npos)
      << smaller.error().message;
}

TEST_F(InspectWhisper, SaysThatAlignmentHeadsAreLeftOut) {
  write_hugging_face(english_vocabulary, R"({"alignment_heads": [[9, 9]]})");
  const auto model = WhisperFamily::inspect(folder_);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->notes.size(), 1U);
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
