#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <string>

#include "engine/whisper/constants.h"
#include "engine/whisper/recognizer/family.h"
#include "platform/matrix/matrix.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

// Returns what the server asks for: a model that is refused is none.
Result<Inspection> inspected(const fs::path& model) {
  auto found = WhisperFamily::examine(model);
  if (!found) return found.error();
  if (found->refusal) return *found->refusal;
  return found->model;
}

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
  const auto model = inspected(folder_ / "model.pt");
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
  const auto english = inspected(folder_);
  ASSERT_TRUE(english) << english.error().message;
  EXPECT_FALSE(english->multilingual);
  EXPECT_EQ(WhisperFamily::n_languages(english->dims), 1);
  EXPECT_EQ(WhisperFamily::n_languages({{"n_vocab", cantonese_vocabulary}}), 100);
}

TEST_F(InspectWhisper, RefusesAVocabularyThatIsNoWhispers) {
  write("model.pt", checkpoint(1000));
  EXPECT_EQ(inspected(folder_).error().code, Errc::refused_model);
  // As large-v3 has them, which hears other mel bins.
  write("model.pt", checkpoint(cantonese_vocabulary));
  EXPECT_EQ(inspected(folder_).error().code, Errc::refused_model);
}

TEST_F(InspectWhisper, RefusesHeadsOfAnotherWidth) {
  ModelDims wide = toy::dims();
  wide.n_audio_state = wide.n_text_state = 128;
  wide.n_audio_head = wide.n_text_head = 1;
  write("model.pt", toy::torch_zip_file(toy::tensors(wide), wide));
  const auto model = inspected(folder_);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, Errc::refused_model);
  EXPECT_NE(model.error().message.find("128 wide"), std::string::npos) << model.error().message;
}

TEST_F(InspectWhisper, CountsTheZerosOfNarrowHeadsAsMemoryAndNotAsParameters) {
  ModelDims dims = toy::dims();
  dims.n_vocab = multilingual_vocabulary;
  dims.n_audio_state = dims.n_text_state = 64;
  dims.n_audio_head = dims.n_text_head = 1;
  write("ordinary.pt", toy::torch_zip_file(toy::tensors(dims), dims));
  dims.n_audio_head = dims.n_text_head = 2;
  write("narrow.pt", toy::torch_zip_file(toy::tensors(dims), dims));
  const auto ordinary = inspected(folder_ / "ordinary.pt");
  const auto narrow = inspected(folder_ / "narrow.pt");
  ASSERT_TRUE(narrow) << narrow.error().message;
  EXPECT_EQ(narrow->size.parameters, ordinary->size.parameters);
  EXPECT_EQ(filled_up_weights(ordinary->size), 0);
  // Four matrices in each of two layers of the encoder, eight in one of the decoder.
  EXPECT_EQ(filled_up_weights(narrow->size), (2 * 4 + 8) * 64 * 64);
  EXPECT_EQ(keys_and_values(narrow->size, 10), 2 * keys_and_values(ordinary->size, 10));
}

// Its text and one added token, as transformers saves them (text/data/make_fixtures.py).
TEST_F(InspectWhisper, TakesTheTokensOfTheFoldersOwnTokenizer) {
  const fs::path own = fs::path(SCRIBED_SOURCE_DIR) / "tests/engine/whisper/text/data/added";
  fs::copy(own, folder_);
  const int n_vocab = 1785;
  const auto tensors = toy::with_hugging_face_names(toy::tensors(dims(n_vocab)));
  write("model.safetensors", toy::safetensors_file(tensors));
  const auto model = inspected(folder_);
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
  const auto smaller = inspected(folder_);
  ASSERT_FALSE(smaller);
  EXPECT_EQ(smaller.error().code, Errc::refused_model);
  EXPECT_NE(smaller.error().message.find("has 1700 tokens"), std::string::npos)
      << smaller.error().message;
}

TEST_F(InspectWhisper, SaysThatAlignmentHeadsAreLeftOut) {
  write_hugging_face(english_vocabulary, R"({"alignment_heads": [[9, 9]]})");
  const auto model = inspected(folder_);
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

TEST_F(InspectWhisper, TellsWriterPrecisionAndTokensOfAFolder) {
  fs::copy(fs::path(SCRIBED_SOURCE_DIR) / "tests/engine/whisper/text/data/added", folder_);
  const auto tensors = toy::with_hugging_face_names(toy::tensors(dims(1785)));
  write("model.safetensors", toy::safetensors_file(tensors));
  write("config.json", R"({"transformers_version": "4.46.0\u001b[2J"})");
  const auto model = inspected(folder_);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->writer, "transformers 4.46.0?[2J") << "fit to be shown";
  ASSERT_EQ(model->numbers.size(), 1U);
  std::int64_t all = 0;
  for (const auto& [name, tensor] : tensors) all += static_cast<std::int64_t>(tensor.values.size());
  EXPECT_EQ(model->numbers.at("f16"), all);
  EXPECT_EQ(model->tokens_from.front(), "tokenizer.json");
  EXPECT_EQ(model->dims.at("n_text_head"), 1);
  EXPECT_EQ(model->dims.at("n_audio_ctx"), dims(1785).n_audio_ctx);
}

TEST_F(InspectWhisper, TellsCandlesFilesByTheirNames) {
  const auto tensors = toy::with_hugging_face_names(toy::tensors(dims(english_vocabulary)));
  write("model.gguf", toy::gguf_file({}, tensors));
  const auto model = inspected(folder_);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->format, "GGUF");
  EXPECT_EQ(model->writer, "candle");
}

