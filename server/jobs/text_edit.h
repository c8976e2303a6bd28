#pragma once

#include <boost/system/result.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/speaker_names.h"
#include "protocol/transcript.h"
#include "server/base/error.h"
#include "server/jobs/text_find.h"

// The text of a job in versions. Version 0 is what was decided, and is never touched; each edit
// makes one more. A segment has an id that it keeps through all versions and that no other segment
// of its job gets.
namespace server {

inline constexpr std::size_t max_edits = 1000;  // in one call
inline constexpr std::size_t max_segment_bytes = 10'000;
inline constexpr int max_segments = 100'000;  // of one version

struct SetText {
  std::int64_t segment = 0;
  std::string text{};
};
struct SplitSegment {
  std::int64_t segment = 0;
  int word = 0;  // the second part begins with this one, counted from 0
};
struct MergeSegment {  // with the one behind it
  std::int64_t segment = 0;
};
struct RemoveSegment {
  std::int64_t segment = 0;
};
struct SetTimes {
  std::int64_t segment = 0;
  double start = 0;
  double end = 0;
};
struct SetSpeaker {
  std::int64_t segment = 0;
  std::string speaker{};  // a label; empty: nobody is known
};
struct NameSpeaker {
  std::string speaker{};  // a label
  std::string name{};     // empty: the label is the name again
};
struct ReplaceText {  // wherever it stands in one segment
  std::string find{};
  std::string with{};
  FindRule rule{};
};
struct MergeSpeakers {    // two labels that are one person
  std::string speaker{};  // the label that goes
  std::string into{};     // the one that its segments get
};
using TextEdit = std::variant<SetText, SplitSegment, MergeSegment, RemoveSegment, SetTimes,
                              SetSpeaker, NameSpeaker, ReplaceText, MergeSpeakers>;

// Returns what clients call such an edit: "text", "split" …
const char* name_of(const TextEdit& edit);

// Whose text is edited. The text must still have this version; none: whichever it has.
struct TextTarget {
  std::string id{};
  std::string owner{};
  std::optional<int> version{};
  // The bytes that the new version may take.
  std::uint64_t most_growth = std::numeric_limits<std::uint64_t>::max();
};

struct TextSegment {
  std::int64_t id = 0;
  protocol::Segment segment{};  // its speaker is a label
};

// Segments of one version, in the order of the text.
struct TextPage {
  int version = 0;
  std::vector<TextSegment> segments{};
  bool has_more = false;
};

// What became of a text.
struct TextChange {
  int version = 0;  // the newest; the same as before if nothing changed
  std::vector<TextSegment> changed{};
  std::vector<std::int64_t> removed{};
  int segments = 0;
  protocol::SpeakerNames speaker_names{};
  int replaced = 0;                // places that ReplaceText found
  std::shared_ptr<void> memory{};  // the share of the memory of texts that this takes
};

// An edit that was refused: nothing has changed then.
struct EditRefusal {
  Error error{};
  std::optional<std::size_t> edit{};  // the one that cannot be done; none: the reason is another
  int version = 0;                    // the newest
};

[[noreturn]] void throw_exception_from_error(const EditRefusal& refusal,
                                             const boost::source_location& where);

using EditResult = boost::system::result<TextChange, EditRefusal>;

struct TextVersion {
  int version = 0;
  double created = 0;                // seconds since 1970
  std::map<std::string, int> ops{};  // how many edits of each kind made it
  std::optional<int> restored{};     // the version that it is equal to, where one was restored
};

// A place where a text was found.
struct TextMatch {
  std::int64_t segment = 0;
  double start = 0;
  std::string text{};             // of the segment, without white space at its ends
  std::vector<TextSpan> spans{};  // where in it
};

}  // namespace server
