#include "engine/cuda_kernels/twin_kernels.h"

#include <vector>

#include "engine/cuda_kernels/arguments.h"
#include "engine/cuda_kernels/edge_arguments.h"

namespace engine {
namespace {

using namespace cuda_kernels;

// Blocks need not run in their order; here they run in the opposite one.
template <class Run>
void each_block(const Grid& grid, Run run) {
  for (int z = grid.z - 1; z >= 0; --z) {
    for (int y = grid.y - 1; y >= 0; --y) {
      for (int x = grid.x - 1; x >= 0; --x) run(Block(x, y, z));
    }
  }
}

template <class T, Epilogue epilogue>
void run_linear(const FusedLinear& call) {
  const LinearArguments<T> a = arguments_of<T>(call);
  const int bytes = linear_shared_bytes(a.k, a.norm_weight != nullptr, sizeof(T));
  std::vector<float> shared(static_cast<std::size_t>(bytes) / sizeof(float));
  const Grid grid{.x = count_columns_of_blocks(call), .y = count_rows_of_blocks(call)};
  each_block(grid, [&](const Block& block) { layer_linear<T, epilogue>(a, block, shared.data()); });
}

template <class T>
void run_linear(const FusedLinear& call) {
  switch (call.epilogue) {
    case Epilogue::store:
      return run_linear<T, Epilogue::store>(call);
    case Epilogue::append:
      return run_linear<T, Epilogue::append>(call);
    case Epilogue::gelu:
      return run_linear<T, Epilogue::gelu>(call);
    case Epilogue::add:
      return run_linear<T, Epilogue::add>(call);
    case Epilogue::logits:
      return run_linear<T, Epilogue::logits>(call);
  }
}

template <class T, class Stored>
void run_attention(const FusedAttention& call, const AttentionScratch& scratch) {
  const auto a = arguments_of<T, Stored>(call, scratch);
  std::vector<float> shared(attention_shared_bytes / sizeof(float));
  each_block({.x = a.heads, .y = a.rows, .z = a.splits},
             [&](const Block& block) { one_query_attention(a, block, shared.data()); });
}

// Calls `run` with a number of the tensor's type.
template <class Run>
void by_type(const at::Tensor& x, Run run) {
  switch (x.scalar_type()) {
    case at::kHalf:
      return run(c10::Half());
    case at::kBFloat16:
      return run(c10::BFloat16());
    case at::kFloat:
      return run(float());
    default:
      TORCH_CHECK(false, "fused kernels: no such type");
  }
}

class TwinKernels : public StepKernels {
 public:
  void linear(const FusedLinear& call) override {
    by_type(call.x, [&](auto number) { run_linear<decltype(number)>(call); });
  }

  void attention(const FusedAttention& call) override {
    by_type(call.query, [&](auto number) {
      using T = decltype(number);
      const AttentionScratch scratch = make_scratch(call, at::kCPU);
      call.keys.is_int8() ? run_attention<T, signed char>(call, scratch)
                          : run_attention<T, T>(call, scratch);
    });
  }

  void embed(const FusedEmbedding& call) override {
    by_type(call.x, [&](auto number) {
      const auto a = arguments_of<decltype(number)>(call);
      each_block(grid_of(call), [&](const Block& block) { row_embedding(a, block); });
    });
  }

  void choice_pieces(const FusedChoice& call) override {
    const ChoiceArguments a = arguments_of(call);
    std::vector<float> shared(choice_pieces_shared_bytes / sizeof(float));
    each_block(grid_of_pieces(a),
               [&](const Block& block) { choice_piece(a, block, shared.data()); });
  }

  void choice_join(const FusedChoice& call) override {
    const ChoiceArguments a = arguments_of(call);
    SearchMemory shared;
    each_block(grid_of_join(a),
               [&](const Block& block) { cuda_kernels::choice_join(a, block, &shared); });
  }

  void move_beams(const FusedMove& call) override {
    const MoveArguments a = arguments_of(call);
    each_block(grid_of(call, a), [&](const Block& block) { cuda_kernels::move_beams(a, block); });
  }
};

}  // namespace

std::unique_ptr<StepKernels> make_twin_kernels() {
  return std::make_unique<TwinKernels>();
}

}  // namespace engine
