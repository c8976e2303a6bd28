#include "engine/whisper/transcriber/live_align.h"

#include <algorithm>

#include "engine/audio/sample_rate.h"

namespace engine {
namespace {

constexpr std::int64_t samples_per_frame = sample_rate_hz / 50;
constexpr std::int64_t pause_samples = sample_rate_hz / 5;  // behind it a word goes on no more
constexpr double improbable = 0.3;
// An improbable word that is looked for in so many last frames of a silence, which is at least
// twice as long, was not spoken.
constexpr std::int64_t end_frames = 4;

bool is_sign(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool is_letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return byte < 128 && !is_letter;
}

std::string without_signs(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (!is_sign(c)) result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

bool lies_before_end(const HeardWord& word, const LiveMoment& moment, double frames) {
  return static_cast<double>(moment.end - word.attended) >= frames * samples_per_frame;
}

bool has_next_word(std::span<const HeardWord> behind) {
  return !std::ranges::all_of(behind, &HeardWord::is_sign);
}

// Takes the words of the pass before one by one, without signs.
class EarlierWords {
 public:
  explicit EarlierWords(std::span<const HeardWord> words) : left_(words) {}

  bool next_is(const std::string& word) {
    while (!left_.empty() && left_.front().is_sign) left_ = left_.subspan(1);
    if (left_.empty()) return false;
    const bool same = is_same_word(left_.front().word.word, word);
    left_ = left_.subspan(1);
    return same;
  }

 private:
  std::span<const HeardWord> left_;
};

}  // namespace

LiveRule live_rule(const ModelDims& dims, std::optional<int> margin_frames) {
  LiveRule rule;
  if (margin_frames.value_or(0) > 0) rule.margin_frames = *margin_frames;
  const bool has_few_layers = dims.n_text_layer < dims.n_audio_layer;
  const bool agree = margin_frames ? *margin_frames == 0 : has_few_layers;
  if (agree) rule.policy = LivePolicy::local_agreement;
  return rule;
}

bool is_same_word(const std::string& a, const std::string& b) {
  const std::string letters = without_signs(a);
  return letters.empty() ? a == b : letters == without_signs(b);
}

std::size_t sure_words(const LiveRule& rule, std::span<const HeardWord> before,
                       std::span<const HeardWord> heard, const LiveMoment& moment) {
  EarlierWords earlier(before);
  bool agreed = true;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    const HeardWord& word = heard[i];
    const bool next_has_begun = has_next_word(heard.subspan(i + 1));
    if (word.is_sign) {
      if (!next_has_begun) return i;
      continue;
    }
    agreed = agreed && earlier.next_is(word.word.word);
    if (rule.policy == LivePolicy::local_agreement) {
      if (!agreed) return i;
      continue;
    }
    const bool is_whole = next_has_begun || moment.silent > pause_samples;
    const bool is_aligned = is_whole && word.word.probability >= improbable &&
                            lies_before_end(word, moment, rule.margin_frames);
    if (!is_aligned && !(agreed && lies_before_end(word, moment, rule.margin_frames / 2.0))) {
      return i;
    }
  }
  return heard.size();
}

std::size_t spoken_words(const LiveRule& rule, std::span<const HeardWord> heard,
                         const LiveMoment& moment) {
  const bool in_silence = moment.silent >= 2 * end_frames * samples_per_frame;
  if (rule.policy != LivePolicy::align_att || !in_silence) return heard.size();
  for (std::size_t i = 0; i < heard.size(); ++i) {
    const HeardWord& word = heard[i];
    if (!word.is_sign && word.word.probability < improbable &&
        !lies_before_end(word, moment, end_frames)) {
      return i;
    }
  }
  return heard.size();
}

std::string text_of(std::span<const HeardWord> words) {
  std::string text;
  for (const HeardWord& heard : words) text += heard.word.word;
  return text;
}

std::vector<int> tokens_of(std::span<const HeardWord> words) {
  std::vector<int> tokens;
  for (const HeardWord& heard : words) {
    tokens.insert(tokens.end(), heard.word.tokens.begin(), heard.word.tokens.end());
  }
  return tokens;
}

}  // namespace engine
