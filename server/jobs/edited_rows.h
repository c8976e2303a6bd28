#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/jobs/store_calls.h"
#include "server/jobs/text_draft.h"
#include "server/jobs/text_rows.h"

namespace server {

// So many bytes of text may one edit look at: those that it reads, that it searches (each search
// counts), and that it writes. That is about a second of work.
inline constexpr std::size_t most_edit_bytes = 100'000'000;

// The next version of a text while edits make it: the segments of the version before, as far as
// they are needed, each read once, and what has become of them. Members throw TextFailure: as
// TextReader, and with edit_too_large.
class EditedRows {
 public:
  // Reads version `version`.
  EditedRows(const TextReader& reader, int version) : reader_(reader), version_(version) {}

  // Reads these segments in few calls of the store.
  void expect(std::span<const std::int64_t> ids);
  std::optional<PlacedSegment> find(std::int64_t id);
  std::optional<PlacedSegment> before(double place);
  std::optional<PlacedSegment> behind(double place);
  // Returns all segments, in the order of the text.
  std::vector<std::int64_t> ids();
  // Returns the text of one of those.
  const std::string& text_of(std::int64_t id);
  // Returns an id that no version has used, another one each time.
  std::int64_t take_id();

  void write(PlacedSegment segment);
  void remove(std::int64_t id);
  // Counts bytes that were looked at, or work that takes as long.
  void spend(std::size_t bytes);
  // Returns how many segments there are more than before; negative: fewer.
  int added() const { return added_; }

  // Makes the text that of an earlier version.
  void restore(int earlier);

  // Returns what differs from the version before, in the order of the text.
  struct Changes {
    std::vector<PlacedSegment> changed{};
    std::vector<std::int64_t> removed{};
    std::vector<DraftRow> rows{};
  };
  Changes changes();

 private:
  struct Entry {
    double place = 0;
    std::optional<std::string> content{};     // of the version before; nothing: it has none
    std::optional<protocol::Segment> made{};  // by an edit
    std::optional<std::string> text{};        // as it is now, once it was asked for
    bool is_there = false;
    bool is_touched = false;
  };
  using Place = std::pair<double, std::int64_t>;

  Entry& know(std::int64_t id);
  void add(StoredSegment stored);
  void read_all();
  // Reads the next segment behind a place, or before it, of the version before.
  std::optional<StoredSegment> read_neighbour(double place, bool is_behind);
  // Reads the next segment behind a place, or before it, of those that edits have not removed.
  void read_next(double place, bool is_behind);
  // Takes memory for what is kept to the end of the edit.
  void keep(std::size_t bytes);

  const TextReader& reader_;
  const int version_;
  std::unordered_map<std::int64_t, Entry> known_{};
  std::set<Place> order_{};  // those of the known that are there
  // Places that follow a place in the version before, backwards and forwards.
  std::array<std::map<double, std::optional<double>>, 2> next_{};
  bool has_all_ = false;
  int added_ = 0;
  std::optional<std::int64_t> next_id_{};
  std::size_t spent_ = 0;
};

}  // namespace server
