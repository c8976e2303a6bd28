#include "engine/whisper/weights/folder.h"

#include <vector>

#include "engine/whisper/weights/weights.h"
#include "tests/engine/whisper/weights/model_folder.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

namespace fs = std::filesystem;
using engine::Errc;
using Names = std::vector<std::string>;

class ChooseInFolder : public toy::ModelFolder {
 protected:
  // Returns the name of the file that is chosen among these, the passed over ones behind it.
  Names chosen(const Names& files) const {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    for (const std::string& file : files) write(file);
    const auto choice = engine::model_file_in(folder_);
    Names result{choice.file.filename().string()};
    result.insert(result.end(), choice.passed_over.begin(), choice.passed_over.end());
    return result;
  }

  engine::Error refusal_of(const Names& files) const {
    return toy::error_of([&] { chosen(files); });
  }
};

TEST_F(ChooseInFolder, PassesOverWhatATrainingLeaves) {
  for (const std::string model :
       {"model.safetensors", "pytorch_model.bin", "model.bin", "mine.pt"}) {
    EXPECT_EQ(chosen({"training_args.bin", "optimizer.pt", "optimizer.bin", "scheduler.pt",
                      "rng_state.pth", "rng_state_0.pth", "scaler.pt", "random_states_0.pkl",
                      "trainer_state.json", "checkpoint-500/model.safetensors", model}),
              Names{model});
  }
}

TEST_F(ChooseInFolder, TakesTheBestAndTellsTheOthers) {
  EXPECT_EQ(chosen({"model.bin", "pytorch_model.bin", "model.safetensors"}),
            (Names{"model.safetensors", "pytorch_model.bin", "model.bin"}));
  EXPECT_EQ(chosen({"model.bin", "model.fp16.safetensors", "model.fp32.safetensors"}),
            (Names{"model.fp32.safetensors", "model.fp16.safetensors", "model.bin"}));
  EXPECT_EQ(chosen({"ggml-model.bin", "model.bin"}), (Names{"model.bin", "ggml-model.bin"}));
  EXPECT_EQ(chosen({"adapter_model.safetensors", "pytorch_model.bin"}),
            (Names{"pytorch_model.bin", "adapter_model.safetensors"}));
}

TEST_F(ChooseInFolder, TakesTheIndexOfPartsAndNotAPart) {
  for (const std::string ending : {"safetensors", "bin"}) {
    const std::string start = ending == "bin" ? "pytorch_model" : "model";
    const std::string index = start + "." + ending + ".index.json";
    const std::string variant = start + "." + ending + ".index.fp16.json";
    const std::string first = start + "-00001-of-00002." + ending;
    const std::string second = start + "-00002-of-00002." + ending;
    EXPECT_EQ(chosen({first, second, index}), Names{index});
    EXPECT_EQ(chosen({first, second, variant}), Names{variant});
    const auto error = refusal_of({first, second});
    EXPECT_EQ(error.code, Errc::refused_model);
    EXPECT_NE(error.message.find("parts of a model (" + first + ")"), std::string::npos)
        << error.message;
  }
  EXPECT_EQ(chosen({"model-00001-of-00001.safetensors"}),
            Names{"model-00001-of-00001.safetensors"});
  EXPECT_EQ(chosen({"model.safetensors.index.json", "model.safetensors"}),
            Names{"model.safetensors"});
}

TEST_F(ChooseInFolder, TakesAnAdapterWhereThereIsNothingElse) {
  EXPECT_EQ(chosen({"adapter_config.json", "adapter_model.bin"}), Names{"adapter_model.bin"});
}

TEST_F(ChooseInFolder, SaysWhatElseThereIs) {
  struct Case {
    Names files;
    const char* message;
    const char* fix;
  };
  const Case cases[]{
      {{"encoder_model.onnx", "config.json"},
       "encoder_model.onnx is a model exported to ONNX",
       "use the model that it was made from"},
      {{"openvino_encoder_model.xml", "openvino_encoder_model.bin", "openvino_decoder_model.xml",
        "openvino_decoder_model.bin"},
       "a model of OpenVINO (openvino_decoder_model.xml)",
       "use the model that it was made from"},
      {{"tf_model.h5"}, "a model of TensorFlow", "transformers 4"},
      {{"flax_model.msgpack"}, "a model of Flax", "transformers 4"},
      {{"AudioEncoder.mlmodelc/weights/weight.bin"}, "Core ML", "cannot be turned back"},
      {{"checkpoint-500/model.safetensors", "checkpoint-1000/model.safetensors"},
       "checkpoints of a training and no final model",
       "checkpoint-1000."}};
  for (const Case& c : cases) {
    const auto error = refusal_of(c.files);
    EXPECT_EQ(error.code, Errc::refused_model) << c.message;
    EXPECT_NE(error.message.find(c.message), std::string::npos) << error.message;
    EXPECT_NE(error.fix.find(c.fix), std::string::npos) << error.fix;
  }
  EXPECT_EQ(refusal_of({"notes.txt"}).code, Errc::not_found);
}

class ReadFolder : public toy::ModelFolder {};

const char* const read_folder_config =
    R"({"encoder_attention_heads": 2, "decoder_attention_heads": 2})";

TEST_F(ReadFolder, NotesWhichModelWasTaken) {
  write("config.json", read_folder_config);
  write("model.safetensors", toy::safetensors_file(toy::with_hugging_face_names(toy::tensors())));
  EXPECT_TRUE(engine::read_weights(folder_)->notes().empty());
  write("model.bin", toy::ctranslate2_file(toy::ctranslate2_variables(toy::tensors())));
  EXPECT_EQ(engine::read_weights(folder_)->notes(),
            Names{"Of several models in the folder, model.safetensors is taken, and not "
                  "model.bin."});
}

TEST_F(ReadFolder, JoinsPartsOfPyTorchAndReadsTheConfigBesideThem) {
  const auto renamed = toy::with_hugging_face_names(toy::tensors());
  toy::Tensors parts[2];
  for (const auto& [name, tensor] : renamed) parts[name.size() % 2][name] = tensor;
  const auto part = write("pytorch_model-00001-of-00002.bin", toy::torch_table_file(parts[0]));
  write("pytorch_model-00002-of-00002.bin", toy::torch_table_file(parts[1]));
  write("config.json", R"({"encoder_attention_heads": 2, "decoder_attention_heads": 2,
                           "alignment_heads": [[0, 1]]})");
  write("pytorch_model.bin.index.json", R"({"weight_map": {
      "a": "pytorch_model-00001-of-00002.bin", "b": "pytorch_model-00002-of-00002.bin"}})");
  const auto weights = engine::read_weights(folder_);
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(weights->format(), engine::WeightFormat::torch_zip);
  EXPECT_EQ(weights->dims(), toy::dims());
  EXPECT_TRUE(weights->alignment_heads());
  toy::expect_same(weights->tensors(), toy::tensors());

  const auto error = engine::read_weights(part).error();
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_NE(error.message.find("one part of a model"), std::string::npos) << error.message;
}

}  // namespace
