// The kernels of decode steps, as scripts/compile_kernels compiles them with NVRTC. The names are
// those by which kernel_module looks them up.
#include "engine/cuda_kernels/choice_join.h"
#include "engine/cuda_kernels/choice_pieces.h"
#include "engine/cuda_kernels/layer_linear.h"
#include "engine/cuda_kernels/one_query_attention.h"
#include "engine/cuda_kernels/step_edges.h"

using namespace kernels_on_cards;

// Parts of it are tiles of the matrix units, which want 32 bytes.
extern __shared__ __align__(32) float shared_memory[];

#define LINEAR(name, type, epilogue)                                                            \
  extern "C" __global__ void __launch_bounds__(256) linear_##name(LinearArguments<type> a) {    \
    layer_linear<type, Epilogue::epilogue>(a, Block(), shared_memory);                          \
  }

#define KERNELS_OF(type, suffix)                                                                \
  LINEAR(store_##suffix, type, store)                                                           \
  LINEAR(append_##suffix, type, append)                                                         \
  LINEAR(gelu_##suffix, type, gelu)                                                             \
  LINEAR(add_##suffix, type, add)                                                               \
  LINEAR(logits_##suffix, type, logits)                                                         \
  extern "C" __global__ void __launch_bounds__(256)                                             \
      attention_##suffix(AttentionArguments<type> a) {                                          \
    one_query_attention(a, Block(), shared_memory);                                             \
  }                                                                                             \
  extern "C" __global__ void __launch_bounds__(256)                                             \
      attention_int8_##suffix(AttentionArguments<type, signed char> a) {                        \
    one_query_attention(a, Block(), shared_memory);                                             \
  }                                                                                             \
  extern "C" __global__ void __launch_bounds__(256)                                             \
      embedding_##suffix(EmbeddingArguments<type> a) {                                          \
    row_embedding<type>(a, Block());                                                            \
  }

extern "C" __global__ void __launch_bounds__(256) choice_pieces(ChoiceArguments a) {
  choice_piece(a, Block(), shared_memory);
}
extern "C" __global__ void __launch_bounds__(256) choice_joined(ChoiceArguments a) {
  choice_join(a, Block(), shared_memory);
}
extern "C" __global__ void __launch_bounds__(256) beams_moved(MoveArguments a) {
  move_beams(a, Block());
}

KERNELS_OF(__half, half)
// Cards of compute capability 7.5 have no products of bfloat16.
#if __CUDA_ARCH__ >= 800
KERNELS_OF(__nv_bfloat16, bfloat16)
#endif
