#include "engine/cuda_kernels/edge_arguments.h"

namespace engine {
namespace {

using namespace cuda_kernels;

// Returns the pieces of all text and of all timestamps.
int pieces_of(const FusedChoice& call) {
  const auto n_vocab = static_cast<int>(call.logits.size(1));
  return count_pieces(call.timestamp_begin) + count_pieces(n_vocab - call.timestamp_begin);
}

// So many of the continuations of a beam remain if one of them ends.
int ranks_of(const FusedChoice& call) {
  return call.beam_size == 0 ? 1 : call.beam_size + 1;
}

bool is_dense(const at::Tensor& tensor, at::ScalarType type, std::int64_t numbers) {
  return tensor.is_contiguous() && tensor.scalar_type() == type && tensor.numel() >= numbers;
}

void check(const FusedChoice& call) {
  const auto rows = call.slots.numel();
  const auto n_vocab = call.logits.size(1);
  const auto slots = call.numbers.size(0);
  const auto places = call.search_rows.numel();
  TORCH_CHECK(rows > 0 && is_dense(call.logits, at::kFloat, rows * n_vocab) &&
                  call.timestamp_begin > 0 && call.timestamp_begin < n_vocab,
              "fused choice: odd logits");
  TORCH_CHECK(is_dense(call.numbers, at::kLong, slots * ChoiceColumns::n_numbers) &&
                  is_dense(call.reals, at::kDouble, slots * ChoiceColumns::n_reals) &&
                  is_dense(call.sum_logprobs, at::kFloat, slots) &&
                  is_dense(call.forbidden, at::kBool, slots * n_vocab) &&
                  is_dense(call.pairings, at::kLong, 24),
              "fused choice: odd tables");
  TORCH_CHECK(call.beam_size <= most_beams && places == call.beam_sizes.numel() * call.beam_size &&
                  is_dense(call.slots, at::kLong, rows) &&
                  is_dense(call.search_rows, at::kLong, places) &&
                  is_dense(call.said, at::kInt, 4 * rows + 3 * places) &&
                  is_dense(call.from, at::kLong, places) && is_dense(call.to, at::kLong, places),
              "fused choice: ", call.beam_size, " beams do not fit");
  const auto pieces = rows * pieces_of(call);
  TORCH_CHECK(is_dense(call.sums, at::kFloat, pieces * sums_of_a_piece) &&
                  is_dense(call.scores, at::kFloat, pieces * ranks_of(call)) &&
                  is_dense(call.tokens, at::kInt, pieces * ranks_of(call)),
              "fused choice: the memory between the launches does not fit");
}

}  // namespace

void add_scratch(FusedChoice& call) {
  const auto pieces = call.slots.numel() * pieces_of(call);
  const auto floats = call.logits.options();
  call.sums = at::empty({pieces * sums_of_a_piece}, floats);
  call.scores = at::empty({pieces * ranks_of(call)}, floats);
  call.tokens = at::empty({pieces * ranks_of(call)}, floats.dtype(at::kInt));
}

namespace cuda_kernels {

void check(const FusedEmbedding& call) {
  const auto n = call.tokens.size(1);
  const auto rows = call.slots.numel();
  const auto type = call.tokens.scalar_type();
  TORCH_CHECK(rows > 0 && is_dense(call.numbers, at::kLong, ChoiceColumns::n_numbers) &&
                  is_dense(call.slots, at::kLong, rows) &&
                  is_dense(call.positions, at::kLong, rows) && is_dense(call.tokens, type, n) &&
                  is_dense(call.places, type, n) && call.places.size(1) == n &&
                  is_dense(call.x, type, rows * n) && call.x.size(1) == n,
              "fused embedding: ", rows, " rows do not fit");
}

ChoiceArguments arguments_of(const FusedChoice& call) {
  engine::check(call);
  const auto rows = call.slots.numel();
  const auto places = call.search_rows.numel();
  int* const said = call.said.data_ptr<int>();
  const auto floats = [&](std::int64_t first) { return reinterpret_cast<float*>(said + first); };
  return {.logits = call.logits.const_data_ptr<float>(),
          .numbers = call.numbers.data_ptr<std::int64_t>(),
          .reals = call.reals.const_data_ptr<double>(),
          .sum_logprobs = call.sum_logprobs.data_ptr<float>(),
          .forbidden = static_cast<const unsigned char*>(call.forbidden.const_data_ptr()),
          .pairings = call.pairings.const_data_ptr<std::int64_t>(),
          .slots = call.slots.const_data_ptr<std::int64_t>(),
          .search_rows = call.search_rows.const_data_ptr<std::int64_t>(),
          .beam_sizes = call.beam_sizes.const_data_ptr<std::int64_t>(),
          .sums = call.sums.data_ptr<float>(),
          .scores = call.scores.data_ptr<float>(),
          .tokens = call.tokens.data_ptr<int>(),
          .said_tokens = said,
          .said_logprobs = floats(rows),
          .said_sums = floats(2 * rows),
          .said_checks = floats(3 * rows),
          .said_sources = said + 4 * rows,
          .said_ended = said + 4 * rows + places,
          .said_ended_sums = floats(4 * rows + 2 * places),
          .from = call.from.data_ptr<std::int64_t>(),
          .to = call.to.data_ptr<std::int64_t>(),
          .rows = static_cast<int>(rows),
          .searches = static_cast<int>(call.beam_sizes.numel()),
          .beam_size = call.beam_size,
          .n_vocab = static_cast<int>(call.logits.size(1)),
          .timestamp_begin = call.timestamp_begin,
          .eot = call.eot,
          .last_position = call.last_position,
          .nobody = static_cast<int>(call.numbers.size(0)) - 1,
          .ranks = ranks_of(call),
          .samples = call.samples};
}

MoveArguments arguments_of(const FusedMove& call) {
  const auto places = call.from.numel();
  const at::Tensor& history = call.history;
  const auto bytes = static_cast<std::int64_t>(history.element_size());
  TORCH_CHECK(history.dim() == 6 && history.is_contiguous() && history.size(5) * bytes % 8 == 0 &&
                  call.length <= history.size(4),
              "fused move: an odd history");
  TORCH_CHECK(call.beam_size > 0 && call.beam_size <= most_beams && places % call.beam_size == 0 &&
                  is_dense(call.from, at::kLong, places) && is_dense(call.to, at::kLong, places),
              "fused move: ", call.beam_size, " beams do not fit");
  const auto words = [&](std::int64_t numbers) { return numbers * bytes / 8; };
  return {.history = static_cast<std::int64_t*>(history.data_ptr()),
          .from = call.from.const_data_ptr<std::int64_t>(),
          .to = call.to.const_data_ptr<std::int64_t>(),
          .plane_stride = words(history.stride(1)),
          .slot_stride = words(history.stride(2)),
          .head_stride = words(history.stride(3)),
          .words = static_cast<int>(words(call.length * history.size(5))),
          .heads = static_cast<int>(history.size(3)),
          .beam_size = call.beam_size};
}

Grid grid_of(const FusedMove& call, const MoveArguments& a) {
  return {.x = (a.words * a.heads + threads_of_a_block - 1) / threads_of_a_block,
          .y = static_cast<int>(call.history.size(0) * call.history.size(1)),
          .z = static_cast<int>(call.from.numel()) / call.beam_size};
}

}  // namespace cuda_kernels
}  // namespace engine
