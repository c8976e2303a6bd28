#include "engine/whisper/weights/adapter.h"

#include <cmath>

#include "tests/engine/whisper/weights/model_folder.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;

const std::string layer = "base_model.model.model.decoder.layers.0.self_attn.q_proj.";
const std::string changed = "decoder.blocks.0.attn.query.weight";

class MergeAdapter : public toy::ModelFolder {
 protected:
  MergeAdapter() {
    // Row i of the product is (i, i, …) + 2 * (i, 0, 0, …) with a rank of 2.
    down.values.assign(2 * 32, 0);
    for (int i = 0; i < 32; ++i) down.values[i] = 1;
    down.values[32] = 1;
    for (int i = 0; i < 32; ++i) {
      up.values.push_back(static_cast<float>(i) / 64);
      up.values.push_back(static_cast<float>(i) / 32);
    }
    write("base.pt", toy::torch_zip_file(toy::tensors()));
    write_config(R"("lora_alpha": 4)");
  }

  void write_config(const std::string& facts) const {
    write("adapter/adapter_config.json",
          R"({"peft_type": "LORA", "bias": "none", "base_model_name_or_path": "x/base", )" + facts +
              "}");
  }

  void write_pair() const {
    write("adapter/adapter_model.safetensors",
          toy::safetensors_file({{layer + "lora_A.weight", down}, {layer + "lora_B.weight", up}}));
  }

  engine::Result<void> merge() const {
    const auto base = engine::read_weights(folder_ / "base.pt");
    return engine::merge_adapter(*engine::find_adapter(folder_ / "adapter"), *base,
                                 folder_ / "merged" / "model.safetensors");
  }

  // The toy model with `scale` times the product added.
  toy::Tensors expected(float scale) const {
    auto tensors = toy::tensors();
    for (std::size_t row = 0; row < 32; ++row) {
      for (std::size_t i = 0; i < 32; ++i) {
        tensors[changed].values[32 * row + i] += scale * static_cast<float>(row) / 64;
      }
      tensors[changed].values[32 * row] += scale * static_cast<float>(row) / 32;
    }
    return tensors;
  }

  void expect_merged(float scale) const {
    std::filesystem::create_directories(folder_ / "merged");
    const auto done = merge();
    ASSERT_TRUE(done) << done.error().message;
    write("merged/config.json", R"({"encoder_attention_heads": 2, "decoder_attention_heads": 2})");
    const auto merged = engine::read_weights(folder_ / "merged");
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_EQ(merged->tensors().at(changed).dtype, engine::DType::f32);
    EXPECT_EQ(merged->tensors().at("decoder.ln.bias").dtype, engine::DType::f16);
    toy::expect_same(merged->tensors(), expected(scale), 1e-5f);
  }

  toy::Tensor down{{2, 32}, {}};
  toy::Tensor up{{32, 2}, {}};
};

TEST_F(MergeAdapter, AddsTheScaledProductsToTheBase) {
  write_pair();
  expect_merged(2);
  write_config(R"("lora_alpha": 4, "use_rslora": true)");
  expect_merged(4 / std::sqrt(2.0f));
}

TEST_F(MergeAdapter, IsFoundInItsFolderAndNamesItsBase) {
  write_pair();
  EXPECT_EQ(engine::find_adapter(folder_ / "adapter")->base, "x/base");
  EXPECT_TRUE(engine::find_adapter(folder_ / "adapter" / "adapter_model.safetensors"));
  EXPECT_FALSE(engine::find_adapter(folder_ / "base.pt"));
  EXPECT_FALSE(engine::find_adapter(folder_));
  write("adapter/model.safetensors");
  EXPECT_FALSE(engine::find_adapter(folder_ / "adapter"));
}

TEST_F(MergeAdapter, RefusesWhatItDoesNotMerge) {
  write_pair();
  for (const auto& [facts, unknown] : {std::pair{R"("use_dora": true)", "use_dora"},
                                       {R"("modules_to_save": ["proj_out"])", "modules_to_save"},
                                       {R"("alpha_pattern": {"q_proj": 3})", "alpha_pattern"}}) {
    write_config(facts);
    const auto error = merge().error();
    EXPECT_EQ(error.code, Errc::refused_model);
    EXPECT_NE(error.message.find(unknown), std::string::npos) << error.message;
    EXPECT_NE(error.fix.find("merge_and_unload"), std::string::npos) << error.fix;
  }
  write_config(R"("lora_alpha": 4)");
  write("adapter/adapter_model.safetensors",
        toy::safetensors_file({{"base_model.model.proj_out.lora_embedding_A", down}}));
  EXPECT_NE(merge().error().message.find("lora_embedding_A: scribed merges"), std::string::npos);
  write("adapter/adapter_model.safetensors",
        toy::safetensors_file({{"base_model.model.proj_out.lora_A.weight", down}}));
  EXPECT_NE(merge().error().message.find("changes the projection"), std::string::npos);
}

TEST_F(MergeAdapter, RefusesABaseOfOtherShapes) {
  down.shape = {1, 64};
  write_pair();
  const auto error = merge().error();
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_NE(error.message.find("the adapter's [32, 2] and [1, 64] do not fit the base's [32, 32]"),
            std::string::npos)
      << error.message;
}

}  // namespace
