#include "server/jobs/edited_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "server/jobs/job_json.h"

namespace server {
namespace {

// What a segment costs beside its bytes.
constexpr std::size_t bytes_of_a_look = 8;
constexpr std::size_t bytes_of_a_word = 16;

Error edit_too_large(std::string why) {
  return {errc::edit_too_large, std::move(why),
          "Send fewer operations at once: each replace reads the whole text."};
}

constexpr std::int64_t last_id = std::numeric_limits<std::int64_t>::max();

}  // namespace

void EditedRows::spend(std::size_t bytes) {
  reader_.check_stop();
  spent_ += bytes + bytes_of_a_look;
  if (spent_ <= most_edit_bytes) return;
  throw TextFailure{edit_too_large(
      fmt::format("The edit looks at more than {} MB of text.", most_edit_bytes / 1'000'000))};
}

void EditedRows::keep(std::size_t bytes) {
  const auto taken = reader_.take(bytes);
  if (taken) return;
  const bool is_too_large = taken.error().code == errc::too_large;
  throw TextFailure{is_too_large ? edit_too_large("The edit needs too much memory at once.")
                                 : taken.error()};
}

// What is known already may have been edited.
void EditedRows::add(StoredSegment stored) {
  spend(stored.content.size());
  keep(sizeof(Entry) + stored.content.size());
  const auto [known, is_new] = known_.try_emplace(stored.id);
  if (!is_new) return;
  known->second = {.place = stored.place, .content = std::move(stored.content), .is_there = true};
  order_.emplace(stored.place, stored.id);
}

void EditedRows::expect(std::span<const std::int64_t> ids) {
  while (!ids.empty() && !has_all_) {
    std::vector<std::optional<StoredSegment>> found;
    reader_.call([&](const TextRows& rows) {
      found.clear();
      std::size_t bytes = 0;
      const std::size_t most = std::min<std::size_t>(ids.size(), text_slice_rows);
      while (found.size() < most && bytes < text_slice_bytes) {
        found.push_back(rows.find(version_, ids[found.size()]));
        if (found.back()) bytes += found.back()->content.size();
      }
    });
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i]) add(*std::move(found[i]));
      known_.try_emplace(ids[i]);
    }
    ids = ids.subspan(found.size());
  }
}

EditedRows::Entry& EditedRows::know(std::int64_t id) {
  const auto known = known_.find(id);
  if (known != known_.end()) return known->second;
  expect({&id, 1});
  return known_[id];
}

void EditedRows::read_all() {
  double place = before_all_places;
  while (!has_all_) {
    auto some = reader_.slice(version_, place);
    has_all_ = some.empty();
    if (!some.empty()) place = some.back().place;
    for (auto& stored : some) add(std::move(stored));
  }
}

std::optional<StoredSegment> EditedRows::read_neighbour(double place, bool is_behind) {
  for (std::optional<double> from = place; from;) {
    TextSlice slice;
    reader_.call([&](const TextRows& rows) {
      slice = is_behind ? rows.read(version_, *from, 1, 1) : rows.before(version_, *from);
    });
    if (!slice.segments.empty()) return std::move(slice.segments.front());
    spend(text_slice_looks * bytes_of_a_look);
    from = slice.next;
  }
  return std::nullopt;
}

void EditedRows::read_next(double place, bool is_behind) {
  auto& next = next_[is_behind ? 1 : 0];
  for (std::optional<double> at = place; at && !has_all_;) {
    const auto known = next.find(*at);
    if (known == next.end()) {
      auto found = read_neighbour(*at, is_behind);
      const auto here = found ? std::optional(found->place) : std::nullopt;
      next.emplace(*at, here);
      at = here;
      if (found) add(*std::move(found));
    } else {
      at = known->second;
    }
    const auto live = at ? order_.lower_bound({*at, 0}) : order_.end();
    if (live != order_.end() && live->first == *at) return;
  }
}

std::optional<PlacedSegment> EditedRows::find(std::int64_t id) {
  const Entry& entry = know(id);
  if (!entry.is_there) return std::nullopt;
  if (entry.made) {
    spend(entry.made->text.size() + entry.made->words.size() * bytes_of_a_word);
    return PlacedSegment{id, entry.place, *entry.made};
  }
  spend(entry.content->size());
  return decoded({id, entry.place, *entry.content});
}

