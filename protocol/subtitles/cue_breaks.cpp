#include "protocol/subtitles/cue_breaks.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "protocol/subtitles/break_cost.h"

namespace protocol::subtitles {
namespace {

constexpr double unreachable = std::numeric_limits<double>::infinity();
constexpr double per_cue = 10;             // fewer cues are better
constexpr double per_sentence_inside = 5;  // a cue had better be one sentence
constexpr double too_short = 40;
constexpr double too_quick = 20;  // for each time that the text exceeds the reading speed
constexpr double unbalanced = 3;  // if one of two lines is empty
constexpr double upper_is_longer = 1;
constexpr double line_share = 0.7;  // a line's end costs less than a cue's
constexpr double long_pause_s = 2;
constexpr std::size_t most_atoms = 100;  // of a cue, whose letters may have no width

struct Lines {
  double cost = unreachable;
  std::size_t second = 0;
};

class CueBreaker {
 public:
  CueBreaker(std::span<const Atom> atoms, const std::string& language, const Rules& rules,
             const CueLabel& label)
      : atoms_(atoms), rules_(rules), label_(label), costs_(break_costs(atoms, language)) {
    for (const Atom& atom : atoms) {
      before_.push_back(before_.back() + atom.columns + (atom.has_space ? 1 : 0));
      wide_before_.push_back(wide_before_.back() + (is_wide(atom.text) ? atom.columns : 0));
    }
  }

  // The cheapest way to each place is that to the beginning of its last cue, and that cue.
  std::vector<CueBreak> breaks() {
    const std::size_t count = atoms_.size();
    std::vector<double> cheapest(count + 1, unreachable);
    std::vector<CueBreak> last(count + 1);
    cheapest[0] = 0;
    for (std::size_t begin = 0; begin < count; ++begin) {
      double sentences = 0;
      for (std::size_t end = begin + 1; end <= count && may_be_cue(begin, end); ++end) {
        const Lines lines = lines_of(begin, end);
        const double cost =
            cheapest[begin] + lines.cost + sentences * per_sentence_inside + cost_of(begin, end);
        if (cost < cheapest[end]) {
          cheapest[end] = cost;
          last[end] = {begin, lines.second, end};
        }
        sentences += costs_[end - 1].ends_sentence ? 1 : 0;
      }
    }
    std::vector<CueBreak> cues;
    for (std::size_t end = count; end > 0; end = last[end].begin) cues.push_back(last[end]);
    std::ranges::reverse(cues);
    return cues;
  }

 private:
  int width(std::size_t begin, std::size_t end) const {
    return before_[end] - before_[begin] - (atoms_[end - 1].has_space ? 1 : 0);
  }

  bool is_wide_part(std::size_t begin, std::size_t end) const {
    return 2 * (wide_before_[end] - wide_before_[begin]) > width(begin, end);
  }

  bool is_line(std::size_t begin, std::size_t end, int label = 0) const {
    const int limit = is_wide_part(begin, end) ? rules_.wide_columns : rules_.columns;
    return label + width(begin, end) <= limit;
  }

  // The columns of the label in a cue that begins there. Text keeps a third of the line.
  int label_at(std::size_t begin) const {
    if (begin > 0 && !label_.is_in_each) return 0;
    return std::min(label_.columns, rules_.columns * 2 / 3);
  }

  // A single atom always is one, so each place can be reached.
  bool may_be_cue(std::size_t begin, std::size_t end) const {
    if (end == begin + 1) return true;
    if (end - begin > most_atoms) return false;
    const bool pauses = atoms_[end - 1].start - atoms_[end - 2].end >= long_pause_s;
    const double time = atoms_[end - 1].end - atoms_[begin].start;
    return !pauses && time <= rules_.longest_s &&
           label_at(begin) + width(begin, end) <= most_lines * rules_.columns + 1;
  }

  Lines lines_of(std::size_t begin, std::size_t end) const {
    const int label = label_at(begin);
    if (is_line(begin, end, label) || end == begin + 1) return {.cost = 0, .second = end};
    Lines best{.cost = unreachable, .second = end};
    for (std::size_t second = begin + 1; second < end; ++second) {
      if (!is_line(begin, second, label) || !is_line(second, end)) continue;
      const int upper = label + width(begin, second);
      const int lower = width(second, end);
      const double cost = line_share * costs_[second - 1].cost +
                          unbalanced * std::abs(upper - lower) / (upper + lower) +
                          (upper > lower ? upper_is_longer : 0);
      if (cost < best.cost) best = {.cost = cost, .second = second};
    }
    return best;
  }

  // The cost of a cue without that of its lines.
  double cost_of(std::size_t begin, std::size_t end) const {
    const bool is_last = end == atoms_.size();
    const double until = is_last ? unreachable : atoms_[end].start - rules_.gap_s;
    const double time = until - atoms_[begin].start;
    const double speed =
        is_wide_part(begin, end) ? rules_.wide_columns_per_s : rules_.columns_per_s;
    const double needed = width(begin, end) / speed;
    double cost = per_cue + costs_[end - 1].cost;
    if (time < rules_.shortest_s) cost += too_short;
    if (needed > time) cost += too_quick * (needed / std::max(time, 0.1) - 1);
    return cost;
  }

  std::span<const Atom> atoms_;
  const Rules& rules_;
  CueLabel label_;
  std::vector<BreakCost> costs_;
  std::vector<int> before_{0};       // columns before each atom
  std::vector<int> wide_before_{0};  // likewise, of wide characters alone
};

}  // namespace

std::vector<CueBreak> break_into_cues(std::span<const Atom> atoms, const std::string& language,
                                      const Rules& rules, const CueLabel& label) {
  return CueBreaker(atoms, language, rules, label).breaks();
}

std::string line_of(std::span<const Atom> atoms) {
  std::string line;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    line += atoms[i].text;
    if (atoms[i].has_space && i + 1 < atoms.size()) line += ' ';
  }
  return line;
}

}  // namespace protocol::subtitles
