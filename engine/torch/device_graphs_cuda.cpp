#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <utility>

#include "engine/torch/device_graphs.h"

// Records steps as CUDA graphs, for the CUDA worker.
namespace engine {
namespace {

class CudaGraph : public RecordedStep {
 public:
  at::Tensor replay() override {
    graph.replay();
    return result;
  }

  at::cuda::CUDAGraph graph;
  at::Tensor result;
};

class CudaRecorder : public StepRecorder {
 public:
  explicit CudaRecorder(c10::DeviceIndex device)
      : stream_(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device)) {}

  // libtorch ends a pool with the last graph that was recorded into it, and its id with it.
  void begin_generation() override { pool_ = at::cuda::graph_pool_handle(); }

  Recording record(const Step& step) override {
    const auto current = c10::cuda::getCurrentCUDAStream(stream_.device_index());
    current.synchronize();
    Recording made;
    // Recording is not possible on the default stream. The run before it is the step's own: there
    // libraries allocate their workspaces and choose their kernels.
    const c10::cuda::CUDAStreamGuard guard(stream_);
    made.result = step();
    stream_.synchronize();
    // The allocator gives nothing back while it records, so it does before: what a step as it is
    // computes with, and what a recorded one does, need not lie side by side.
    c10::cuda::CUDACachingAllocator::emptyCache();
    auto recorded = std::make_unique<CudaGraph>();
    if (made.failure = capture(step, *recorded); made.failure.empty()) {
      made.recorded = std::move(recorded);
    }
    return made;
  }

 private:
  // Returns why it failed; empty: it did not.
  std::string capture(const Step& step, CudaGraph& to) {
    bool recording = false;
    try {
      // Only this thread is watched for calls that must not happen meanwhile.
      to.graph.capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
      recording = true;
      to.result = step();
      recording = false;
      to.graph.capture_end();
      return {};
    } catch (const c10::Error& failure) {
      give_up(to.graph, recording);
      return failure.what_without_backtrace();
    } catch (const std::exception& failure) {
      give_up(to.graph, recording);
      return failure.what();
    }
  }

  // libtorch 2.11 leaves its allocator as while recording where the begin or the end of a recording
  // fails: it would give no memory back any more, and let nothing else be recorded into the pool.
  void give_up(at::cuda::CUDAGraph& graph, bool recording) const {
    try {
      if (recording) graph.capture_end();
    } catch (const std::exception&) {
      // The failure has been told already.
    }
    try {
      c10::cuda::CUDACachingAllocator::endAllocateToPool(stream_.device_index(), pool_);
    } catch (const std::exception&) {
      // The allocator had been told of the end.
    }
    static_cast<void>(cudaGetLastError());  // the next call would report it
  }

  c10::cuda::CUDAStream stream_;
  // The graphs of a generation share this memory, as they never run at the same time: only their
  // results outlive a replay, and those are read before the next.
  c10::MempoolId_t pool_{};
};

}  // namespace

std::unique_ptr<StepGraphs> make_step_graphs(const at::Device& device) {
  if (!device.is_cuda()) return nullptr;
  return std::make_unique<StepGraphs>(std::make_unique<CudaRecorder>(device.index()));
}

}  // namespace engine
