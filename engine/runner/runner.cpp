#include "engine/runner/runner.h"

#include "engine/runner/device_loop.h"

namespace engine {

Result<std::unique_ptr<Runner>> Runner::start(const DeviceOptions& options, ModelLoader load) {
  auto loop = std::make_unique<DeviceLoop>(options, std::move(load));
  if (const auto ready = loop->wait_until_loaded(); !ready) return ready.error();
  return std::unique_ptr<Runner>(new Runner(std::move(loop)));
}

Runner::Runner(std::unique_ptr<DeviceLoop> loop) : loop_(std::move(loop)) {}

Runner::~Runner() = default;

const ModelDims& Runner::dims() const {
  return loop_->dims();
}

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

Result<TokenAttention> Runner::attend(EncodedWindow window, std::vector<int> tokens, int n_text,
                                      std::vector<std::pair<int, int>> heads) {
  AttendWork work{std::move(window), std::move(tokens), n_text, std::move(heads), {}};
  auto answer = work.answer.get_future();
  loop_->submit(std::move(work));
  return answer.get();
}

Result<DecodingResult> Runner::decode(EncodedWindow window, WindowDecoding decoding,
                                      std::stop_token stop) {
  DecodeWork work{std::move(window), std::move(decoding), std::move(stop), nullptr, {}};
  auto answer = work.answer.get_future();
  loop_->submit(std::move(work));
  return answer.get();
}

Result<std::vector<DecodingResult>> Runner::decode_together(const EncodedWindow& window,
                                                            std::vector<WindowDecoding> decodings,
                                                            const std::stop_token& stop) {
  std::vector<std::future<Result<DecodingResult>>> answers;
  for (WindowDecoding& decoding : decodings) {
    DecodeWork work{window, std::move(decoding), stop, nullptr, {}};
    answers.push_back(work.answer.get_future());
    loop_->submit(std::move(work));
  }
  std::vector<DecodingResult> results;
  for (auto& answer : answers) {
    auto result = answer.get();
    if (!result) return result.error();
    results.push_back(*std::move(result));
  }
  return results;
}

}  // namespace engine
