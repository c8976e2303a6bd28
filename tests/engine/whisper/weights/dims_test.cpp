#include "engine/whisper/weights/dims.h"

#include <gtest/gtest.h>

#include "engine/weights/byte_reader.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::HeadCounts;
using engine::ModelDims;
using engine::TensorTable;

// Enough for the largest tensor in f16: the token embedding of large-v3.
const std::string& pages() {
  static const std::string zeros(std::size_t{2} * 51866 * 1280, '\0');
  return zeros;
}

// Tables of real sizes without their numbers: every tensor looks at the same pages.
class Shapes {
 public:
  explicit Shapes(const ModelDims& d) {
    const std::int64_t n = d.n_audio_state;
    add("encoder.positional_embedding", {d.n_audio_ctx, n});
    layer("encoder.conv1", {n, d.n_mels, 3});
    layer("encoder.conv2", {n, n, 3});
    layer("encoder.ln_post", {n});
    add("decoder.positional_embedding", {d.n_text_ctx, n});
    add("decoder.token_embedding.weight", {d.n_vocab, n});
    layer("decoder.ln", {n});
    for (int i = 0; i < d.n_audio_layer; ++i) {
      block("encoder.blocks." + std::to_string(i) + ".", n, {"attn"});
    }
    for (int i = 0; i < d.n_text_layer; ++i) {
      block("decoder.blocks." + std::to_string(i) + ".", n, {"attn", "cross_attn"});
    }
  }

  TensorTable table;

  void add(const std::string& name, std::vector<std::int64_t> shape) {
    engine::WeightTensor tensor{engine::DType::f16, std::move(shape), {}, {}};
    const auto bytes = static_cast<std::size_t>(2 * tensor.elements());
    ASSERT_LE(bytes, pages().size());
    tensor.data = toy::bytes(pages()).subspan(0, bytes);
    table[name] = tensor;
  }

 private:
  void layer(const std::string& name, std::vector<std::int64_t> shape) {
    const std::int64_t n = shape[0];
    add(name + ".weight", std::move(shape));
    add(name + ".bias", {n});
  }

  void block(const std::string& name, std::int64_t n, std::vector<std::string> attentions) {
    for (const auto& attention : attentions) {
      for (const char* part : {".query", ".value", ".out"}) {
        layer(name + attention + part, {n, n});
      }
      add(name + attention + ".key.weight", {n, n});
      layer(name + attention + "_ln", {n});
    }
    layer(name + "mlp.0", {4 * n, n});
    layer(name + "mlp.2", {n, 4 * n});
    layer(name + "mlp_ln", {n});
  }
};

struct Published {
  const char* name;
  int n_mels, n_state, n_head, n_audio_layer, n_text_layer, n_vocab;
};

void PrintTo(const Published& model, std::ostream* out) {
  *out << model.name;
}

class PublishedModels : public testing::TestWithParam<Published> {};

TEST_P(PublishedModels, HaveTheirDimensionsDerivedAndTheirTensorsAccepted) {
  const Published& p = GetParam();
  const ModelDims expected{p.n_mels,  1500, p.n_state, p.n_head, p.n_audio_layer,
                           p.n_vocab, 448,  p.n_state, p.n_head, p.n_text_layer};
  const Shapes shapes(expected);
  EXPECT_EQ(engine::derive_dims(shapes.table), expected);
  engine::validate_tensors(shapes.table, expected);
}

INSTANTIATE_TEST_SUITE_P(Whisper, PublishedModels,
                         testing::Values(Published{"tiny.en", 80, 384, 6, 4, 4, 51864},
                                         Published{"tiny", 80, 384, 6, 4, 4, 51865},
                                         Published{"base", 80, 512, 8, 6, 6, 51865},
                                         Published{"small", 80, 768, 12, 12, 12, 51865},
                                         Published{"medium.en", 80, 1024, 16, 24, 24, 51864},
                                         Published{"large-v2", 80, 1280, 20, 32, 32, 51865},
                                         Published{"large-v3", 128, 1280, 20, 32, 32, 51866},
                                         Published{"turbo", 128, 1280, 20, 32, 4, 51866},
                                         Published{"distil-large-v2", 80, 1280, 20, 32, 2, 51865},
                                         Published{"distil-large-v3", 128, 1280, 20, 32, 2, 51866},
                                         Published{"distil-medium.en", 80, 1024, 16, 24, 2, 51864},
                                         Published{"distil-small.en", 80, 768, 12, 12, 4, 51864}),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::erase_if(name, [](char c) { return c == '.' || c == '-'; });
                           return name;
                         });

std::string message_of(const TensorTable& table) {
  return toy::error_of([&] {
           validate_tensors(table, derive_dims(table, HeadCounts{2, 2}));
         })
      .message;
}

TEST(Dims, NamesTheTensorOfTheWrongShapeWithBothShapes) {
  Shapes shapes(toy::dims());
  shapes.add("encoder.blocks.0.attn.query.weight", {32, 31});
  EXPECT_EQ(message_of(shapes.table),
            "[weights] encoder.blocks.0.attn.query.weight: expected [32, 32], got [32, 31]");
}

