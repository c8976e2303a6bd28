#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <map>
#include <utility>

#include "engine/torch/device_graphs.h"

// Records steps as CUDA graphs, for the CUDA worker.
namespace engine {
namespace {

// This is far more than the shapes of steady work; each keeps its logits and the memory between its
// kernels.
constexpr std::size_t most_graphs = 64;

class CudaGraphs : public StepGraphs {
 public:
  explicit CudaGraphs(c10::DeviceIndex device)
      : stream_(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device)),
        pool_(at::cuda::graph_pool_handle()) {}

  at::Tensor run(const StepShape& shape, const std::function<at::Tensor()>& step) override {
    auto found = graphs_.find(shape);
    if (found == graphs_.end()) {
      auto recorded = gave_up_ ? nullptr : record(step);
      if (!recorded) return step();
      if (graphs_.size() >= most_graphs) graphs_.clear();
      found = graphs_.emplace(shape, std::move(recorded)).first;
    }
    found->second->graph.replay();
    return found->second->result;
  }

  void forget() override { graphs_.clear(); }
  bool gave_up() const override { return gave_up_; }

 private:
  struct Recorded {
    at::cuda::CUDAGraph graph;
    at::Tensor result;
  };

  // Returns null where recording is not possible, from then on for good. A step's own failure goes
  // through: it comes from the run before the recording.
  std::unique_ptr<Recorded> record(const std::function<at::Tensor()>& step) {
    c10::cuda::getCurrentCUDAStream(stream_.device_index()).synchronize();
    // Recording is not possible on the default stream.
    const c10::cuda::CUDAStreamGuard guard(stream_);
    // Libraries allocate their workspaces and choose their kernels the first time.
    step();
    stream_.synchronize();
    auto recorded = std::make_unique<Recorded>();
    bool recording = false;
    try {
      // Only this thread is watched for calls that must not happen meanwhile.
      recorded->graph.capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
      recording = true;
      recorded->result = step();
      recording = false;
      recorded->graph.capture_end();
      return recorded;
    } catch (const std::exception& failure) {
      TORCH_WARN("decode steps run without CUDA graphs, since one could not be recorded: ",
                 failure.what());
    }
    if (recording) end_recording(recorded->graph);
    cudaGetLastError();  // the next call would report it
    gave_up_ = true;
    return nullptr;
  }

  static void end_recording(at::cuda::CUDAGraph& graph) {
    try {
      graph.capture_end();
    } catch (const std::exception&) {
      // The failure has been told already.
    }
  }

  c10::cuda::CUDAStream stream_;
  // All graphs share the pool, as they never run at the same time: only their results outlive a
  // replay, and those are read before the next.
  c10::MempoolId_t pool_;
  std::map<StepShape, std::unique_ptr<Recorded>> graphs_;
  bool gave_up_ = false;
};

}  // namespace

std::unique_ptr<StepGraphs> make_step_graphs(const at::Device& device) {
  if (!device.is_cuda()) return nullptr;
  return std::make_unique<CudaGraphs>(device.index());
}

}  // namespace engine
