#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "engine/whisper/torch_model/torch_model.h"
#include "tests/engine/whisper/model/cpu_model_fixture.h"
#include "tests/engine/whisper/model/heard.h"

namespace engine {
namespace {

class CpuBesideTorch : public CpuModelTest {
 protected:
  static double difference(const at::Tensor& found, const at::Tensor& expected) {
    return ((found - expected).norm() / expected.norm()).item<double>();
  }
  static at::Tensor weights_of(const TokenAttention& found) {
    return at::tensor(found.weights).view({found.heads, found.tokens, 1500});
  }
};

INSTANTIATE_TEST_SUITE_P(Types, CpuBesideTorch, all_matrix_types,
                         [](const auto& type) { return cpu::name(type.param); });

TEST_P(CpuBesideTorch, EveryVariantIsNearFloat32) {
  const auto exact = load_torch_model(toy_->weights(), Placement{}).value();
  const EncodedWindow exact_window = exact->encode(mel());
  const at::Tensor expected = at::tensor(exact->logits(exact_window, prompt_));
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    for (const int threads : {1, 3}) {
      const auto model = load(isa, threads);
      const EncodedWindow window = model->encode(mel());
      const double allowed = GetParam() == cpu::MatrixType::float32 ? 1e-5 : 0.05;
      EXPECT_LT(difference(at::tensor(model->logits(window, prompt_)), expected), allowed)
          << name(isa);
      HeardDecode decode(*model, window, samples(2), prompt());
      for (int i = 0; i < 5; ++i) step(*model, {&decode});
      expect_as_read(decode, *exact, exact_window, 0.1, name(isa));
    }
  }
}

// Heads that are 32 wide are filled up to 64.
TEST_P(CpuBesideTorch, NarrowHeadsAreNearFloat32) {
  const auto weights = toy_->weights(4);
  const auto exact = load_torch_model(weights, Placement{}).value();
  const EncodedWindow exact_window = exact->encode(mel());
  const at::Tensor expected = at::tensor(exact->logits(exact_window, prompt_));
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    CpuModel model(weights, cpu::pack_whisper(*weights, GetParam()),
                   special_tokens(weights->dims().n_vocab).value(), isa, 2);
    const EncodedWindow window = model.encode(mel());
    const double allowed = GetParam() == cpu::MatrixType::float32 ? 1e-5 : 0.05;
    EXPECT_LT(difference(at::tensor(model.logits(window, prompt_)), expected), allowed)
        << name(isa);
    HeardDecode decode(model, window, beams(2), prompt());
    for (int i = 0; i < 5; ++i) step(model, {&decode});
    expect_as_read(decode, *exact, exact_window, 0.1, name(isa));
  }
}

TEST_P(CpuBesideTorch, ShortWindowsAreNearFloat32) {
  const auto exact = load_torch_model(toy_->weights(), Placement{}).value();
  for (const int frames : {100, 500, 2000}) {
    const MelWindow mel = short_window(5, frames);
    const EncodedWindow exact_window = exact->encode(mel);
    EXPECT_TRUE(exact_window->is_short());
    const at::Tensor expected = at::tensor(exact->logits(exact_window, prompt_));
    for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
      const auto model = load(isa);
      const EncodedWindow window = model->encode(mel);
      const double allowed = GetParam() == cpu::MatrixType::float32 ? 1e-5 : 0.05;
      EXPECT_LT(difference(at::tensor(model->logits(window, prompt_)), expected), allowed)
          << name(isa) << frames;
      HeardDecode decode(*model, window, samples(2), prompt());
      for (int i = 0; i < 5; ++i) step(*model, {&decode});
      expect_as_read(decode, *exact, exact_window, 0.1, name(isa));
    }
  }
}

TEST_P(CpuBesideTorch, AttentionToAShortWindowIsThatOfTheCpu) {
  const auto exact = load_torch_model(toy_->weights(), Placement{}).value();
  const std::vector<std::pair<int, int>> heads{{1, 0}, {0, 1}};
  const MelWindow mel = short_window(5, 500);
  const auto model = load();
  const TokenAttention found = model->attend(model->encode(mel), prompt_, 50257, heads);
  const TokenAttention expected = exact->attend(exact->encode(mel), prompt_, 50257, heads);
  const double allowed = GetParam() == cpu::MatrixType::float32 ? 1e-5 : 0.05;
  EXPECT_LT(difference(weights_of(found), weights_of(expected)), allowed);
}

TEST_P(CpuBesideTorch, WhereTheDecoderLooksIsNearFloat32InPartsToo) {
  const auto exact = load_torch_model(toy_->weights(), Placement{}).value();
  std::vector<int> tokens{50258, 50259, 50359};
  while (tokens.size() < cpu::Decoder::max_rows + 20) {
    tokens.push_back(static_cast<int>(100 * tokens.size()));
  }
  const std::vector<std::pair<int, int>> heads{{1, 0}, {0, 1}, {1, 1}};
  const auto attend = [&](Model& model) {
    return model.attend(model.encode(mel()), tokens, 50257, heads);
  };
  // The toy looks nearly everywhere alike; what tells heads and tokens apart is the rest.
  const auto varying = [](const at::Tensor& x) { return x - x.mean(0, /*keepdim=*/true); };
  const TokenAttention expected = attend(*exact);
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    const TokenAttention found = attend(*load(isa));
    ASSERT_EQ(found.weights.size(), expected.weights.size());
    const at::Tensor weights = weights_of(found);
    EXPECT_TRUE(at::allclose(weights.sum(-1), at::ones({1}), 1e-4, 1e-4)) << name(isa);
    for (std::int64_t head = 0; head < 3; ++head) {
      EXPECT_LT(difference(varying(weights[head]), varying(weights_of(expected)[head])), 0.1)
          << name(isa) << head;
    }
    EXPECT_LT(difference(varying(at::tensor(found.probabilities)),
                         varying(at::tensor(expected.probabilities))),
              0.1);
  }
}

}  // namespace
}  // namespace engine
