#include "engine/whisper/runner/runner.h"

#include <algorithm>

#include "engine/whisper/runner/device_loop.h"
#include "engine/whisper/runner/pass_queue.h"

namespace engine {

Result<std::unique_ptr<Runner>> Runner::start(ModelLoader load, int windows) {
  auto loop = std::make_shared<DeviceLoop>(std::move(load), windows);
  if (const auto ready = loop->wait_until_loaded(); !ready) return ready.error();
  auto passes = std::make_shared<PassQueue>(loop->plan().encodes);
  return std::unique_ptr<Runner>(new Runner(std::move(loop), std::move(passes), Asker(), {}));
}

Runner::Runner(std::shared_ptr<DeviceLoop> loop, std::shared_ptr<PassQueue> passes, Asker asker,
               std::stop_token stop)
    : loop_(std::move(loop)), passes_(std::move(passes)), asker_(asker), stop_(std::move(stop)) {}

Runner::~Runner() = default;

std::unique_ptr<Runner> Runner::for_job(Asker asker, std::stop_token stop) const {
  return std::unique_ptr<Runner>(new Runner(loop_, passes_, asker, std::move(stop)));
}

const ModelDims& Runner::dims() const {
  return loop_->dims();
}

int Runner::windows_at_once() const {
  return loop_->windows_at_once();
}

const MemoryPlan& Runner::plan() const {
  return loop_->plan();
}

ShortWindows Runner::short_windows() const {
  return loop_->short_windows();
}

void Runner::shorten_windows() {
  loop_->shorten_windows();
}

protocol::DeviceUse Runner::use() const {
  return loop_->use();
}

template <class T, class What>
Result<T> Runner::wait_for(What what, int windows_before) {
  auto answer = what.answer.get_future();
  loop_->submit({urgency(windows_before), stop_, std::move(what)});
  return answer.get();
}

Urgency Runner::urgency(int windows_before) const {
  if (is_ahead_) return {protocol::WorkClass::interactive, 0, asker_.owner};
  return {asker_.work_class, windows_before, asker_.owner};
}

int Runner::windows_before_last() const {
  return std::max(0, windows_ - 1);
}

Result<EncodedWindow> Runner::encode(MelWindow mel) {
  return wait_for<EncodedWindow>(EncodeWork{std::move(mel), {}}, windows_++);
}

Result<EncodedWindow> Runner::encode_again(MelWindow mel) {
  return wait_for<EncodedWindow>(EncodeWork{std::move(mel), {}}, windows_before_last());
}

void Runner::count_window(protocol::WindowKind kind) {
  ++decoded_[static_cast<std::size_t>(kind)];
}

protocol::WindowCounts Runner::window_counts() const {
  return {decoded_[0], decoded_[1], decoded_[2]};
}

Result<std::vector<float>> Runner::logits_after_sot(EncodedWindow window, int sot) {
  return wait_for<std::vector<float>>(SotLogitsWork{std::move(window), sot, {}},
                                      windows_before_last());
}

Result<TokenAttention> Runner::attend(EncodedWindow window, std::vector<int> tokens, int n_text,
                                      std::vector<std::pair<int, int>> heads) {
  AttendWork work{std::move(window), std::move(tokens), n_text, std::move(heads), {}};
  return wait_for<TokenAttention>(std::move(work), windows_before_last());
}

Result<DecodingResult> Runner::decode(EncodedWindow window, WindowDecoding decoding,
                                      std::stop_token stop) {
  DecodeWork work{std::move(window), std::move(decoding), std::move(stop), {}};
  return wait_for<DecodingResult>(std::move(work), windows_before_last());
}

Result<std::vector<DecodingResult>> Runner::decode_together(const EncodedWindow& window,
                                                            std::vector<WindowDecoding> decodings,
                                                            const std::stop_token& stop) {
  std::vector<std::future<Result<DecodingResult>>> answers;
  for (WindowDecoding& decoding : decodings) {
    DecodeWork work{window, std::move(decoding), stop, {}};
    answers.push_back(work.answer.get_future());
    loop_->submit({urgency(windows_before_last()), stop_, std::move(work)});
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
