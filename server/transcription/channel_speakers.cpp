#include "server/transcription/channel_speakers.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "protocol/speakers.h"

namespace server {
namespace {

using protocol::SpeakerTurn;

class MergedLabels {
 public:
  MergedLabels(std::span<const std::string> labels, std::span<const protocol::KnownSpeaker> known)
      : labels_(labels), known_(known) {}

  std::string of(int channel, const std::string& speaker) {
    if (is_known(speaker)) return speaker;
    const auto [found, is_new] = given_.try_emplace({channel, speaker});
    if (is_new) found->second = next(static_cast<std::size_t>(channel));
    return found->second;
  }

 private:
  bool is_known(const std::string& name) const {
    return std::ranges::find(known_, name, &protocol::KnownSpeaker::name) != known_.end();
  }

  std::string next(std::size_t channel) {
    const std::string before = channel < labels_.size() ? labels_[channel] + " " : "";
    std::string label;
    do {
      label = before + protocol::speaker_label(letters_++);
    } while (is_known(label));
    return label;
  }

  std::span<const std::string> labels_;
  std::span<const protocol::KnownSpeaker> known_;
  std::map<std::pair<int, std::string>, std::string> given_{};
  int letters_ = 0;
};

std::vector<SpeakerTurn> in_one_order(const std::vector<SpeakerTurn>& left,
                                      const std::vector<SpeakerTurn>& right) {
  std::vector<SpeakerTurn> turns = left;
  turns.insert(turns.end(), right.begin(), right.end());
  for (std::size_t i = 0; i < turns.size(); ++i) turns[i].channel = i < left.size() ? 0 : 1;
  std::ranges::stable_sort(turns, {}, &SpeakerTurn::start);
  return turns;
}

}  // namespace

protocol::SpeakersFound merge_speakers(const std::array<protocol::SpeakersFound, 2>& channels,
                                       std::span<const std::string> labels,
                                       std::span<const protocol::KnownSpeaker> known) {
  const auto& [left, right] = channels;
  protocol::SpeakersFound merged{.turns = in_one_order(left.turns, right.turns),
                                 .exclusive = in_one_order(left.exclusive, right.exclusive)};
  MergedLabels merged_labels(labels, known);
  for (auto* turns : {&merged.turns, &merged.exclusive}) {
    for (SpeakerTurn& turn : *turns) {
      turn.speaker = merged_labels.of(turn.channel.value_or(0), turn.speaker);
    }
  }
  return merged;
}

}  // namespace server