TEST_F(InspectWhisper, TellsWhereTheAlignmentHeadsAreFrom) {
  const auto heads_with = [this](const char* generation_config) {
    write_hugging_face(english_vocabulary, generation_config);
    return inspected(folder_).value().alignment_heads;
  };
  const AlignmentHeads stated = heads_with(R"({"alignment_heads": [[0, 0]]})");
  EXPECT_EQ(stated.source, AlignmentHeads::Source::model);
  EXPECT_EQ(stated.count, 1);
  const AlignmentHeads others = heads_with(R"({"alignment_heads": [[9, 9]]})");
  EXPECT_EQ(others.source, AlignmentHeads::Source::architecture);
  EXPECT_TRUE(others.left_out);
  EXPECT_FALSE(heads_with("{}").left_out);
}

TEST_F(InspectWhisper, ChecksTheTokensWithAVocabularyThatIsLent) {
  write("model.pt", checkpoint(1785));
  const fs::path lent = fs::path(SCRIBED_SOURCE_DIR) / "tests/engine/whisper/text/data/added";
  const auto found = WhisperFamily::examine(folder_, lent);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_FALSE(found->refusal) << found->refusal->message;
  EXPECT_TRUE(found->model.has_vocabulary);
  write("model.pt", checkpoint(1700));
  const auto smaller = WhisperFamily::examine(folder_, lent);
  ASSERT_TRUE(smaller && smaller->refusal);
  EXPECT_NE(smaller->refusal->message.find("has 1700 tokens"), std::string::npos);
}

TEST_F(InspectWhisper, SaysWhyFilesOfAFolderAreLeftOut) {
  write_hugging_face(english_vocabulary, "{}");
  write("model.fp16.safetensors", "x");
  write("optimizer.pt", "x");
  write("model-00001-of-00002.safetensors", "x");
  write("notes.txt", "x");
  fs::create_directories(folder_ / "checkpoint-500");
  std::map<std::string, std::string> why;
  for (const auto& file : WhisperFamily::left_out(folder_)) why[file.name] = file.why;
  EXPECT_EQ(
      why, (std::map<std::string, std::string>{
               {"checkpoint-500", "a folder; check it by its own path"},
               {"model-00001-of-00002.safetensors", "a part of another copy of the model"},
               {"model.fp16.safetensors", "another copy of the model; model.safetensors is better"},
               {"notes.txt", "not needed"},
               {"optimizer.pt", "a state of the training"}}));
  EXPECT_TRUE(WhisperFamily::left_out(folder_ / "model.safetensors").empty());
}

struct WriterCase {
  const char* file;
  const char* format;
  const char* writer;
  const char* numbers;  // a type that its tensors have
};

// Files of the real writers, whose heads are too narrow to run: the facts come with the refusal.
TEST(FilesOfRealWriters, AreDescribedAlthoughTheirHeadsAreRefused) {
  constexpr WriterCase cases[] = {
      {"toy.pt", "PyTorch", "openai/whisper", "f16"},
      {"toy-legacy.pt", "PyTorch (legacy)", "openai/whisper", "f16"},
      {"transcribe.gguf", "GGUF", "transcribe.cpp", "f16"},
      {"toy-int8.bin", "CTranslate2", "CTranslate2, binary version 6", "i8"},
      {"toy-int16.bin", "CTranslate2", "CTranslate2, binary version 6", "i16"},
      {"mlx-npz", "MLX", "", "f16"},
      {"mlx-quantized", "MLX", "", "u4"},
  };
  const fs::path data = fs::path(SCRIBED_SOURCE_DIR) / "tests/engine/whisper/weights/data";
  for (const auto& [file, format, writer, numbers] : cases) {
    const auto found = WhisperFamily::examine(data / file);
    ASSERT_TRUE(found) << file << ": " << found.error().message;
    EXPECT_EQ(found->model.format, format) << file;
    EXPECT_EQ(found->model.writer, writer) << file;
    EXPECT_TRUE(found->model.numbers.contains(numbers)) << file;
    EXPECT_GT(found->model.size.parameters, 0) << file;
    EXPECT_TRUE(found->refusal) << file;
  }
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
