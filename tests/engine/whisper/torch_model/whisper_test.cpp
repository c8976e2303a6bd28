#include "engine/whisper/torch_model/whisper.h"

#include <gtest/gtest.h>

#include "engine/whisper/torch_model/attention.h"
#include "engine/whisper/torch_model/tensor_load.h"
#include "tests/engine/whisper/model/toy_weights.h"
#include "tests/engine/whisper/weights/narrow_heads.h"

namespace engine {
namespace {

class WhisperTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { toy_ = new ToyWeights; }
  static void TearDownTestSuite() { delete toy_; }

  static Whisper load(ComputeType type = ComputeType::float32) {
    return load_whisper(toy_->weights(), {at::kCPU, type}).value();
  }
  static at::Tensor mel() {
    at::manual_seed(5);
    return at::randn({1, 80, 3000});
  }
  static ToyWeights* toy_;
};
ToyWeights* WhisperTest::toy_ = nullptr;

// The modules written out with plain operations, as in the paper.
at::Tensor plain_attention(const Weights& weights, const std::string& prefix, const at::Tensor& x,
                           const at::Tensor& context) {
  const auto project = [&](const char* which, const at::Tensor& input, bool bias) {
    const std::string name = prefix + "." + which;
    return at::linear(input, load_float32(weights, name + ".weight"),
                      bias ? load_float32(weights, name + ".bias") : at::Tensor());
  };
  const at::Tensor q = split_heads(project("query", x, true));
  const at::Tensor k = split_heads(project("key", context, false));
  const at::Tensor v = split_heads(project("value", context, true));
  const at::Tensor w = at::softmax(at::matmul(q, k.transpose(-1, -2)) / 8, -1);
  return project("out", merge_heads(at::matmul(w, v)), true);
}

TEST_F(WhisperTest, TheEncoderIsThePapersEncoder) {
  const auto weights = toy_->weights();
  const auto w = [&](const std::string& name) { return load_float32(*weights, "encoder." + name); };
  const auto norm = [&](const std::string& name, const at::Tensor& x) {
    return at::layer_norm(x, {128}, w(name + ".weight"), w(name + ".bias"));
  };
  at::Tensor x = at::gelu(at::conv1d(mel(), w("conv1.weight"), w("conv1.bias"), 1, 1));
  x = at::gelu(at::conv1d(x, w("conv2.weight"), w("conv2.bias"), 2, 1)).transpose(1, 2);
  x = x + w("positional_embedding");
  for (int i = 0; i < 2; ++i) {
    const std::string block = "blocks." + std::to_string(i);
    const at::Tensor n = norm(block + ".attn_ln", x);
    x = x + plain_attention(*weights, "encoder." + block + ".attn", n, n);
    const at::Tensor m = norm(block + ".mlp_ln", x);
    x = x +
        at::linear(at::gelu(at::linear(m, w(block + ".mlp.0.weight"), w(block + ".mlp.0.bias"))),
                   w(block + ".mlp.2.weight"), w(block + ".mlp.2.bias"));
  }
  const at::Tensor encoded = load().encoder(mel());
  EXPECT_EQ(encoded.sizes(), (std::vector<std::int64_t>{1, 1500, 128}));
  EXPECT_TRUE(at::allclose(encoded, norm("ln_post", x), 1e-4, 1e-4));
}

TEST_F(WhisperTest, TokensOneByOneGiveWhatAPromptGives) {
  const Whisper model = load();
  const CrossAttention audio = model.decoder.cross_attention(model.encoder(mel())[0]);
  const at::Tensor tokens = at::tensor(std::vector<std::int64_t>{50258, 50259, 50359, 7, 8, 9});
  KvCache whole(model.dims, 1, at::kFloat);
  const at::Tensor expected =
      model.decoder.logits(model.decoder(tokens.unsqueeze(0), audio, whole)[0]);
  KvCache cache(model.dims, 1, at::kFloat);
  for (std::int64_t i = 0; i < tokens.size(0); ++i) {
    const at::Tensor x = model.decoder(tokens[i].view({1, 1}), audio, cache);
    EXPECT_TRUE(at::allclose(model.decoder.logits(x[0])[0], expected[i], 1e-4, 1e-4)) << i;
  }
  EXPECT_EQ(cache.length(), 6);
}

TEST_F(WhisperTest, RowsDoNotSeeEachOther) {
  const Whisper model = load();
  const CrossAttention audio = model.decoder.cross_attention(model.encoder(mel())[0]);
  const auto run = [&](std::vector<std::int64_t> second_tokens) {
    const auto rows = static_cast<int>(second_tokens.size());
    KvCache cache(model.dims, rows, at::kFloat);
    model.decoder(at::full({1, 1}, 50258, at::kLong), audio, cache);
    cache.spread_first_row();
    const at::Tensor tokens = at::tensor(second_tokens).unsqueeze(1);
    return model.decoder.logits(model.decoder(tokens, audio, cache).squeeze(1));
  };
  EXPECT_TRUE(at::allclose(run({1, 2, 3})[1], run({2})[0], 1e-4, 1e-4));
}

TEST(NarrowHeadsWhisper, GivesWhatTransformersComputes) {
  const toy::NarrowHeads expected;
  const auto tensor = [&](const char* name, std::vector<std::int64_t> shape) {
    return at::tensor(expected.expected(name)).view(shape);
  };
  const Whisper model = load_whisper(expected.weights(), {}).value();
  const at::Tensor encoded = model.encoder(tensor("mel", {1, 8, 40}));
  EXPECT_TRUE(at::allclose(encoded[0], tensor("encoded", {20, 64}), 1e-5, 1e-5));
  const CrossAttention audio = model.decoder.cross_attention(encoded[0]);
  KvCache cache(model.dims, 1, at::kFloat);
  const std::vector<std::pair<int, int>> heads{{0, 0}, {0, 1}};
  CrossCapture capture{heads, {}};
  const at::Tensor x =
      model.decoder(tensor("tokens", {1, 6}).to(at::kLong), audio, cache, &capture);
  EXPECT_TRUE(at::allclose(model.decoder.logits(x[0]), tensor("logits", {6, 64}), 1e-5, 1e-5));
  EXPECT_TRUE(
      at::allclose(at::stack(capture.weights), tensor("cross_attention", {2, 6, 20}), 1e-5, 1e-5));
}

TEST_F(WhisperTest, Bfloat16GivesFloat32LogitsNearTheExactOnes) {
  const auto logits = [&](ComputeType type) {
    const Whisper model = load(type);
    const CrossAttention audio = model.decoder.cross_attention(model.encoder(mel())[0]);
    KvCache cache(model.dims, 1, scalar_type(type));
    return model.decoder.logits(model.decoder(at::full({1, 1}, 7, at::kLong), audio, cache)[0]);
  };
  const at::Tensor exact = logits(ComputeType::float32);
  const at::Tensor rounded = logits(ComputeType::bfloat16);
  EXPECT_EQ(rounded.scalar_type(), at::kFloat);
  EXPECT_LT((exact - rounded).abs().max().item<float>(), 0.05 * exact.abs().max().item<float>());
}

}  // namespace
}  // namespace engine
