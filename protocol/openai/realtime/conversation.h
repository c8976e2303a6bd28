#pragma once

#include <cstddef>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/openai/realtime/ids.h"

namespace protocol::openai::realtime {

// An item whose text is not complete: a turn of the session, as clients see it.
struct Item {
  std::string id{};
  std::optional<int> turn{};  // unset: the session has told nothing of it yet
  int commit = 0;             // the number of the client's commit that ends it; 0: none
  double from_s = 0;          // such a commit took the sound between these
  double to_s = 0;
  bool is_started = false;  // the client knows that speech has begun,
  bool is_stopped = false;  // and that it has ended
  bool is_committed = false;
  bool has_words = false;  // the client has got some
};

// An item that was committed. Its transcript is unset until it is complete.
struct KeptItem {
  std::string id{};
  std::optional<std::string> transcript{};
};

// The items of a conversation and the turns of the session that they are. A client's commit makes
// an item at once, while the session may still tell of turns that have ended before it, and of
// turns that begin behind it. So a turn belongs to the item in whose sound it begins. Each commit
// is also answered by the end of one turn with the cause `client`, in order, which completes its
// item where no turn has done that.
class Conversation {
 public:
  // Items that can be retrieved; older ones are forgotten.
  static constexpr std::size_t most_kept = 256;

  explicit Conversation(Ids& ids) : ids_(ids) {}

  // Returns the item that is this turn, if one is known to be it.
  Item* known(int turn);
  // Returns the same, or the item that it must be, or a new one. nullptr: the sound was cleared, or
  // the turn has ended.
  Item* of_turn(int turn, double start_s);
  // Returns the item of a turn that the session has ended because of a client's commit.
  Item& of_answer(int turn);

  // Returns the newest item of which the session has told something; nullptr: all have ended.
  const Item* newest() const;

  // Returns the item that a client's commit ends, which is at this time of the sound.
  Item& of_commit(double at_s);

  int commits() const { return commits_; }  // of the client
  int answers() const { return answers_; }  // of the session to them

  // Forgets what was not committed; the sound up to this time is gone.
  void clear(double at_s);

  // Makes the item a part of the conversation; returns the id of the one before it, if any.
  std::optional<std::string> commit(Item& item);
  // The item is complete, or failed where there is no transcript.
  void end(const Item& item, std::optional<std::string> transcript);

  // All that is open is lost. Returns it.
  std::list<Item> fail();

  const KeptItem* find(std::string_view id) const;
  bool remove(std::string_view id);  // false: there is none

 private:
  Item& add(int turn);
  bool was_cleared(double start_s) const;

  Ids& ids_;
  std::list<Item> open_{};  // in the order of their turns; those without one come last
  std::deque<KeptItem> kept_{};
  int gone_turn_ = 0;  // turns up to this one have ended, or were cleared
  int commits_ = 0;
  int answers_ = 0;
  double committed_s_ = 0;
  // The sound between these two was cleared last.
  double cleared_from_s_ = 0;
  double cleared_to_s_ = 0;
};

}  // namespace protocol::openai::realtime