std::optional<PlacedSegment> EditedRows::behind(double place) {
  read_next(place, true);
  const auto found = order_.upper_bound({place, last_id});
  if (found == order_.end()) return std::nullopt;
  return find(found->second);
}

std::optional<PlacedSegment> EditedRows::before(double place) {
  read_next(place, false);
  const auto found = order_.lower_bound({place, 0});
  if (found == order_.begin()) return std::nullopt;
  return find(std::prev(found)->second);
}

std::vector<std::int64_t> EditedRows::ids() {
  read_all();
  std::vector<std::int64_t> all;
  all.reserve(order_.size());
  for (const auto& [place, id] : order_) all.push_back(id);
  return all;
}

const std::string& EditedRows::text_of(std::int64_t id) {
  Entry& entry = known_.at(id);
  if (!entry.text) {
    auto found = find(id);
    entry.text = found ? std::move(found->segment.text) : "";
    keep(entry.text->size());
  }
  spend(entry.text->size());
  return *entry.text;
}

std::int64_t EditedRows::take_id() {
  if (!next_id_) {
    reader_.call([&](const TextRows& rows) { next_id_ = rows.unused_id(); });
  }
  return (*next_id_)++;
}

void EditedRows::write(PlacedSegment segment) {
  spend(segment.segment.text.size() + segment.segment.words.size() * bytes_of_a_word);
  Entry& entry = known_[segment.id];
  const std::size_t before = entry.made ? memory_of(*entry.made) : entry.text.value_or("").size();
  const std::size_t now = memory_of(segment.segment) + segment.segment.text.size();
  keep(now - std::min(now, before));
  entry.place = segment.place;
  entry.text = segment.segment.text;
  entry.made = std::move(segment.segment);
  if (!entry.is_there) ++added_;
  entry.is_there = entry.is_touched = true;
  order_.emplace(entry.place, segment.id);
}

void EditedRows::remove(std::int64_t id) {
  Entry& entry = known_.at(id);
  if (entry.is_there) --added_;
  entry.is_there = false;
  entry.is_touched = true;
  order_.erase({entry.place, id});
}

void EditedRows::restore(int earlier) {
  struct Pair {
    std::optional<StoredSegment> then{};
    std::optional<StoredSegment> now{};
  };
  for (std::optional<std::int64_t> above = -1; above;) {
    IdSlice slice;
    std::vector<Pair> pairs;
    const auto& ids = slice.ids;
    reader_.call([&](const TextRows& rows) {
      pairs.clear();
      slice = rows.changed_since(earlier, *above, text_slice_rows);
      std::size_t bytes = 0;
      while (pairs.size() < ids.size() && bytes < text_slice_bytes) {
        const std::int64_t id = ids[pairs.size()];
        Pair pair{rows.find(earlier, id), rows.find(version_, id)};
        bytes +=
            (pair.then ? pair.then->content.size() : 0) + (pair.now ? pair.now->content.size() : 0);
        pairs.push_back(std::move(pair));
      }
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      auto& [then, now] = pairs[i];
      const bool is_same = then && now && then->content == now->content;
      if (now) add(*std::move(now));
      if (is_same) continue;
      const auto found = then ? decoded(*then) : std::nullopt;
      if (found) {
        write(*found);
      } else if (known_.contains(ids[i])) {
        remove(ids[i]);
      }
    }
    above = pairs.size() == ids.size() ? slice.next : ids[pairs.size() - 1];
  }
}

EditedRows::Changes EditedRows::changes() {
  Changes changes;
  for (auto& [id, entry] : known_) {
    if (!entry.is_touched) continue;
    const auto then = entry.content ? decoded({id, entry.place, *entry.content}) : std::nullopt;
    if (entry.is_there && (!then || then->segment != *entry.made)) {
      changes.rows.push_back({id, entry.place, encode(*entry.made), entry.made->text});
      keep(changes.rows.back().content.size() + entry.made->text.size());
      changes.changed.push_back({id, entry.place, *std::move(entry.made)});
    } else if (then && !entry.is_there) {
      changes.rows.push_back({id, entry.place});
      changes.removed.push_back(id);
    }
  }
  std::ranges::sort(changes.changed, {}, &PlacedSegment::place);
  std::ranges::sort(changes.removed);
  std::ranges::sort(changes.rows, {}, &DraftRow::segment);
  return changes;
}

}  // namespace server
