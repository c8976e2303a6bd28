#include "protocol/openai/realtime/conversation.h"

#include <algorithm>
#include <utility>

namespace protocol::openai::realtime {
namespace {

// The client's samples and those of the session have different rates.
constexpr double rate_rounding_s = 0.05;

}  // namespace

Item* Conversation::known(int turn) {
  const auto found = std::ranges::find(open_, std::optional<int>(turn), &Item::turn);
  return found == open_.end() ? nullptr : &*found;
}

Item& Conversation::add(int turn) {
  const auto unbound = std::ranges::find(open_, std::optional<int>(), &Item::turn);
  return *open_.insert(unbound, Item{.id = ids_.next("item_"), .turn = turn});
}

Item* Conversation::of_turn(int turn, double start_s) {
  if (Item* item = known(turn)) return item;
  if (turn <= gone_turn_) return nullptr;
  const auto committed = std::ranges::find_if(open_, [start_s](const Item& item) {
    return !item.turn && start_s >= item.from_s - rate_rounding_s &&
           start_s < item.to_s - rate_rounding_s;
  });
  if (committed != open_.end()) {
    committed->turn = turn;
    return &*committed;
  }
  if (was_cleared(start_s)) {
    gone_turn_ = turn;
    return nullptr;
  }
  return &add(turn);
}

Item& Conversation::of_answer(int turn) {
  ++answers_;
  Item* item = known(turn);
  const auto answered = std::ranges::find(open_, answers_, &Item::commit);
  if (item && (item->is_committed || answered == open_.end())) return *item;
  if (answered == open_.end()) return add(turn);
  if (item && item != &*answered) {
    open_.remove_if([item](const Item& one) { return &one == item; });
  }
  answered->turn = turn;
  return *answered;
}

const Item* Conversation::newest() const {
  const auto newest = std::ranges::find_if(open_.rbegin(), open_.rend(),
                                           [](const Item& item) { return item.turn.has_value(); });
  return newest == open_.rend() ? nullptr : &*newest;
}

bool Conversation::was_cleared(double start_s) const {
  return start_s >= cleared_from_s_ - rate_rounding_s && start_s < cleared_to_s_ - rate_rounding_s;
}

Item& Conversation::of_commit(double at_s) {
  const bool is_at_hand = !open_.empty() && !open_.back().is_committed;
  if (!is_at_hand) open_.push_back({.id = ids_.next("item_")});
  Item& item = open_.back();
  item.commit = ++commits_;
  item.from_s = std::max(committed_s_, cleared_to_s_);
  item.to_s = committed_s_ = at_s;
  return item;
}

void Conversation::clear(double at_s) {
  cleared_from_s_ = committed_s_;
  cleared_to_s_ = at_s;
  if (open_.empty() || open_.back().is_committed) return;
  gone_turn_ = open_.back().turn.value_or(gone_turn_);
  open_.pop_back();
}

std::optional<std::string> Conversation::commit(Item& item) {
  item.is_committed = true;
  std::optional<std::string> previous;
  if (!kept_.empty()) previous = kept_.back().id;
  kept_.push_back({.id = item.id});
  if (kept_.size() > most_kept) kept_.pop_front();
  return previous;
}

void Conversation::end(const Item& item, std::optional<std::string> transcript) {
  const auto kept = std::ranges::find(kept_, item.id, &KeptItem::id);
  if (kept != kept_.end()) kept->transcript = std::move(transcript);
  if (item.turn) gone_turn_ = std::max(gone_turn_, *item.turn);
  const auto ended = std::ranges::find(open_, item.id, &Item::id);
  if (ended != open_.end()) open_.erase(ended);
}

std::list<Item> Conversation::fail() {
  answers_ = commits_;
  return std::exchange(open_, {});
}

const KeptItem* Conversation::find(std::string_view id) const {
  const auto found = std::ranges::find(kept_, id, &KeptItem::id);
  return found == kept_.end() ? nullptr : &*found;
}

bool Conversation::remove(std::string_view id) {
  return std::erase_if(kept_, [id](const KeptItem& item) { return item.id == id; }) > 0;
}

}  // namespace protocol::openai::realtime
