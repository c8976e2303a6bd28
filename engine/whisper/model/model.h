#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/device/graph_state.h"
#include "engine/exception_error.h"
#include "engine/whisper/audio/mel_window.h"
#include "engine/whisper/choice/choice_options.h"
#include "engine/whisper/choice/step_outcome.h"
#include "engine/whisper/model/kernel_use.h"
#include "engine/whisper/model/memory_plan.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

// An encoded window of 30 seconds, as the decoder reads it. It is immutable; many decodes may share
// it.
class EncodedAudio {
 public:
  virtual ~EncodedAudio() = default;

  // Returns whether few positions of the padding were computed.
  virtual bool is_short() const { return false; }
};
using EncodedWindow = std::shared_ptr<const EncodedAudio>;

// The rows of one decode, its beams or its samples, with what the model remembers of their tokens
// and chose last.
class DecodeState {
 public:
  virtual ~DecodeState() = default;
};

// The tokens that all rows of one decode begin with.
struct Prompt {
  DecodeState* state = nullptr;
  std::span<const int> tokens;
  int sot_index = 0;  // of the sot token, where no_speech_prob is read
};

// A step that was handed to the device. It may be dropped without being asked, and may outlive the
// decodes' states, but not the model.
class PendingStep {
 public:
  virtual ~PendingStep() = default;

  // Waits for the device, and returns what was chosen for each decode, in the order in which they
  // were handed in. It is called once.
  virtual std::vector<StepOutcome> outcomes() = 0;
};

// The attention says where the decoder looked while it read some tokens, and how likely it found
// each of them.
struct TokenAttention {
  int heads = 0;
  int tokens = 0;
  std::vector<float> weights{};        // [heads, tokens, n_audio_ctx]; a row sums to 1
  std::vector<float> probabilities{};  // [tokens - 1] of tokens[i + 1], see token_probabilities
};

// Says whether a model can compute few positions of a window's padding (MelWindow::frames), and
// whether it does so by default: as models do that were measured to make as few errors, or those
// that a trial (transcriber/short_trial.h) has found to hear the same.
enum class ShortWindows { unsupported, on_request, by_trial, by_default };

// A Whisper model on one device. It chooses the tokens too, by the rules of each decode, so that a
// step is fed by the one before without anybody reading it in between. One thread at a time uses
// it. It throws what error_of_exception understands.
class Model {
 public:
  virtual ~Model() = default;

  virtual const ModelDims& dims() const = 0;

  // Returns the error that stands for the exception being handled, which the model or one of its
  // steps has thrown; call it in a catch block.
  virtual Error error_of_exception() const { return error_of_current_exception("model"); }

  // Returns whether steps are only enqueued, so that the next one should be before the outcomes of
  // the last are asked for. Otherwise a step is done when it returns.
  virtual bool runs_ahead() const { return false; }

  // Returns the places that windows and rows have: who encodes and starts decodes keeps within
  // them. Without windows, or without rows, there is no limit of these.
  virtual MemoryPlan plan() const { return {}; }

  // Returns whether a call that lacked memory has left the decodes as they were, so that the same
  // call may be made again when others have ended.
  virtual bool may_try_again() const { return false; }
  // Frees memory that is only kept for what comes later. Returns whether there was some.
  virtual bool release_idle() { return false; }

  // Returns how recording the steps goes; nothing where steps are not recorded. Any thread may ask.
  virtual std::optional<GraphState> graphs() const { return std::nullopt; }

  // Returns which steps run on fused kernels; nothing for a model that never has any.
  virtual std::optional<KernelUse> kernels() const { return std::nullopt; }

  virtual ShortWindows short_windows() const { return ShortWindows::unsupported; }

  // Returns how many positions of a window's place a window takes whose first so many frames are
  // audio. All of them where places have one size.
  virtual int positions_of(int /*frames*/) const { return dims().n_audio_ctx; }

  // Returns how many windows for which nobody waits are worth encoding as one batch. Of urgent ones
  // it is plan().encodes.
  virtual int encodes_at_once() const { return plan().encodes; }

  // Encodes windows as one batch.
  // mels  at least one, at most encodes_at_once()
  virtual std::vector<EncodedWindow> encode(std::span<const MelWindow> mels) = 0;
  EncodedWindow encode(const MelWindow& mel) { return encode({&mel, 1})[0]; }

  // Begins a decode; its prompt is to be read next.
  virtual std::unique_ptr<DecodeState> start(EncodedWindow window,
                                             const ChoiceOptions& options) = 0;

  // Reads the prompts of several decodes, and chooses the first token of every row.
  virtual std::unique_ptr<PendingStep> read_prompts(std::span<const Prompt> prompts) = 0;

  // Runs the token that every row of several decodes took last, and chooses the next ones. A decode
  // takes at most so many steps that its tokens, prompt included, fit n_text_ctx.
  virtual std::unique_ptr<PendingStep> step(std::span<DecodeState* const> states) = 0;

  // Reads tokens in one pass and returns the logits after each of them, [tokens, n_vocab].
  virtual std::vector<float> logits(const EncodedWindow& window, std::span<const int> tokens) = 0;

  // Reads `tokens`, which are known, in one pass, for the times of words.
  //   tokens  at least two, at most n_text_ctx
  //   n_text  ids below it are text
  //   heads   (layer, head) pairs whose cross-attention is wanted, in this order; at least one
  virtual TokenAttention attend(const EncodedWindow& window, std::span<const int> tokens,
                                int n_text, std::span<const std::pair<int, int>> heads) = 0;
};

}  // namespace engine
