#include "engine/whisper/transcriber/live_words.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace engine {
namespace {

// So many words are compared to find the place behind what was committed.
constexpr std::size_t most_compared = 5;
// A run of words so far from its old time is still the same; a single word may be another one.
constexpr double run_moves_s = 1.0;
constexpr double word_moves_s = 0.3;
// A new word may begin so early where nothing but the time tells it.
constexpr double tolerance_s = 0.1;

// Returns the text without spaces, case and punctuation, as far as ASCII goes.
std::string comparable(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_sign = c > 0 && c < 127 && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
                         !(c >= 'A' && c <= 'Z');
    if (!is_sign) result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

bool same_words(std::span<const HeardWord> a, std::span<const HeardWord> b) {
  return std::ranges::equal(
      a, b, {}, [](const HeardWord& heard) { return comparable(heard.word.word); },
      [](const HeardWord& heard) { return comparable(heard.word.word); });
}

std::size_t first_after(double time, std::span<const HeardWord> heard) {
  const auto found = std::ranges::find_if(
      heard, [&](const HeardWord& word) { return word.word.start > time - tolerance_s; });
  return static_cast<std::size_t>(found - heard.begin());
}

}  // namespace

std::size_t agreed_words(std::span<const HeardWord> before, std::span<const HeardWord> now) {
  const std::size_t most = std::min(before.size(), now.size());
  std::size_t agreed = 0;
  for (; agreed < most; ++agreed) {
    const std::string& old_text = before[agreed].word.word;
    const std::string& new_text = now[agreed].word.word;
    const bool is_last = agreed + 1 == now.size();
    if (old_text != new_text && (is_last || comparable(old_text) != comparable(new_text))) break;
  }
  return agreed;
}

std::size_t first_new_word(std::span<const HeardWord> committed, double committed_end,
                           std::span<const HeardWord> heard) {
  for (std::size_t n = std::min({committed.size(), heard.size(), most_compared}); n > 0; --n) {
    const auto last_words = committed.last(n);
    double nearest = n > 1 ? run_moves_s : word_moves_s;
    std::size_t place = 0;
    for (std::size_t end = n; end <= heard.size(); ++end) {
      const double moved = std::abs(heard[end - 1].word.end - committed_end);
      if (moved > nearest || !same_words(last_words, heard.subspan(end - n, n))) continue;
      nearest = moved;
      place = end;
    }
    if (place > 0) return place;
  }
  return first_after(committed_end, heard);
}

std::string text_of(std::span<const HeardWord> words) {
  std::string text;
  for (const HeardWord& heard : words) text += heard.word.word;
  return text;
}

std::size_t LiveWords::hear(std::vector<HeardWord> heard) {
  const std::size_t known = first_new_word(latest_, committed_end_, heard);
  heard.erase(heard.begin(), heard.begin() + static_cast<std::ptrdiff_t>(known));
  const std::size_t agreed = agreed_words(unsure_, heard);
  unsure_ = std::move(heard);
  commit(agreed);
  return agreed;
}

std::size_t LiveWords::commit_until(double time) {
  const auto end =
      std::ranges::find_if(unsure_, [&](const HeardWord& heard) { return heard.word.end > time; });
  const auto count = static_cast<std::size_t>(end - unsure_.begin());
  commit(count);
  return count;
}

void LiveWords::commit(std::size_t count) {
  if (count == 0) return;
  const auto end = unsure_.begin() + static_cast<std::ptrdiff_t>(count);
  committed_end_ = std::max(committed_end_, (end - 1)->word.end);
  committed_.insert(committed_.end(), unsure_.begin(), end);
  latest_.insert(latest_.end(), unsure_.begin(), end);
  if (latest_.size() > most_compared) {
    latest_.erase(latest_.begin(), latest_.end() - static_cast<std::ptrdiff_t>(most_compared));
  }
  unsure_.erase(unsure_.begin(), end);
}

std::vector<HeardWord> LiveWords::leave_behind(double time) {
  const auto kept = std::ranges::find_if(
      committed_, [&](const HeardWord& heard) { return heard.word.end > time; });
  std::vector<HeardWord> left(std::make_move_iterator(committed_.begin()),
                              std::make_move_iterator(kept));
  committed_.erase(committed_.begin(), kept);
  return left;
}

}  // namespace engine
