#include "engine/speakers/speaker_analysis.h"

#include <algorithm>
#include <cstddef>

namespace engine {
namespace {

constexpr int windows_at_once = 8;
// More pieces would not stay in the processor's caches between two layers.
constexpr std::size_t pieces_at_once = 8;
// A piece begins at most this long before the frames that decide that it is cut.
constexpr std::int64_t kept_behind = 2 * sample_rate_hz;

}  // namespace

void SpeakerAnalysis::push(std::span<const float> pcm) {
  if (vad_) vad_->push(pcm, evidence_.speech);
  constexpr std::size_t batch =
      speaker_window + std::size_t{windows_at_once - 1} * speaker_window_step;
  while (!pcm.empty()) {
    const std::int64_t wanted =
        next_window() + static_cast<std::int64_t>(batch) - evidence_.samples;
    const auto taken = std::min(pcm.size(), static_cast<std::size_t>(wanted));
    sound_.insert(sound_.end(), pcm.begin(), pcm.begin() + static_cast<std::ptrdiff_t>(taken));
    evidence_.samples += static_cast<std::int64_t>(taken);
    pcm = pcm.subspan(taken);
    if (evidence_.samples == next_window() + static_cast<std::int64_t>(batch)) {
      hear_windows(windows_at_once);
      cut_pieces(first_frame(next_window()));
      forget_sound();
    }
  }
}

void SpeakerAnalysis::finish() {
  if (vad_) vad_->finish(evidence_.speech);
  if (evidence_.samples == 0) return;
  // The last window reaches the end of the recording, and zeros follow it there.
  std::int64_t covered =
      evidence_.windows.empty() ? 0 : evidence_.windows.back().start + speaker_window;
  int windows = 0;
  for (; covered < evidence_.samples; ++windows) {
    covered = next_window() + windows * std::int64_t{speaker_window_step} + speaker_window;
  }
  sound_.resize(static_cast<std::size_t>(std::max(covered, evidence_.samples) - sound_begin_));
  if (windows > 0) hear_windows(windows);
  cutter_.end_at(static_cast<double>(evidence_.samples) / sample_rate_hz);
  cut_pieces(evidence_.votes.size());
  std::vector<Piece> last;
  cutter_.finish(last);
  for (const Piece& piece : last) take_piece(piece);
  embed_pieces();
  sound_ = {};
}

// Returns the first sample of the window that is heard next.
std::int64_t SpeakerAnalysis::next_window() const {
  return static_cast<std::int64_t>(evidence_.windows.size()) * speaker_window_step;
}

void SpeakerAnalysis::hear_windows(int count) {
  std::vector<float> batch;
  batch.reserve(static_cast<std::size_t>(count) * speaker_window);
  const std::int64_t first = next_window();
  for (int i = 0; i < count; ++i) {
    const auto at = sound_.begin() + (first + i * std::int64_t{speaker_window_step} - sound_begin_);
    batch.insert(batch.end(), at, at + speaker_window);
  }
  const std::vector<Voices> voices = networks_->segment(batch);
  for (int i = 0; i < count; ++i) {
    VoiceWindow& window = evidence_.windows.emplace_back();
    window.start = first + i * std::int64_t{speaker_window_step};
    std::copy_n(voices.begin() + i * std::ptrdiff_t{frames_per_window}, frames_per_window,
                window.voices.begin());
    evidence_.votes.add(window);
  }
}

// Frames before `final_frames` are covered by no later window.
void SpeakerAnalysis::cut_pieces(std::int64_t final_frames) {
  std::vector<Piece> pieces;
  while (cutter_.frames() < final_frames) {
    const std::int64_t frame = cutter_.frames();
    cutter_.push(evidence_.votes.count(frame) == 1 && !evidence_.votes.changes(frame), pieces);
  }
  for (const Piece& piece : pieces) take_piece(piece);
}

// A piece that is too short is repeated until it is long enough.
void SpeakerAnalysis::take_piece(const Piece& piece) {
  const auto begin = static_cast<std::int64_t>(std::max(0.0, piece.begin) * sample_rate_hz);
  const auto end = static_cast<std::int64_t>(piece.end * sample_rate_hz);
  const auto sound = std::span(sound_).subspan(static_cast<std::size_t>(begin - sound_begin_),
                                               static_cast<std::size_t>(end - begin));
  for (std::size_t i = 0; i < piece_samples; ++i) waiting_.push_back(sound[i % sound.size()]);
  evidence_.pieces.push_back(piece);
  if (waiting_.size() == pieces_at_once * piece_samples) embed_pieces();
}

void SpeakerAnalysis::embed_pieces() {
  if (waiting_.empty()) return;
  const std::vector<float> embeddings = networks_->embed(waiting_);
  evidence_.embeddings.insert(evidence_.embeddings.end(), embeddings.begin(), embeddings.end());
  waiting_.clear();
}

void SpeakerAnalysis::forget_sound() {
  const std::int64_t needed = next_window() - kept_behind;
  if (needed <= sound_begin_) return;
  sound_.erase(sound_.begin(), sound_.begin() + (needed - sound_begin_));
  sound_begin_ = needed;
}

}  // namespace engine
