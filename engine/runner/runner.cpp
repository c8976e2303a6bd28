#include "engine/runner/runner.h"

#include "engine/runner/device_loop.h"

namespace engine {

Runner::Runner(Whisper model, int threads)
    : dims_(model.dims), loop_(std::make_unique<DeviceLoop>(std::move(model), threads)) {}

Runner::~Runner() = default;

Result<EncodedWindow> Runner::encode(at::Tensor mel) {
  EncodeWork work{std::move(mel), {}};
  auto answer = work.answer.get_future();
  loop_->submit(std::move(work));
  return answer.get();
}

Result<at::Tensor> Runner::logits_after_sot(EncodedWindow window, int sot) {
  SotLogitsWork work{std::move(window), sot, {}};
  auto answer = work.answer.get_future();
  loop_->submit(std::move(work));
  return answer.get();
}

Result<DecodingResult> Runner::decode(EncodedWindow window, WindowDecoding decoding,
                                      std::stop_token stop) {
  DecodeWork work{std::move(window), std::move(decoding), std::move(stop), {}, {}};
  auto answer = work.answer.get_future();
  loop_->submit(std::move(work));
  return answer.get();
}

}  // namespace engine
