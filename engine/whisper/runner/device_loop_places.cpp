#include <algorithm>
#include <string>
#include <utility>

#include "engine/whisper/runner/device_loop.h"
#include "engine/whisper/runner/encode_turn.h"

// This file has what of the device loop depends on the places in the device's memory: which piece
// of work may begin, and which windows are encoded together.
namespace engine {

bool DeviceLoop::can_ever_run(Work& work) const {
  auto* decode = std::get_if<DecodeWork>(&work.what);
  if (!decode || plan_.rows == 0 || rows_of(*decode) <= plan_.rows) return true;
  decode->answer.set_value(Error{Errc::out_of_memory,
                                 "a decode of " + std::to_string(rows_of(*decode)) +
                                     " rows is wanted, and beside the model memory has room for " +
                                     std::to_string(plan_.rows),
                                 "Use a smaller --beam-size or --best-of, or a smaller model."});
  return false;
}

std::optional<Work> DeviceLoop::next_piece() {
  const bool encodes = may_encode();
  std::vector<WaitingPiece> pieces;
  std::vector<std::ptrdiff_t> places;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Work& work = waiting_[i].work;
    const auto* encode = std::get_if<EncodeWork>(&work.what);
    if (encode && !encodes) continue;
    const auto* decode = std::get_if<DecodeWork>(&work.what);
    pieces.push_back({waiting_[i].number, work.urgency, encode != nullptr,
                      decode ? rows_of(*decode) : 0, encode ? spared_by(encode->mel) : 0});
    places.push_back(static_cast<std::ptrdiff_t>(i));
  }
  const auto next = schedule_.next(pieces, held(), urgent_decodes() > 0);
  if (!next) return std::nullopt;
  const auto place = waiting_.begin() + places[*next];
  Work work = std::move(place->work);
  waiting_.erase(place);
  return work;
}

// One batch at most goes between two steps, besides urgent windows that are encoded alone.
bool DeviceLoop::may_encode() const {
  if (encodes_ <= 1 || !batch_.empty()) return true;
  WaitingEncodes waiting;
  for (const Piece& piece : waiting_) {
    if (!std::holds_alternative<EncodeWork>(piece.work.what)) continue;
    const auto waited = std::chrono::steady_clock::now() - piece.arrived;
    waiting.oldest =
        std::max(waiting.oldest, std::chrono::duration_cast<std::chrono::milliseconds>(waited));
    waiting.any_urgent |= is_urgent(piece.work.urgency);
    ++waiting.count;
  }
  if (has_encoded_) return plan_.encodes <= 1 && waiting.any_urgent;
  return is_time_to_encode(waiting, encodes_, !live_.empty());
}

int DeviceLoop::spared_by(const MelWindow& mel) const {
  return dims_.n_audio_ctx - model_->positions_of(mel.frames);
}

Held DeviceLoop::held() const {
  Held held = inbox_->held();
  for (const Encoding& encoding : batch_) {
    count_window(held, encoding.urgency, spared_by(encoding.work.mel), 1);
  }
  for (const LivePtr& live : live_) {
    (live->urgent ? held.urgent_rows : held.other_rows) += rows_of(live->work);
  }
  return held;
}

protocol::DeviceUse DeviceLoop::use() const {
  const Held windows = inbox_->held();
  protocol::DeviceUse use{.windows = plan_.windows,
                          .windows_held = windows.urgent + windows.others,
                          .rows = plan_.rows,
                          .rows_held = rows_held_,
                          .cache_bytes = plan_.windows > 0 ? plan_.store_bytes() : 0};
  if (const auto graphs = model_->graphs()) {
    use.records_graphs = true;
    use.graphs = graphs->recorded;
    use.graph_failures = graphs->failures;
    use.graphs_off = graphs->off;
  }
  if (const auto kernels = model_->kernels()) {
    use.kernel_rows = kernels->most_rows;
    use.kernel_choice = kernels->chooses;
    use.kernels_off = kernels->why;
  }
  return use;
}

void DeviceLoop::start(EncodeWork work, const Urgency& urgency) {
  Encoding encoding{std::move(work), urgency};
  if (is_urgent(urgency) && plan_.encodes <= 1) return encode({&encoding, 1});
  batch_.push_back(std::move(encoding));
  if (std::ssize(batch_) >= encodes_) encode_batch();
}

void DeviceLoop::encode_batch() {
  if (batch_.empty()) return;
  has_encoded_ = true;
  auto batch = std::exchange(batch_, {});
  encode(batch);
}

void DeviceLoop::encode(std::span<Encoding> batch) {
  std::vector<MelWindow> mels;
  for (Encoding& encoding : batch) mels.push_back(std::move(encoding.work.mel));
  std::vector<EncodedWindow> windows;
  try {
    windows = with_memory(usual_rows, [&] { return model_->encode(mels); });
  } catch (...) {
    if (batch.size() == 1) {
      return batch[0].work.answer.set_value(model_->error_of_exception());
    }
  }
  // One of them may be at fault, or all together have been too much.
  if (windows.empty()) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch[i].work.mel = std::move(mels[i]);
      encode(batch.subspan(i, 1));
    }
    return;
  }
  for (std::size_t i = 0; i < windows.size(); ++i) {
    batch[i].work.answer.set_value(
        inbox_->hold(std::move(windows[i]), batch[i].urgency, spared_by(mels[i])));
  }
}

}  // namespace engine
