#include "engine/whisper/model/cpu_model.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "engine/exception_error.h"
#include "engine/whisper/cpu/pack_cache.h"
#include "engine/whisper/cpu/windows_at_once.h"
#include "engine/whisper/model/cpu_audio.h"
#include "engine/whisper/model/cpu_stores.h"
#include "engine/whisper/model/host_choice.h"
#include "platform/cpu.h"
#include "platform/facts/file_reader.h"
#include "platform/facts/memory_facts.h"

namespace engine {
namespace {

using Store = std::shared_ptr<kernels::KvStore>;

struct CpuState : DecodeState {
  CpuState(EncodedWindow audio, HostChooser choice)
      : window(std::move(audio)), chooser(std::move(choice)) {}

  EncodedWindow window;
  HostChooser chooser;
  cpu::Histories rows;
  int length = 0;
  bool is_ordered = true;  // the rows are in the order of what was chosen last
  // The outcome of the prompt, once it was read.
  std::optional<StepOutcome> first;

  const CpuAudio& audio() const { return audio_of(window); }
};

cpu::MatrixType matrix_type(ComputeType type, const Weights& weights) {
  switch (type) {
    case ComputeType::float32:
      return cpu::exact_type(weights);
    case ComputeType::bfloat16:
      return cpu::MatrixType::bfloat16;
    case ComputeType::int8:
      return cpu::MatrixType::int8;
    case ComputeType::float16:
      break;
  }
  throw std::invalid_argument(std::string(name(type)) + " has no kernels on a CPU");
}

}  // namespace

CpuModel::CpuModel(std::shared_ptr<const Weights> weights, cpu::PackedWhisper packed,
                   SpecialTokens specials, kernels::Isa isa, int threads)
    : weights_(std::move(weights)),
      packed_(std::move(packed)),
      specials_(std::move(specials)),
      threads_(threads),
      isa_(isa),
      decoder_(packed_, weights_, isa, threads_),
      windows_(window_pool(packed_.dims, packed_.type)),
      histories_(history_pool(packed_.dims, packed_.type)) {
  encoders_.emplace_back(packed_, isa, threads_.size());
}

void CpuModel::plan_for(std::int64_t free_bytes, const MemoryWish& wish) {
  plan_ = plan_rows(dims(), free_bytes, history_value_bytes(packed_.type), wish);
}

ShortWindows CpuModel::short_windows() const {
  return short_windows_of(packed_.dims, packed_.type);
}

int CpuModel::positions_of(int frames) const {
  return window_capacity(dims(), cpu::WindowRows(dims().n_audio_ctx, frames).count());
}

int CpuModel::encodes_at_once() const {
  return cpu::windows_at_once(cpu::most_windows_at_once, threads_.size());
}

int CpuModel::prepare_encoders(int waiting) {
  const int count = std::min(cpu::windows_at_once(waiting, threads_.size()), most_encoders_);
  try {
    while (std::ssize(encoders_) < count) {
      // It is used where there are at least so many teams, none of which has more threads.
      const int teams = static_cast<int>(encoders_.size()) + 1;
      encoders_.emplace_back(packed_, isa_, (threads_.size() + teams - 1) / teams);
    }
  } catch (const std::bad_alloc&) {
    most_encoders_ = static_cast<int>(encoders_.size());
  }
  return std::min(count, most_encoders_);
}

std::vector<EncodedWindow> CpuModel::encode(std::span<const MelWindow> mels) {
  for (const MelWindow& mel : mels) {
    if (std::ssize(mel) != std::ptrdiff_t{dims().n_mels} * 2 * dims().n_audio_ctx) {
      throw std::invalid_argument("the window has the wrong size");
    }
  }
  std::vector<EncodedWindow> windows;
  while (!mels.empty()) {
    const int count = prepare_encoders(static_cast<int>(mels.size()));
    std::ranges::move(encode_in_teams(mels.first(static_cast<std::size_t>(count))),
                      std::back_inserter(windows));
    mels = mels.subspan(static_cast<std::size_t>(count));
  }
  return windows;
}

std::vector<EncodedWindow> CpuModel::encode_in_teams(std::span<const MelWindow> mels) {
  const auto count = static_cast<int>(mels.size());
  // A few embeddings of tokens are all that a window needs of the file, but the kernel maps what
  // lies around them too: 60 MB in the course of a long recording.
  weights_->release_pages();
  std::vector<Store> stores;
  std::vector<cpu::WindowRows> rows;
  for (const MelWindow& mel : mels) {
    rows.emplace_back(dims().n_audio_ctx, mel.frames);
    stores.push_back(windows_.take(window_capacity(dims(), rows.back().count())));
  }
  threads_.run_in_teams(count, [&](const kernels::TeamThread& me) {
    const auto window = static_cast<std::size_t>(me.team.number());
    const float* encoded = encoders_[window](mels[window].data(), rows[window], me);
    decoder_.project_audio(encoded, rows[window].count(), *stores[window], me);
  });
  std::vector<EncodedWindow> windows;
  for (std::size_t i = 0; i < stores.size(); ++i) {
    windows.push_back(std::make_shared<const CpuAudio>(std::move(stores[i]), std::move(rows[i])));
  }
  return windows;
}

std::unique_ptr<DecodeState> CpuModel::start(EncodedWindow window, const ChoiceOptions& options) {
  auto state = std::make_unique<CpuState>(std::move(window), HostChooser(options, specials_));
  for (int row = 0; row < options.n_rows; ++row)
    state->rows.push_back(histories_.take(history_capacity(dims(), 1)));
  return state;
}

std::unique_ptr<PendingStep> CpuModel::read_prompts(std::span<const Prompt> prompts) {
  std::vector<StepOutcome> outcomes;
  for (const Prompt& prompt : prompts) outcomes.push_back(read_prompt(prompt));
  return std::make_unique<ReadyStep>(std::move(outcomes));
}

// A prompt that was read before another one lacked memory is not read again.
StepOutcome CpuModel::read_prompt(const Prompt& prompt) {
  auto& own = static_cast<CpuState&>(*prompt.state);
  if (own.first) return *own.first;
  const int last = static_cast<int>(prompt.tokens.size()) - 1;
  lengthen(own.rows, 0, last + 1);
  std::vector<cpu::DecoderRow> rows;
  for (int i = 0; i <= last; ++i) {
    const bool wanted = i == prompt.sot_index || i == last;
    rows.push_back(row_of(prompt.tokens[static_cast<std::size_t>(i)], i, own.rows[0].get(),
                          own.audio(), wanted));
  }
  const LogitRows found = run(rows);
  own.length = last + 1;
  reorder(own.rows, std::vector<int>(own.rows.size()), own.length);
  // The sot token may be the last one.
  own.first = own.chooser.choose_first(found[0], found[found.n_rows - 1], last);
  own.is_ordered = false;
  return *own.first;
}

void CpuModel::reorder(cpu::Histories& rows, std::span<const int> sources, int length) {
  cpu::ReorderedHistories after = cpu::reordered(rows, sources);
  copy(after.copies, length);
  rows = std::move(after.rows);
}

void CpuModel::lengthen(cpu::Histories& rows, int length, int capacity) {
  cpu::Histories longer = rows;
  std::vector<cpu::HistoryCopy> copies;
  for (Store& row : longer) {
    if (row->capacity() >= capacity) continue;
    const kernels::KvStore* const before = row.get();
    row = histories_.take(history_capacity(dims(), capacity));
    copies.push_back({before, row.get()});
  }
  copy(copies, length);
  rows = std::move(longer);
}

void CpuModel::copy(std::span<const cpu::HistoryCopy> copies, int length) {
  const int heads = dims().n_text_layer * dims().n_text_head;
  const int parts = static_cast<int>(copies.size()) * heads;
  if (parts == 0 || length == 0) return;
  threads_.run([&](int thread) {
    const auto [begin, end] = kernels::share(parts, thread, threads_.size());
    for (int part = begin; part < end; ++part) {
      const cpu::HistoryCopy& copy = copies[static_cast<std::size_t>(part / heads)];
      const int head = part % heads;
      copy.to->copy(*copy.from, head / dims().n_text_head, head % dims().n_text_head, length);
    }
  });
}

std::unique_ptr<PendingStep> CpuModel::step(std::span<DecodeState* const> states) {
  std::vector<cpu::DecoderRow> rows;
  for (DecodeState* state : states) {
    auto& own = static_cast<CpuState&>(*state);
    // The step may be taken again after it lacked memory.
    if (!own.is_ordered && !own.chooser.source_rows().empty()) {
      reorder(own.rows, own.chooser.source_rows(), own.length);
    }
    own.is_ordered = true;
    lengthen(own.rows, own.length, own.length + 1);
    const std::vector<int> tokens = own.chooser.next_tokens();
    for (std::size_t i = 0; i < own.rows.size(); ++i) {
      rows.push_back(row_of(tokens[i], own.length, own.rows[i].get(), own.audio(), true));
    }
  }
  const std::vector<HostChoice> choices = host_choices<CpuState>(states, run(rows));
  const int count = static_cast<int>(choices.size());
  auto ready = std::make_unique<ReadyStep>(std::vector<StepOutcome>(choices.size()));
  const std::span<StepOutcome> outcomes = ready->outcomes_in_place();
  threads_.run([&](int thread) {
    const auto [begin, end] = kernels::share(count, thread, threads_.size());
    for (int i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      outcomes[at] = choices[at].chooser->choose(choices[at].logits);
    }
  });
  for (DecodeState* state : states) {
    auto& own = static_cast<CpuState&>(*state);
    ++own.length;
    own.is_ordered = false;
  }
  return ready;
}

bool CpuModel::release_idle() {
  const bool had_windows = windows_.release_idle();
  return histories_.release_idle() || had_windows;
}

std::vector<float> CpuModel::logits(const EncodedWindow& window, std::span<const int> tokens) {
  const Store history = histories_.take(history_capacity(dims(), static_cast<int>(tokens.size())));
  std::vector<cpu::DecoderRow> rows;
  for (const int token : tokens) {
    const auto position = static_cast<int>(rows.size());
    rows.push_back(row_of(token, position, history.get(), audio_of(window), true));
  }
  run(rows);
  return std::vector<float>(logits_.begin(), logits_.begin() + std::ssize(tokens) * dims().n_vocab);
}

TokenAttention CpuModel::attend(const EncodedWindow& window, std::span<const int> tokens,
                                int n_text, std::span<const std::pair<int, int>> heads) {
  const auto n_tokens = static_cast<int>(tokens.size());
  if (n_tokens > dims().n_text_ctx) {
    throw std::invalid_argument("there are more tokens than the model's context has room for");
  }
  const std::ptrdiff_t n_audio = dims().n_audio_ctx;
  TokenAttention found{static_cast<int>(heads.size()), n_tokens};
  found.weights.resize(heads.size() * tokens.size() * static_cast<std::size_t>(n_audio));
  found.probabilities.resize(tokens.size() - 1);
  const Store history = histories_.take(history_capacity(dims(), n_tokens));
  for (int first = 0; first < n_tokens; first += cpu::Decoder::max_rows) {
    const int end = std::min(first + cpu::Decoder::max_rows, n_tokens);
    std::vector<cpu::DecoderRow> rows;
    for (int i = first; i < end; ++i) {
      const int token = tokens[static_cast<std::size_t>(i)];
      rows.push_back(row_of(token, i, history.get(), audio_of(window), false));
    }
    std::vector<cpu::HeadCapture> captures;
    float* to = found.weights.data() + first * n_audio;
    for (const auto& [layer, head] : heads) {
      captures.push_back({layer, {head, to, n_audio}});
      to += n_tokens * n_audio;
    }
    const int n_next = std::min(end, n_tokens - 1) - first;
    const auto next =
        tokens.subspan(static_cast<std::size_t>(first) + 1, static_cast<std::size_t>(n_next));
    decoder_.attend(rows, captures, next, n_text, found.probabilities.data() + first);
  }
  // Each row was written where its positions begin.
  for (float* row = found.weights.data(); row != found.weights.data() + found.weights.size();
       row += n_audio) {
    audio_of(window).rows.spread(row);
  }
  return found;
}

LogitRows CpuModel::run(std::span<const cpu::DecoderRow> rows) {
  const auto wanted = std::ranges::count_if(rows, [](const auto& row) { return row.wants_logits; });
  logits_.resize(std::max(logits_.size(), static_cast<std::size_t>(wanted * dims().n_vocab)));
  float* out = logits_.data();
  while (!rows.empty()) {
    const auto part = rows.first(std::min<std::size_t>(rows.size(), cpu::Decoder::max_rows));
    decoder_(part, out);
    out += std::ranges::count_if(part, [](const auto& row) { return row.wants_logits; }) *
           dims().n_vocab;
    rows = rows.subspan(part.size());
  }
  return {logits_.data(), static_cast<int>(wanted), dims().n_vocab};
}

bool keeps_half_weights(const Weights& weights, ComputeType type) {
  return type == ComputeType::float32 && cpu::exact_type(weights) == cpu::MatrixType::float16;
}

Result<std::unique_ptr<Model>> load_cpu_model(std::shared_ptr<const Weights> weights,
                                              ComputeType type, kernels::Isa isa, int threads,
                                              const MemoryWish& wish,
                                              std::vector<std::string>& notes,
                                              std::optional<SpecialTokens> specials) {
  const auto heads = check_heads(weights->dims());
  if (!heads) return heads.error();
  if (const auto best = kernels::best_isa(platform::probe_cpu()); best && *best != isa) {
    notes.push_back(std::string("products of this CPU's ") + kernels::name(*best) + " are wrong; " +
                    kernels::name(isa) + " is used");
  }
  try {
    auto packed =
        cpu::load_packed(*weights, matrix_type(type, *weights), cpu::pack_cache_folder(), notes);
    if (!specials) specials = special_tokens(weights->dims().n_vocab).value();
    packed.n_preselected = specials->leading_text();
    auto model = std::make_unique<CpuModel>(std::move(weights), std::move(packed),
                                            *std::move(specials), isa, threads);
    model->plan_for(platform::read_memory(platform::FileReader("/")).free(), wish);
    return std::unique_ptr<Model>(std::move(model));
  } catch (...) {
    return error_of_current_exception("model");
  }
}

}  // namespace engine
