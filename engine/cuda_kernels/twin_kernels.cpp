#include "engine/cuda_kernels/twin_kernels.h"

#include <vector>

#include "engine/cuda_kernels/arguments.h"

namespace engine {
namespace {

using namespace cuda_kernels;

template <class T, Epilogue epilogue>
void run_linear(const FusedLinear& call) {
  const LinearArguments<T> a = arguments_of<T>(call);
  const int bytes = linear_shared_bytes(a.k, a.norm_weight != nullptr, sizeof(T));
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
void run_attention(const FusedAttention& call, const AttentionScratch& scratch) {
  const AttentionArguments<T> a = arguments_of<T>(call, scratch);
  std::vector<float> shared(attention_shared_bytes / sizeof(float));
  for (int z = a.splits - 1; z >= 0; --z) {
    for (int y = 0; y < a.rows; ++y) {
      for (int x = 0; x < a.heads; ++x) {
        one_query_attention<T>(a, Block(x, y, z), shared.data());
      }
    }
  }
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
    by_type(call.query,
            [&](auto number) { run_attention<decltype(number)>(call, scratches_.of(call)); });
  }

 private:
  AttentionScratches scratches_{at::kCPU};
};

}  // namespace

std::unique_ptr<StepKernels> make_twin_kernels() {
  return std::make_unique<TwinKernels>();
}

}  // namespace engine
