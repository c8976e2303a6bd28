#include "engine/whisper/bench/card_model.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "engine/whisper/model/size_of.h"

namespace engine {
namespace {

constexpr double tera = 1e12;
constexpr double giga = 1e9;

// NVIDIA's data sheets: H100 (2023), H200 (2024), Ada architecture whitepaper (2022), A10 (2021),
// L4 (2023). Figures "with sparsity" are halved.
constexpr std::array<Card, 5> cards{{
    {"h100", "NVIDIA H100 SXM5", 989.4 * tera, 66.9 * tera, 3350 * giga, 80 * giga},
    {"h200", "NVIDIA H200 SXM5", 989.4 * tera, 66.9 * tera, 4800 * giga, 141 * giga},
    {"4090", "NVIDIA GeForce RTX 4090", 165.2 * tera, 82.6 * tera, 1008 * giga, 24 * giga},
    {"a10", "NVIDIA A10", 125 * tera, 31.2 * tera, 600 * giga, 24 * giga},
    {"l4", "NVIDIA L4", 121 * tera, 30.3 * tera, 300 * giga, 24 * giga},
}};

constexpr double seconds_of_a_window = 30;
constexpr int prompt_tokens = 4;

// Returns the bytes of all weights, and of the keys and values of `batch` windows with one row
// each.
double memory_need(const ModelDims& d, ComputeType type, int batch) {
  const platform::ModelSize size = size_of(d);
  const NumberSizes bytes = sizes_on_gpu(type);
  const auto linear = static_cast<double>(encoder_layer_weights(size) +
                                          decoder_layer_weights(size) + cross_weights(size));
  const auto window = static_cast<double>(keys_and_values(size, d.n_audio_ctx));
  const auto row = static_cast<double>(keys_and_values(size, d.n_text_ctx));
  return bytes.weight * linear +
         bytes.vocabulary * (static_cast<double>(size.parameters) - linear) +
         batch * (bytes.cross * window + bytes.self * row);
}

// Adds what a step on libtorch's operations takes. The kernels' products read weights as they are.
void add_libtorch(CardStep& step, const ModelDims& dims, ComputeType type,
                  const MachineLimits& limits) {
  const bool int8 = type == ComputeType::int8;
  step.libtorch_launches = (int8 ? libtorch_int8_path : libtorch_path).launches(dims);
  Work work = step.work;
  if (int8) {
    work.bytes += libtorch_int8_bytes * static_cast<double>(decoder_layer_weights(size_of(dims)));
  }
  step.libtorch_s = ideal_time(work, limits).seconds + launch_s * step.libtorch_launches;
}

CardStep step_of(const CardModel& model, const ModelDims& dims, ComputeType type,
                 const MachineLimits& limits, int batch) {
  CardStep step;
  step.batch = batch;
  step.work = step_work(dims, sizes_on_gpu(type), batch, prompt_tokens + tokens_of_a_window / 2);
  step.ideal = ideal_time(step.work, limits);
  step.fused_s = step.ideal.seconds + launch_s * fused_path.launches(dims);
  add_libtorch(step, dims, type, limits);
  const double window_s = model.encoder_ideal.seconds + tokens_of_a_window * step.fused_s / batch;
  step.real_time = seconds_of_a_window / window_s;
  step.fits = memory_need(dims, type, batch) <= model.card.memory_bytes;
  return step;
}

}  // namespace

Result<Card> card_of(std::string_view name) {
  const auto* found = std::ranges::find(cards, name, &Card::name);
  if (found != cards.end()) return *found;
  std::string known;
  for (const Card& card : cards) known += " " + std::string(card.name);
  return Error{Errc::invalid_option, "there are no figures of a card '" + std::string(name) + "'",
               "Use one of:" + known + "."};
}

CardModel model_of(const Card& card, const ModelDims& dims, ComputeType type,
                   const std::vector<int>& batches) {
  const MachineLimits limits{
      type == ComputeType::float32 ? card.single_operations_per_s : card.half_operations_per_s,
      card.bytes_per_s};
  CardModel model{.card = card,
                  .encoder = encoder_work(dims, sizes_on_gpu(type)),
                  .encoder_ideal = {},
                  .steps = {}};
  model.encoder_ideal = ideal_time(model.encoder, limits);
  for (const int batch : batches) {
    model.steps.push_back(step_of(model, dims, type, limits, batch));
  }
  return model;
}

}  // namespace engine
