#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "engine/torch/upload.h"
#include "engine/whisper/choice/host_chooser.h"
#include "engine/whisper/device_choice/device_chooser.h"

namespace engine::test {

inline constexpr int n_tokens = 51865;
inline constexpr int n_slots = 40;
inline constexpr int context = 448;

inline const SpecialTokens& special_ids() {
  static const SpecialTokens ids = special_tokens(n_tokens).value();
  return ids;
}

inline ChoiceOptions rules(int n_rows = 1, bool beam_search = false) {
  ChoiceOptions options;
  options.n_rows = n_rows;
  options.beam_search = beam_search;
  options.suppress = {1, 2, 7, 50258, 50359};
  options.blank = {220, special_ids().eot};
  options.max_initial_timestamp_index = 50;
  return options;
}

// Logits as of a model that is unsure: text, timestamps and the end all come to be chosen.
inline at::Tensor random_logits(std::int64_t rows, int n_vocab = n_tokens) {
  at::Tensor logits = at::randn({rows, n_vocab}) * 3;
  logits.narrow(1, 100, 20).add_(6);  // few tokens, so that text repeats itself
  logits.select(1, special_ids().eot).add_(8);
  return logits;
}

inline std::span<const float> host_row(const at::Tensor& row) {
  return {row.const_data_ptr<float>(), static_cast<std::size_t>(row.numel())};
}

// Decodes that are chosen for on the device and, beside it, by a HostChooser each.
class BothChoosers {
 public:
  // `kernels` choose on the device where they can, null: libtorch's operations.
  explicit BothChoosers(std::vector<ChoiceOptions> all, StepKernels* kernels = nullptr,
                        const SpecialTokens& specials = special_ids())
      : n_vocab_(specials.n_vocab),
        options_(std::move(all)),
        kernels_(kernels),
        device_(specials, n_slots, context, at::kCPU) {
    int slot = n_slots;
    for (const ChoiceOptions& options : options_) {
      hosts_.emplace_back(options, specials);
      auto& own = slots_.emplace_back();
      while (std::ssize(own) < options.n_rows) own.push_back(slot -= 1);
      batch_.add(own, options);
    }
  }

  // Chooses the first tokens after these logits of each prompt's last token, [decodes, n_vocab].
  void begin(const at::Tensor& after_last) {
    const at::Tensor after_sot = random_logits(std::ssize(options_), n_vocab_);
    std::vector<at::Tensor> rows;
    std::vector<BegunDecode> begun;
    expected.clear();
    for (std::size_t i = 0; i < options_.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      begun.push_back({slots_[i], options_[i], /*prompt_length=*/4});
      rows.push_back(after_last[index].expand({options_[i].n_rows, -1}));
      expected.push_back(hosts_[i].choose_first(host_row(after_sot[index]),
                                                host_row(after_last[index]), /*position=*/3));
    }
    device_.begin(begun);
    choose(at::cat(rows), after_sot);
    device_.allow_blanks(begun);
  }
  void begin() { begin(random_logits(std::ssize(options_), n_vocab_)); }

  // logits  of all rows, [rows, n_vocab]
  void step(const at::Tensor& logits) {
    expected.clear();
    std::int64_t row = 0;
    for (HostChooser& host : hosts_) {
      const at::Tensor own = logits.narrow(0, row, host.n_rows()).clone();
      expected.push_back(host.choose({own.data_ptr<float>(), host.n_rows(), n_vocab_}));
      row += host.n_rows();
    }
    choose(logits, {});
  }

  std::int64_t n_rows() const {
    return std::accumulate(options_.begin(), options_.end(), std::int64_t{0},
                           [](auto sum, const ChoiceOptions& o) { return sum + o.n_rows; });
  }

  std::vector<StepOutcome> expected;  // of the last choice
  std::vector<StepOutcome> found;

 private:
  void choose(const at::Tensor& logits, const at::Tensor& after_sot) {
    const ChoiceShape shape = batch_.shape();
    std::vector<std::int64_t> numbers;
    batch_.append_numbers(numbers);
    ASSERT_EQ(std::ssize(numbers), ChoiceBatch::count_numbers(shape));
    ASSERT_LE(std::ssize(numbers), ChoiceBatch::most_numbers(n_slots));
    const at::Tensor padding = at::zeros({shape.rows - logits.size(0), n_vocab_});
    const at::Tensor all = at::cat({logits, padding});
    const at::Tensor there = upload(numbers, at::kCPU);
    const bool fused =
        kernels_ != nullptr && !after_sot.defined() && DeviceChooser::kernels_can(shape);
    const DeviceChoice choice = fused ? device_.choose(*kernels_, all, shape, there)
                                      : device_.choose(all, shape, there, after_sot);
    found = batch_.outcomes(choice.said);
    moves(choice);
  }
  // The histories move from slot to slot as the outcomes say.
  void moves(const DeviceChoice& choice) const {
    if (!choice.from.defined()) return;
    std::vector<std::int64_t> origin(n_slots + 1);
    std::iota(origin.begin(), origin.end(), 0);
    for (std::int64_t i = 0; i < choice.from.numel(); ++i) {
      if (choice.to[i].item<std::int64_t>() < 0) continue;
      const auto to = static_cast<std::size_t>(choice.to[i].item<std::int64_t>());
      origin[to] = choice.from[i].item<std::int64_t>();
    }
    for (std::size_t i = 0; i < options_.size(); ++i) {
      for (std::size_t row = 0; row < slots_[i].size(); ++row) {
        const auto source = static_cast<std::size_t>(found[i].rows[row].source);
        EXPECT_EQ(origin[static_cast<std::size_t>(slots_[i][row])], slots_[i][source]);
      }
    }
  }

  int n_vocab_;
  std::vector<ChoiceOptions> options_;
  StepKernels* kernels_;
  std::vector<HostChooser> hosts_;
  std::vector<std::vector<int>> slots_;
  DeviceChooser device_;
  ChoiceBatch batch_{device_.nobody()};
};

}  // namespace engine::test
