#include "engine/whisper/device_choice/check_choice.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "engine/torch/upload.h"
#include "engine/whisper/device_choice/device_chooser.h"

namespace engine {
namespace {

constexpr int slots_checked = 16;
constexpr int context_checked = 64;
constexpr int steps_checked = 6;
constexpr double logprob_bound = 1e-3;

ChoiceOptions decode_of(int n_rows, bool beam_search, double temperature, bool timestamps) {
  return {.n_rows = n_rows,
          .beam_search = beam_search,
          .temperature = temperature,
          .seed = 3,
          .suppress = {1, 2, 7},
          .timestamps = timestamps};
}

bool is_near(float found, float expected) {
  return found == expected || std::abs(found - expected) <= logprob_bound;
}

bool is_same(const StepOutcome& found, const StepOutcome& expected) {
  const auto same_row = [](const ChosenToken& a, const ChosenToken& b) {
    return a.source == b.source && a.token == b.token && is_near(a.logprob, b.logprob) &&
           is_near(a.sum_logprob, b.sum_logprob);
  };
  const auto same_end = [](const EndedBeam& a, const EndedBeam& b) {
    return a.source == b.source && is_near(a.sum_logprob, b.sum_logprob);
  };
  return found.finite == expected.finite &&
         std::ranges::equal(found.rows, expected.rows, same_row) &&
         std::ranges::equal(found.ended, expected.ended, same_end);
}

// One way to choose for decodes of all kinds.
class Decodes {
 public:
  Decodes(const at::Device& device, const SpecialTokens& specials, StepKernels* kernels)
      : kernels_(kernels),
        chooser_(specials, slots_checked, context_checked, device),
        batch_(chooser_.nobody()),
        history_(at::arange(slots_checked * context_checked * 64,
                            at::TensorOptions(device).dtype(at::kFloat))
                     .remainder(2039)  // so that no two slots have the same numbers
                     .view({1, 1, slots_checked, 1, context_checked, 64})
                     .to(at::kHalf)
                     .contiguous()) {
    int slot = slots_checked;
    for (const ChoiceOptions& options :
         {decode_of(1, false, 0, true), decode_of(5, true, 0, true),
          decode_of(2, false, 0.7, false), decode_of(3, true, 0, false)}) {
      std::vector<int> slots(static_cast<std::size_t>(options.n_rows));
      for (int& own : slots) own = --slot;
      batch_.add(slots, options);
      chooser_.begin(std::array{BegunDecode{slots, options, /*prompt_length=*/4}});
    }
    std::vector<std::int64_t> numbers;
    batch_.append_numbers(numbers);
    numbers_ = upload(numbers, device);
  }

  ChoiceShape shape() const { return batch_.shape(); }
  const at::Tensor& history() const { return history_; }

  // The first choice is libtorch's in any case.
  std::vector<StepOutcome> step(const at::Tensor& logits, bool first) {
    const ChoiceShape shape = batch_.shape();
    const bool fused = kernels_ != nullptr && !first;
    const DeviceChoice choice =
        fused ? chooser_.choose(*kernels_, logits, shape, numbers_)
              : chooser_.choose(logits, shape, numbers_,
                                first ? logits.narrow(0, 0, 4) : at::Tensor());
    // The first choice makes all beams of a search one, whose histories could then go anywhere.
    if (!first) move(choice, fused);
    return batch_.outcomes(choice.said.to(at::kCPU));
  }

 private:
  void move(const DeviceChoice& choice, bool fused) {
    if (fused) {
      kernels_->move_beams(
          {history_, choice.from, choice.to, batch_.shape().beam_size, context_checked / 2});
    } else {
      at::Tensor moved = history_.narrow(4, 0, context_checked / 2);
      moved.index_copy_(2, choice.to, moved.index_select(2, choice.from));
    }
  }

  StepKernels* kernels_;
  DeviceChooser chooser_;
  ChoiceBatch batch_;
  at::Tensor history_;
  at::Tensor numbers_;
};

}  // namespace

std::vector<KernelCheck> check_choice(StepKernels& kernels, const at::Device& device,
                                      const SpecialTokens& specials) {
  KernelCheck choice{.kernel = "the choice of tokens"};
  KernelCheck moves{.kernel = "the move of beams"};
  try {
    Decodes found(device, specials, &kernels);
    Decodes expected(device, specials, nullptr);
    at::Generator generator = at::detail::createCPUGenerator(1);
    int wrong = 0;
    for (int step = 0; step <= steps_checked; ++step) {
      at::Tensor logits =
          at::randn({found.shape().rows, specials.n_vocab}, generator, at::kFloat) * 3;
      logits.select(1, specials.eot).add_(8);
      const at::Tensor there = logits.to(device);
      const auto said = found.step(there, step == 0);
      const auto wanted = expected.step(there, step == 0);
      for (std::size_t i = 0; i < wanted.size(); ++i) wrong += is_same(said[i], wanted[i]) ? 0 : 1;
    }
    choice.difference = choice.largest = wrong;
    choice.passed = wrong == 0;
    const bool moved = at::equal(found.history(), expected.history());
    moves.difference = moves.largest = moved ? 0 : 1;
    moves.passed = moved;
  } catch (const std::exception&) {
    // Neither has passed.
  }
  return {choice, moves};
}

}  // namespace engine
