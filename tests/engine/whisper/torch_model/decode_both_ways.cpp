// Decodes the first 30 seconds of recordings by many rules, on the model of CPUs and on the model
// of GPUs, which chooses where its logits are and decodes all rules side by side. Prints a line of
// JSON for each recording and rule: decode_both_ways [--kernels | --int8] MODEL FILE.s16le…
// With --kernels the latter takes its steps on the twins of the fused kernels, with --int8 so, too,
// and from weights and windows in int8.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda_kernels/twin_kernels.h"
#include "engine/whisper/audio/encoder_input.h"
#include "engine/whisper/audio/log_mel.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/decoding/choice_rules.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/torch_model/batched_model.h"
#include "engine/whisper/torch_model/torch_model.h"

namespace {

using namespace engine;

struct Rule {
  std::string name;
  DecodingOptions options;
};

template <class Change>
Rule rule(const Tokenizer& tokenizer, const std::string& name, Change change) {
  DecodingOptions options;
  options.language = "en";
  options.suppress_tokens = resolve_suppress_tokens(std::vector{-1}, tokenizer);
  change(options);
  return {name, options};
}

std::vector<Rule> all_rules(const Tokenizer& t) {
  return {
      rule(t, "greedy", [](auto&) {}),
      rule(t, "five beams", [](auto& o) { o.beam_size = 5; }),
      rule(t, "two beams with patience", [](auto& o) { o.beam_size = 2, o.patience = 2; }),
      rule(t, "no timestamps", [](auto& o) { o.without_timestamps = true; }),
      rule(t, "no timestamps, beams",
           [](auto& o) { o.without_timestamps = true, o.beam_size = 3; }),
      rule(t, "a prompt", [&](auto& o) { o.prompt = t.encode(" Please hold the line."); }),
      rule(t, "a prefix", [&](auto& o) { o.prefix = t.encode(" And then"); }),
      rule(t, "any first timestamp", [](auto& o) { o.max_initial_timestamp.reset(); }),
      rule(t, "nothing suppressed",
           [](auto& o) { o.suppress_tokens.clear(), o.suppress_blank = false; }),
      rule(t, "a repetition penalty", [](auto& o) { o.repetition_penalty = 1.2; }),
      rule(t, "no pair twice", [](auto& o) { o.no_repeat_ngram_size = 2, o.beam_size = 4; }),
      rule(t, "ten tokens", [](auto& o) { o.sample_len = 10; }),
      rule(t, "samples", [](auto& o) { o.temperature = 0.7, o.best_of = 5, o.seed = 17; }),
  };
}

MelWindow first_window(const char* file, int n_mels) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(stream), {});
  std::vector<float> pcm(std::min<std::size_t>(bytes.size() / 2, 16'000 * window_s));
  for (std::size_t i = 0; i < pcm.size(); ++i) {
    const auto low = static_cast<unsigned char>(bytes[2 * i]);
    const auto high = static_cast<unsigned char>(bytes[2 * i + 1]);
    pcm[i] = static_cast<float>(static_cast<std::int16_t>(low | high << 8)) / 32768;
  }
  LogMel mel(n_mels);
  MelFrames frames = mel.push(pcm);
  const MelFrames last = mel.finish();
  frames.values.insert(frames.values.end(), last.values.begin(), last.values.end());
  const auto heard = std::min(frames.frames(), window_frames) * n_mels;
  return encoder_input(std::span(frames.values).first(static_cast<std::size_t>(heard)), n_mels,
                       frames.loudest());
}

std::vector<DecodingResult> decode(Runner& runner, const Tokenizer& tokenizer, const MelWindow& mel,
                                   const std::vector<Rule>& rules) {
  const EncodedWindow window = runner.encode(mel).value();
  std::vector<WindowDecoding> decodings;
  for (const Rule& one : rules) {
    decodings.push_back(WindowDecoding::create(one.options, tokenizer, runner.dims()).value());
  }
  return runner.decode_together(window, std::move(decodings), {}).value();
}

std::string list(const std::vector<int>& tokens) {
  std::string text;
  for (const int token : tokens) text += (text.empty() ? "" : ", ") + std::to_string(token);
  return "[" + text + "]";
}

void print(const char* file, const std::string& rule, const DecodingResult& plain,
           const DecodingResult& batched) {
  std::printf(
      "{\"file\": \"%s\", \"rule\": \"%s\", \"plain\": %s, \"batched\": %s, "
      "\"plain_logprob\": %.6f, \"batched_logprob\": %.6f}\n",
      file, rule.c_str(), list(plain.tokens).c_str(), list(batched.tokens).c_str(),
      plain.avg_logprob, batched.avg_logprob);
}

enum class Way { libtorch, kernels, int8 };

Result<std::unique_ptr<Model>> load_batched(const std::shared_ptr<const Weights>& weights,
                                            Way way) {
  constexpr MemoryWish wish{.windows = 4, .rows_per_window = 12};
  if (way == Way::libtorch) return load_batched_model(weights, Placement{}, {}, wish);
  const bool int8 = way == Way::int8;
  const Placement placement{at::kCPU, ComputeType::float32, int8};
  auto whisper = load_whisper(weights, placement);
  auto stores = allocate_stores(weights->dims(), placement, wish, {.int8_windows = int8});
  return std::unique_ptr<Model>(std::make_unique<BatchedModel>(
      std::move(*whisper), special_tokens(weights->dims().n_vocab).value(),
      StepTools{nullptr, make_twin_kernels()}, std::move(*stores),
      KernelUse{.most_rows = 64, .why = {}, .chooses = true}));
}

void compare(const char* model, const std::vector<const char*>& files, Way way) {
  const auto weights = std::make_shared<const Weights>(read_weights(model).value());
  const Tokenizer tokenizer = Tokenizer::load(model, weights->dims().n_vocab).value();
  at::set_num_threads(2);
  const auto start = [&](auto load) { return Runner::start(load).value(); };
  const auto plain = start([&] { return load_torch_model(weights, Placement{}); });
  const auto batched = start([&] { return load_batched(weights, way); });
  const auto rules = all_rules(tokenizer);
  for (const char* file : files) {
    const MelWindow mel = first_window(file, weights->dims().n_mels);
    const auto expected = decode(*plain, tokenizer, mel, rules);
    const auto found = decode(*batched, tokenizer, mel, rules);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      print(file, rules[i].name, expected[i], found[i]);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<const char*> arguments(argv + 1, argv + argc);
  Way way = Way::libtorch;
  if (!arguments.empty() && std::strcmp(arguments[0], "--kernels") == 0) way = Way::kernels;
  if (!arguments.empty() && std::strcmp(arguments[0], "--int8") == 0) way = Way::int8;
  if (way != Way::libtorch) arguments.erase(arguments.begin());
  if (arguments.size() < 2) {
    std::fprintf(stderr, "decode_both_ways [--kernels | --int8] MODEL FILE.s16le…\n");
    return 2;
  }
  try {
    compare(arguments[0], {arguments.begin() + 1, arguments.end()}, way);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
