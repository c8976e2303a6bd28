#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <array>
#include <map>
#include <string>

#include "engine/cuda_kernels/arguments.h"
#include "engine/cuda_kernels/edge_arguments.h"
#include "engine/cuda_kernels/kernel_binaries.h"

// Launches the kernels on a card, for the CUDA worker. The runtime loads them as a library, which
// CUDA has since 12.8; workers of older ones have none.
namespace engine {

#if CUDART_VERSION < 12080

std::unique_ptr<StepKernels> make_step_kernels(const at::Device&) {
  return nullptr;
}

#else

namespace {

using namespace cuda_kernels;

// Returns the machine code for this card, the newest that it can run; null where there is none.
const void* code_for(int major, int minor) {
  const void* found = nullptr;
  for (const KernelBinary& binary : kernel_binaries()) {
    if (binary.major == major && binary.minor <= minor) found = binary.code;
  }
  return found;
}

const char* name_of(Epilogue epilogue) {
  switch (epilogue) {
    case Epilogue::store:
      return "store";
    case Epilogue::append:
      return "append";
    case Epilogue::gelu:
      return "gelu";
    case Epilogue::add:
      return "add";
    case Epilogue::logits:
      return "logits";
  }
  return "";
}

class CudaKernels : public StepKernels {
 public:
  CudaKernels(c10::DeviceIndex device, const void* code) : device_(device) {
    const c10::cuda::CUDAGuard guard(device_);
    C10_CUDA_CHECK(cudaLibraryLoadData(&library_, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  }
  CudaKernels(const CudaKernels&) = delete;
  ~CudaKernels() override { static_cast<void>(cudaLibraryUnload(library_)); }

  void linear(const FusedLinear& call) override {
    const auto name = std::string("linear_") + name_of(call.epilogue);
    const Grid grid{.x = count_columns_of_blocks(call), .y = count_rows_of_blocks(call)};
    const int shared = linear_shared_bytes(static_cast<int>(call.matrix.weight.values.size(1)),
                                           call.norm_weight.defined(), /*number_bytes=*/2);
    // Both types' arguments are pointers and numbers of the same sizes.
    auto arguments = arguments_of<c10::Half>(call);
    launch(name + suffix_of(call.x), grid, shared, &arguments);
  }

  void attention(const FusedAttention& call) override {
    // All types' arguments are pointers and numbers of the same sizes.
    auto arguments = arguments_of<c10::Half>(call, scratch_for(call));
    const Grid grid{.x = arguments.heads, .y = arguments.rows, .z = arguments.splits};
    launch((call.keys.is_int8() ? "attention_int8" : "attention") + suffix_of(call.query), grid,
           attention_shared_bytes, &arguments);
  }

  void embed(const FusedEmbedding& call) override {
    auto arguments = arguments_of<c10::Half>(call);
    launch("embedding" + suffix_of(call.x), grid_of(call), 0, &arguments);
  }

  void choice_pieces(const FusedChoice& call) override {
    auto arguments = arguments_of(call);
    launch("choice_pieces", grid_of_pieces(arguments), choice_pieces_shared_bytes, &arguments);
  }

  void choice_join(const FusedChoice& call) override {
    auto arguments = arguments_of(call);
    launch("choice_joined", grid_of_join(arguments), choice_join_shared_bytes, &arguments);
  }

  void move_beams(const FusedMove& call) override {
    auto arguments = arguments_of(call);
    launch("beams_moved", grid_of(call, arguments), 0, &arguments);
  }

 private:
  static std::string suffix_of(const at::Tensor& x) {
    TORCH_CHECK(x.scalar_type() == at::kHalf || x.scalar_type() == at::kBFloat16,
                "fused kernels: float16 or bfloat16");
    return x.scalar_type() == at::kHalf ? "_half" : "_bfloat16";
  }

  // A graph that was recorded keeps the addresses, so memory that was handed out stays until the
  // end. Kernels follow one another on one stream, so those of one size may share it.
  const AttentionScratch& scratch_for(const FusedAttention& call) {
    const int heads = static_cast<int>(call.keys.values.size(1));
    auto& scratch = scratch_[{call.rows * heads, splits_for(call.rows, heads, call.length)}];
    if (!scratch.partial.defined()) scratch = make_scratch(call, at::Device(at::kCUDA, device_));
    return scratch;
  }

  cudaKernel_t kernel_of(const std::string& name) {
    const auto known = kernels_.find(name);
    if (known != kernels_.end()) return known->second;
    cudaKernel_t kernel = nullptr;
    C10_CUDA_CHECK(cudaLibraryGetKernel(&kernel, library_, name.c_str()));
    // Every card from 7.5 on allows 64 KiB to a block that asks for them; Whisper's widest norm is
    // of 1280 numbers.
    static_assert(linear_shared_bytes(1280, /*has_norm=*/true, /*number_bytes=*/2) <= 64 * 1024);
    C10_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    kernels_.emplace(name, kernel);
    return kernel;
  }

  void launch(const std::string& name, const Grid& grid, int shared, void* arguments) {
    const c10::cuda::CUDAGuard guard(device_);
    const auto stream = c10::cuda::getCurrentCUDAStream(device_);
    std::array<void*, 1> pointers{arguments};
    const dim3 blocks(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                      static_cast<unsigned>(grid.z));
    C10_CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel_of(name)), blocks,
                                    dim3(threads_of_a_block), pointers.data(),
                                    static_cast<std::size_t>(shared), stream.stream()));
  }

  c10::DeviceIndex device_;
  cudaLibrary_t library_ = nullptr;
  std::map<std::string, cudaKernel_t> kernels_{};
  std::map<std::pair<int, int>, AttentionScratch> scratch_{};
};

}  // namespace

std::unique_ptr<StepKernels> make_step_kernels(const at::Device& device) {
  if (!device.is_cuda()) return nullptr;
  cudaDeviceProp properties{};
  C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, device.index()));
  const void* const code = code_for(properties.major, properties.minor);
  if (code == nullptr) return nullptr;
  return std::make_unique<CudaKernels>(device.index(), code);
}

#endif

}  // namespace engine
