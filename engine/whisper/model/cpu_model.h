#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/compute_type.h"
#include "engine/error.h"
#include "engine/kernels/chosen_isa.h"
#include "engine/whisper/choice/logit_row.h"
#include "engine/whisper/cpu/decoder.h"
#include "engine/whisper/cpu/encoder.h"
#include "engine/whisper/cpu/histories.h"
#include "engine/whisper/cpu/kv_pool.h"
#include "engine/whisper/cpu/windows_at_once.h"
#include "engine/whisper/model/model.h"
#include "engine/whisper/text/special_tokens.h"

namespace engine {

// Runs the model on kernels of our own for this CPU (engine/whisper/cpu): decodes of any number of
// windows take their steps as one batch.
class CpuModel : public Model {
 public:
  using Model::encode;

  // `packed` is made of these weights.
  CpuModel(std::shared_ptr<const Weights> weights, cpu::PackedWhisper packed,
           SpecialTokens specials, kernels::Isa isa, int threads);

  const ModelDims& dims() const override { return packed_.dims; }
  // Its rows are places in memory; windows are the caller's to count.
  MemoryPlan plan() const override { return plan_; }
  // Makes places for rows in so much free memory; without a call there is no limit.
  void plan_for(std::int64_t free_bytes, const MemoryWish& wish);
  // Float32 has openai/whisper's tokens only if it computes all.
  ShortWindows short_windows() const override;
  int positions_of(int frames) const override;
  // An urgent window has all threads to itself, as the first one of two at once would come late.
  int encodes_at_once() const override;
  std::vector<EncodedWindow> encode(std::span<const MelWindow> mels) override;
  std::unique_ptr<DecodeState> start(EncodedWindow window, const ChoiceOptions& options) override;
  std::unique_ptr<PendingStep> read_prompts(std::span<const Prompt> prompts) override;
  std::unique_ptr<PendingStep> step(std::span<DecodeState* const> states) override;
  std::vector<float> logits(const EncodedWindow& window, std::span<const int> tokens) override;
  TokenAttention attend(const EncodedWindow& window, std::span<const int> tokens, int n_text,
                        std::span<const std::pair<int, int>> heads) override;
  bool may_try_again() const override { return true; }
  bool release_idle() override;

 private:
  // Returns how many of so many waiting windows can be encoded at once, and has encoders for them.
  int prepare_encoders(int waiting);
  // Encodes each of the windows by a team of threads of its own.
  std::vector<EncodedWindow> encode_in_teams(std::span<const MelWindow> mels);
  StepOutcome read_prompt(const Prompt& prompt);
  // Gives row i the history of row sources[i], of so many positions. Where memory lacks, nothing
  // has changed.
  void reorder(cpu::Histories& rows, std::span<const int> sources, int length);
  // Gives each history of `length` tokens at least this capacity. If memory is lacking, nothing has
  // changed.
  void lengthen(cpu::Histories& rows, int length, int capacity);
  void copy(std::span<const cpu::HistoryCopy> copies, int length);
  // Runs the rows in parts of as many as the decoder takes at once, and returns the logits of those
  // that want them, which are there until the next call.
  LogitRows run(std::span<const cpu::DecoderRow> rows);

  std::shared_ptr<const Weights> weights_;
  cpu::PackedWhisper packed_;
  MemoryPlan plan_;
  SpecialTokens specials_;
  kernels::ThreadPool threads_;
  // There are as many as windows were ever encoded at once, at first one.
  std::deque<cpu::Encoder> encoders_;
  int most_encoders_ = cpu::most_windows_at_once;  // fewer once memory lacked for another
  kernels::Isa isa_;
  cpu::Decoder decoder_;
  std::vector<float> logits_;  // [rows, n_vocab] of the largest call so far
  cpu::KvPool windows_;
  cpu::KvPool histories_;
};

// Says whether load_cpu_model keeps the weights of a model in float32 in float16.
bool keeps_half_weights(const Weights& weights, ComputeType type);

// Errors: a model whose heads are wider than 64 or whose weights are not numbers, another type than
// float32, bfloat16 or int8, too little memory.
//   isa    kernels::isa_of_this_cpu(); TorchModel is for a CPU that has none
//   wish   see plan_rows()
//   notes  are added to, for the user, see cpu/pack_cache.h
//   specials  by the model's tokenizer; none: those of a published model of its vocabulary's size
Result<std::unique_ptr<Model>> load_cpu_model(std::shared_ptr<const Weights> weights,
                                              ComputeType type, kernels::Isa isa, int threads,
                                              const MemoryWish& wish,
                                              std::vector<std::string>& notes,
                                              std::optional<SpecialTokens> specials = {});

}  // namespace engine
