#include <utility>

#include "protocol/format_writers.h"

namespace protocol {
namespace {

class LabellingWriter : public Writer {
 public:
  LabellingWriter(std::unique_ptr<Writer> writer, std::vector<std::string> labels)
      : writer_(std::move(writer)), labels_(std::move(labels)) {}

  std::string begin(const WriterMeta& meta) override { return writer_->begin(meta); }
  std::string segment(const Segment& segment) override {
    return writer_->segment(labelled(segment));
  }
  std::string partial(const LiveText& live) override { return writer_->partial(live); }
  std::string finish(const Transcript& transcript) override {
    Transcript whole = transcript;
    for (Segment& segment : whole.segments) segment = labelled(std::move(segment));
    return writer_->finish(whole);
  }

 private:
  Segment labelled(Segment segment) const {
    const auto channel = static_cast<std::size_t>(segment.channel.value_or(-1));
    if (channel >= labels_.size() || segment.text.empty()) return segment;
    const std::string label = " " + labels_[channel] + ":";
    segment.text = label + segment.text;
    if (!segment.words.empty()) segment.words[0].word = label + segment.words[0].word;
    return segment;
  }

  std::unique_ptr<Writer> writer_;
  std::vector<std::string> labels_;
};

}  // namespace

std::unique_ptr<Writer> label_channels(std::unique_ptr<Writer> writer,
                                       std::vector<std::string> labels) {
  return std::make_unique<LabellingWriter>(std::move(writer), std::move(labels));
}

}  // namespace protocol
