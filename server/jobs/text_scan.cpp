#include "server/jobs/text_scan.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "protocol/text_rules.h"
#include "server/jobs/folded_text.h"
#include "server/jobs/searched_names.h"

namespace server {
namespace {

// Calls `look(segment)` for each segment of the newest version until it returns false.
template <class Look>
Result<void> for_each_segment(const OnStore& on_store, const Job& job, std::stop_token stop,
                              const Look& look) {
  const TextReader reader(on_store, job.id, {.stop = std::move(stop)});
  try {
    double place = before_all_places;
    while (true) {
      const auto some = reader.slice(job.version, place);
      if (some.empty()) return {};
      place = some.back().place;
      for (const auto& stored : some) {
        const auto placed = decoded(stored);
        if (placed && !look(*placed)) return {};
      }
    }
  } catch (const TextFailure& failure) {
    return failure.error;
  }
}

// The texts that were not found yet, in folded letters.
class Missing {
 public:
  explicit Missing(std::span<const std::string> texts) {
    for (const auto& text : texts) wanted_.push_back(folded_utf8(protocol::strip(text)));
    std::erase(wanted_, "");
  }

  void look_in(std::string_view text) {
    if (wanted_.empty()) return;
    const std::string folded = folded_utf8(text);
    std::erase_if(wanted_, [&](const std::string& one) { return folded.find(one) != folded.npos; });
  }
  bool is_any() const { return !wanted_.empty(); }

 private:
  std::vector<std::string> wanted_{};
};

}  // namespace

Result<bool> texts_stand_in(const OnStore& on_store, const Job& job,
                            std::span<const std::string> texts, std::stop_token stop) {
  Missing missing(texts);
  missing.look_in(job.title);
  missing.look_in(job.request.title);
  std::set<std::string> speakers;
  const auto read =
      for_each_segment(on_store, job, std::move(stop), [&](const PlacedSegment& placed) {
        missing.look_in(placed.segment.text);
        speakers.insert(placed.segment.speaker);
        return missing.is_any();
      });
  if (!read) return read.error();
  const std::vector<std::string> heard(speakers.begin(), speakers.end());
  for (const auto& name : searched_names(job, heard)) missing.look_in(name);
  return !missing.is_any();
}

Result<std::vector<TextMatch>> scan_for_matches(const OnStore& on_store, const Job& job,
                                                const std::string& text, int most,
                                                std::stop_token stop) {
  std::vector<TextMatch> found;
  const TextFinder finder(protocol::strip(text), {.match_case = false});
  const auto read =
      for_each_segment(on_store, job, std::move(stop), [&](const PlacedSegment& placed) {
        const std::string said(protocol::strip(placed.segment.text));
        auto spans = finder.find_in(said);
        if (!spans.empty()) {
          found.push_back({placed.id, placed.segment.start, said, std::move(spans)});
        }
        return std::ssize(found) < most;
      });
  if (!read) return read.error();
  return found;
}

}  // namespace server
