#include "protocol/speakers.h"

#include <algorithm>
#include <utility>

#include "protocol/format_writers.h"

namespace protocol {
namespace {

class SpeakerWriter : public Writer {
 public:
  SpeakerWriter(std::unique_ptr<Writer> writer, std::vector<std::string> channel_labels,
                SpeakerPlace place)
      : writer_(std::move(writer)), channel_labels_(std::move(channel_labels)), place_(place) {}

  std::string begin(const WriterMeta& meta) override { return writer_->begin(meta); }
  std::string segment(const Segment& segment) override { return writer_->segment(named(segment)); }
  std::string partial(const LiveText& live) override { return writer_->partial(live); }
  std::string finish(const Transcript& transcript) override {
    Transcript whole = transcript;
    for (Segment& segment : whole.segments) segment = named(std::move(segment));
    return writer_->finish(whole);
  }

 private:
  Segment named(Segment segment) const {
    segment.speaker = speaker_of(segment, channel_labels_);
    const bool is_said = !segment.speaker.empty() && !segment.text.empty();
    if (place_ == SpeakerPlace::field || !is_said) return segment;
    segment.text = " " + segment.speaker + ":" + segment.text;
    return segment;
  }

  std::unique_ptr<Writer> writer_;
  std::vector<std::string> channel_labels_;
  SpeakerPlace place_;
};

}  // namespace

std::string speaker_of(const Segment& segment, std::span<const std::string> channel_labels) {
  const auto channel = static_cast<std::size_t>(segment.channel.value_or(-1));
  if (!segment.speaker.empty() || channel >= channel_labels.size()) return segment.speaker;
  return channel_labels[channel];
}

std::string speaker_label(int number) {
  constexpr int letters = 26;
  std::string label;
  for (int left = number + 1; left > 0; left = (left - 1) / letters) {
    label.insert(label.begin(), static_cast<char>('A' + (left - 1) % letters));
  }
  return label;
}

std::vector<SpeakerTime> speaker_times(std::span<const SpeakerTurn> turns) {
  std::vector<SpeakerTime> times;
  for (const SpeakerTurn& turn : turns) {
    auto found = std::ranges::find(times, turn.speaker, &SpeakerTime::speaker);
    if (found == times.end()) found = times.insert(times.end(), {turn.speaker, 0});
    found->seconds += turn.end - turn.start;
  }
  return times;
}

std::vector<SpeakerTurn> turns_of(std::span<const Segment> segments) {
  constexpr double pause_s = 1;
  std::vector<SpeakerTurn> turns;
  for (const Segment& segment : segments) {
    if (segment.speaker.empty()) continue;
    const bool goes_on = !turns.empty() && turns.back().speaker == segment.speaker &&
                         turns.back().channel == segment.channel &&
                         segment.start < turns.back().end + pause_s;
    if (goes_on) {
      turns.back().end = std::max(turns.back().end, segment.end);
    } else {
      turns.push_back({segment.start, segment.end, segment.speaker, segment.channel});
    }
  }
  std::ranges::stable_sort(turns, {}, &SpeakerTurn::start);
  return turns;
}

std::unique_ptr<Writer> name_speakers(std::unique_ptr<Writer> writer,
                                      std::vector<std::string> channel_labels, SpeakerPlace place) {
  return std::make_unique<SpeakerWriter>(std::move(writer), std::move(channel_labels), place);
}

}  // namespace protocol
