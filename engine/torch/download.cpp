#include "engine/torch/download.h"

#include <c10/core/impl/VirtualGuardImpl.h>

namespace engine {

Download::Download(const at::Tensor& from) {
  if (!from.is_cuda()) {
    host_ = from.to(at::kCPU, from.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
    return;
  }
  host_ = at::empty(from.sizes(), at::TensorOptions(from.scalar_type()).pinned_memory(true));
  host_.copy_(from, /*non_blocking=*/true);
  const at::Device device = from.device();
  done_.emplace(device.type());
  done_->record(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
}

const at::Tensor& Download::wait() {
  if (done_) done_->synchronize();
  return host_;
}

}  // namespace engine
