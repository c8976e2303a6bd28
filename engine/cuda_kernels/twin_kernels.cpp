#include "engine/cuda_kernels/twin_kernels.h"

#include <vector>

#include "engine/cuda_kernels/arguments.h"

namespace engine {
namespace {

using namespace cuda_kernels;

template <class T, Epilogue epilogue>
void run_linear(const FusedLinear& call) {
  const LinearArguments<T> a = arguments_of<T>(call);
  const int bytes = linear_shared_bytes(a.k, a.norm_weight != nullptr);
  std::vector<float> shared(static_cast<std::size_t>(bytes) / sizeof(float));
  for (int y = 0; y < count_rows_of_blocks(call); ++y) {
    for (int x = 0; x < count_columns_of_blocks(call); ++x) {
      layer_linear<T, epilogue>(a, Block(x, y, 0), shared.data());
    }
  }
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

// Blocks of a head need not run in their order; here they run in the opposite one.
template <class T>
void run_attention(const FusedAttention& call) {
  const auto heads = call.keys.size(1);
  const int splits = splits_for(call.rows, static_cast<int>(heads), call.length);
  const AttentionScratch scratch{at::empty({call.rows, heads, splits, head_width + 2}, at::kFloat),
                                 at::zeros({call.rows, heads}, at::kInt)};
  const AttentionArguments<T> a = arguments_of<T>(call, scratch);
  std::vector<float> shared(attention_shared_bytes / sizeof(float));
  for (int z = splits - 1; z >= 0; --z) {
    for (int y = 0; y < a.rows; ++y) {
      for (int x = 0; x < a.heads; ++x) {
        one_query_attention<T>(a, Block(x, y, z), shared.data());
      }
    }
  }
}

class TwinKernels : public StepKernels {
 public:
  void linear(const FusedLinear& call) override {
    if (call.x.scalar_type() == at::kHalf) return run_linear<c10::Half>(call);
    TORCH_CHECK(call.x.scalar_type() == at::kBFloat16, "fused linear: float16 or bfloat16");
    run_linear<c10::BFloat16>(call);
  }

  void attention(const FusedAttention& call) override {
    if (call.query.scalar_type() == at::kHalf) return run_attention<c10::Half>(call);
    TORCH_CHECK(call.query.scalar_type() == at::kBFloat16, "fused attention: float16 or bfloat16");
    run_attention<c10::BFloat16>(call);
  }
};

}  // namespace

std::unique_ptr<StepKernels> make_twin_kernels() {
  return std::make_unique<TwinKernels>();
}

}  // namespace engine
