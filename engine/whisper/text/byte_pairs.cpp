#include "engine/whisper/text/byte_pairs.h"

#include <limits>
#include <queue>
#include <tuple>

namespace engine {
namespace {

constexpr int no_token = std::numeric_limits<int>::max();

// A part of the piece that is one token so far, in a list linked by start positions.
struct Part {
  size_t end = 0;       // where the next part starts
  size_t previous = 0;  // where the part before starts
  bool alive = true;
};

struct Pair {
  int rank;
  size_t begin, end;  // the bytes that both parts span
  // This order makes a queue give the lowest rank first, then the leftmost.
  bool operator<(const Pair& other) const {
    return std::tie(rank, begin) > std::tie(other.rank, other.begin);
  }
};

}  // namespace

BytePairs::BytePairs(const std::vector<std::string>& tokens) {
  ranks_.reserve(tokens.size());
  for (size_t id = 0; id < tokens.size(); ++id) {
    if (!tokens[id].empty()) ranks_.emplace(tokens[id], static_cast<int>(id));
  }
}

int BytePairs::rank(std::string_view bytes) const {
  const auto found = ranks_.find(bytes);
  return found == ranks_.end() ? no_token : found->second;
}

void BytePairs::encode(std::string_view piece, std::vector<int>& ids) const {
  if (const int whole = rank(piece); whole != no_token) {
    ids.push_back(whole);
    return;
  }
  std::vector<Part> parts(piece.size());
  std::priority_queue<Pair> pairs;
  // Puts the pair that starts at `begin` into the queue, if it is a token.
  const auto push_pair = [&](size_t begin) {
    const size_t middle = parts[begin].end;
    if (middle == piece.size()) return;
    const size_t end = parts[middle].end;
    const int pair_rank = rank(piece.substr(begin, end - begin));
    if (pair_rank != no_token) pairs.push({pair_rank, begin, end});
  };

  for (size_t i = 0; i < piece.size(); ++i) parts[i] = {i + 1, i == 0 ? 0 : i - 1, true};
  for (size_t i = 0; i < piece.size(); ++i) push_pair(i);
  while (!pairs.empty()) {
    const Pair pair = pairs.top();
    pairs.pop();
    Part& left = parts[pair.begin];
    // A merge beside it may have taken one of the two parts since the pair was pushed.
    if (!left.alive || left.end == pair.end || left.end == piece.size()) continue;
    Part& right = parts[left.end];
    if (right.end != pair.end) continue;
    right.alive = false;
    left.end = pair.end;
    if (pair.end < piece.size()) parts[pair.end].previous = pair.begin;
    push_pair(pair.begin);
    if (pair.begin > 0) push_pair(left.previous);
  }
  for (size_t i = 0; i < piece.size(); i = parts[i].end) {
    ids.push_back(rank(piece.substr(i, parts[i].end - i)));
  }
}

}  // namespace engine