TEST(Dims, NamesTheMissingTensor) {
  const char* required[]{"encoder.conv1.weight", "encoder.blocks.1.mlp.2.bias",
                         "decoder.token_embedding.weight", "decoder.blocks.0.attn_ln.weight",
                         "decoder.blocks.0.cross_attn.key.weight"};
  for (const std::string name : required) {
    Shapes shapes(toy::dims());
    shapes.table.erase(name);
    EXPECT_EQ(message_of(shapes.table), "[weights] " + name + ": missing");
  }
}

TEST(Dims, NamesTheTensorThatDoesNotBelong) {
  Shapes shapes(toy::dims());
  shapes.add("encoder.blocks.0.attn.key.bias", {32});
  EXPECT_EQ(message_of(shapes.table),
            "[weights] encoder.blocks.0.attn.key.bias: no such tensor in a Whisper model of this "
            "size");
}

TEST(Dims, RefusesWholeNumbersAndTooFewBytes) {
  Shapes shapes(toy::dims());
  shapes.table["encoder.ln_post.bias"].dtype = engine::DType::i32;
  EXPECT_NE(message_of(shapes.table).find("encoder.ln_post.bias: expected numbers of a float"),
            std::string::npos);
  shapes.table["encoder.ln_post.bias"].dtype = engine::DType::f32;
  EXPECT_EQ(message_of(shapes.table), "[weights] encoder.ln_post.bias: expected 128 bytes, got 64");
}

// Results computed from the dimensions must not overflow, however few bytes a file spends on them.
TEST(Dims, RefusesDimensionsFarAboveEveryRealModel) {
  const ModelDims base{80, 1500, 512, 8, 6, 51865, 448, 512, 8, 6};
  Shapes wide(base);
  wide.table["encoder.positional_embedding"].shape = {1500, 1 << 15};
  wide.table["decoder.positional_embedding"].shape = {448, 1 << 15};
  EXPECT_NE(message_of(wide.table).find("the width of the model is 32768"), std::string::npos);
  Shapes wider(base);
  wider.table["encoder.positional_embedding"].shape = {1500, engine::max_width + 64};
  wider.table["decoder.positional_embedding"].shape = {448, engine::max_width + 64};
  EXPECT_NE(message_of(wider.table).find("the width of the model is 5184"), std::string::npos);
  Shapes wordy(base);
  wordy.table["decoder.token_embedding.weight"].shape = {(1 << 16) + 1, 512};
  EXPECT_NE(message_of(wordy.table).find("impossible shape"), std::string::npos);
  Shapes longer(base);
  longer.table["encoder.positional_embedding"].shape = {(1 << 16) + 1, 512};
  EXPECT_NE(message_of(longer.table).find("impossible shape"), std::string::npos);
}

TEST(Dims, RefusesMelBinsThatAreNoPairsOrMoreThanAnyModelHas) {
  for (const int n_mels : {3, 81, 130}) {
    ModelDims dims = toy::dims();
    dims.n_mels = n_mels;
    EXPECT_EQ(message_of(Shapes(dims).table),
              "[weights] encoder.conv1.weight: " + std::to_string(n_mels) + " mel bins");
  }
}

TEST(Dims, RefusesAWidthThatHeadsOf64DoNotDivideWhereNothingTellsTheHeads) {
  const Shapes shapes(toy::dims());
  const auto untold = toy::error_of([&] { engine::derive_dims(shapes.table); });
  EXPECT_EQ(untold.code, engine::Errc::refused_model);
  EXPECT_EQ(untold.message,
            "[weights] the encoder is 32 wide, and nothing says how many attention heads that is; "
            "without a word heads are 64 wide");
  EXPECT_EQ(toy::error_of([&] {
              engine::derive_dims(shapes.table, HeadCounts{3, 2});
            }).message,
            "[weights] encoder: a width of 32 cannot be split into 3 heads");
}

TEST(Dims, TakesNarrowHeadsAndRefusesThoseThatCannotBeComputed) {
  const auto checked = [](int state, int audio_heads, int text_heads) {
    ModelDims dims = toy::dims();
    dims.n_audio_state = dims.n_text_state = state;
    dims.n_audio_head = audio_heads;
    dims.n_text_head = text_heads;
    const auto fine = engine::check_heads(dims);
    return fine ? std::string() : fine.error().message;
  };
  EXPECT_EQ(checked(512, 8, 8), "");
  EXPECT_EQ(checked(512, 8, 16), "");
  EXPECT_EQ(checked(512, 64, 8), "");
  EXPECT_EQ(checked(512, 8, 4),
            "the model's attention heads are 128 wide; scribed runs heads that are up to 64 wide, "
            "as all of OpenAI's are");
  EXPECT_EQ(checked(96, 3, 3),
            "the model is 96 wide; scribed runs widths that are multiples of 64, as all of "
            "OpenAI's are");
  EXPECT_EQ(checked(512, 512, 8),
            "the model has 512 attention heads a layer; scribed runs up to 320");
}

TEST(Dims, NamesTheFieldInWhichTheHeaderDiffers) {
  ModelDims declared = toy::dims();
  declared.n_vocab = 12;
  EXPECT_EQ(toy::error_of([&] { engine::require_equal(declared, toy::dims()); }).message,
            "[weights] n_vocab: the header says 12, the tensors have 11");
}

}  // namespace
