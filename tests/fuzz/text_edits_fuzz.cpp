#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/text_rules.h"
#include "server/api/text_ops.h"
#include "server/jobs/segment_edits.h"
#include "server/jobs/text_find.h"
#include "server/jobs/word_times.h"

using namespace server;
using protocol::Segment;

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

// The words of a segment are its text, in order, and lie inside its time.
void check(const Segment& segment) {
  must(segment.text.find('\n') == std::string::npos);
  if (segment.words.empty()) return;
  std::string joined;
  double last = segment.start;
  for (const auto& word : segment.words) {
    must(word.start >= last && word.end >= word.start && word.end <= segment.end);
    last = word.start;
    joined += word.word;
  }
  must(joined == segment.text);
}

// A text of segments, whose ids are their places.
class Play {
 public:
  explicit Play(bool has_words) {
    for (const char* text :
         {" The last lamp went out.", " Straße, 李明 says: no!", " So it was."}) {
      const double start = static_cast<double>(segments_.size()) * 4;
      Segment segment{.start = start, .end = start + 4, .text = text};
      if (has_words) segment.words = timed_words({}, text, start, start + 4);
      segments_.push_back(std::move(segment));
    }
  }

  void carry_out(const TextEdit& edit) {
    std::visit([this](const auto& one) { edit_by(one); }, edit);
    for (const auto& segment : segments_) check(segment);
  }

 private:
  Segment* find(std::int64_t id) {
    const bool is_there = id >= 0 && id < static_cast<std::int64_t>(segments_.size());
    return is_there ? &segments_[static_cast<std::size_t>(id)] : nullptr;
  }

  void edit_by(const SetText& edit) {
    Segment* segment = find(edit.segment);
    if (segment == nullptr) return;
    const Segment before = *segment;
    const auto changed = set_segment_text(*segment, edit.text);
    if (!changed || !*changed) return must(*segment == before);
    const std::string line = protocol::replace_space(edit.text, " ");
    must(protocol::strip(segment->text) == protocol::strip(line));
  }

  void edit_by(const SplitSegment& edit) {
    Segment* segment = find(edit.segment);
    if (segment == nullptr) return;
    auto parts = split_segment(*segment, edit.word);
    const bool can_be = edit.word >= 1 && edit.word < count_parts(*segment);
    must(parts.has_value() == can_be);
    if (!parts) return;
    must(parts->first.text + parts->second.text == segment->text);
    must(parts->first.start == segment->start && parts->second.end == segment->end);
    *segment = std::move(parts->first);
    segments_.insert(segments_.begin() + edit.segment + 1, std::move(parts->second));
  }

  void edit_by(const MergeSegment& edit) {
    Segment* segment = find(edit.segment);
    const Segment* next = find(edit.segment + 1);
    if (segment == nullptr || next == nullptr) return;
    const std::string joined = segment->text + next->text;
    if (!append_segment(*segment, *next)) return;
    must(segment->text == joined);
    segments_.erase(segments_.begin() + edit.segment + 1);
  }

  void edit_by(const RemoveSegment& edit) {
    if (find(edit.segment) != nullptr) segments_.erase(segments_.begin() + edit.segment);
  }

  // Whoever calls set_segment_times() has seen that the times are in order.
  void edit_by(const SetTimes& edit) {
    Segment* segment = find(edit.segment);
    const bool is_in_order = std::isfinite(edit.end) && edit.start >= 0 && edit.start <= edit.end;
    if (segment != nullptr && is_in_order) set_segment_times(*segment, edit.start, edit.end);
  }

  void edit_by(const ReplaceText& edit) {
    for (auto& segment : segments_) {
      const auto places = find_in(segment.text, edit.find, edit.rule);
      for (std::size_t i = 0; i < places.size(); ++i) {
        must(places[i].begin < places[i].end);
        must(i == 0 || places[i - 1].end <= places[i].begin);
      }
      if (!places.empty()) set_segment_text(segment, replaced(segment.text, places, edit.with));
    }
  }

  void edit_by(const SetSpeaker&) {}
  void edit_by(const NameSpeaker&) {}
  void edit_by(const MergeSpeakers&) {}

  std::vector<Segment> segments_{};
};

}  // namespace

// The input is the body of a request that edits a text. It is carried out on a text with word times
// and on one without.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto edits = read_text_ops({reinterpret_cast<const char*>(data), size});
  if (!edits) return 0;
  for (const bool has_words : {true, false}) {
    Play play(has_words);
    for (const auto& edit : *edits) play.carry_out(edit);
  }
  return 0;
}
