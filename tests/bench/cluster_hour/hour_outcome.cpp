#include "tests/bench/cluster_hour/hour_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench {
namespace {

// Whoever sends much at once waits for it, and others at most this share of that: without turns
// they wait as long, with them 0.03 to 0.33 of it in the smallest runs.
constexpr double most_of_bursts_wait = 0.5;

double share(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

double rounded(double value) {
  return std::round(value * 100) / 100;
}

std::vector<Wait> waits_of_burst(const HourOutcome& outcome) {
  const auto found = outcome.waits.find(burst_owner);
  return found == outcome.waits.end() ? std::vector<Wait>() : found->second;
}

// The waits of all others, by owner: all of them, or of those jobs that came while the burst's
// owner waited.
std::map<std::string, std::vector<double>> waits_of_others(const HourOutcome& outcome,
                                                           bool beside_burst) {
  double begin = 1e300, end = 0;
  for (const Wait& wait : waits_of_burst(outcome)) {
    begin = std::min(begin, wait.created);
    end = std::max(end, wait.created + wait.seconds);
  }
  std::map<std::string, std::vector<double>> found;
  for (const auto& [owner, waits] : outcome.waits) {
    if (owner == burst_owner) continue;
    for (const Wait& wait : waits) {
      const bool is_beside = wait.created >= begin && wait.created <= end;
      if (is_beside || !beside_burst) found[owner].push_back(wait.seconds);
    }
  }
  return found;
}

std::vector<double> all_of(const std::map<std::string, std::vector<double>>& by_owner) {
  std::vector<double> all;
  for (const auto& [owner, some] : by_owner) all.insert(all.end(), some.begin(), some.end());
  return all;
}

// Jain's index of the mean waits of owners who ask for the same: 1 where they are equal.
double jain(const std::map<std::string, std::vector<double>>& by_owner) {
  double sum = 0, squares = 0;
  for (const auto& [owner, some] : by_owner) {
    const double mean =
        std::accumulate(some.begin(), some.end(), 0.0) / static_cast<double>(some.size());
    sum += mean;
    squares += mean * mean;
  }
  return squares > 0 ? sum * sum / (static_cast<double>(by_owner.size()) * squares) : 1;
}

}  // namespace

void HourOutcome::add(const HourOutcome& other) {
  submitted += other.submitted;
  claimed += other.claimed;
  empty_looks += other.empty_looks;
  ended += other.ended;
  lost_writes += other.lost_writes;
  deaths += other.deaths;
  sweeps += other.sweeps;
  largest_lag = std::max(largest_lag, other.largest_lag);
  transactions += other.transactions;
  for (const auto& [owner, some] : other.waits) {
    waits[owner].insert(waits[owner].end(), some.begin(), some.end());
  }
  again_s.insert(again_s.end(), other.again_s.begin(), other.again_s.end());
}

Verdict judge(const HourOutcome& outcome, const HourSettings& settings) {
  const auto others = all_of(waits_of_others(outcome, false));
  const auto owners_beside = waits_of_others(outcome, true);
  const auto beside = all_of(owners_beside);
  std::vector<double> burst;
  for (const Wait& wait : waits_of_burst(outcome)) burst.push_back(wait.seconds);
  Verdict verdict;
  verdict.figures = {{"nodes", settings.nodes},
                     {"virtual_s", rounded(outcome.seconds)},
                     {"submitted", outcome.submitted},
                     {"claimed", outcome.claimed},
                     {"ended", outcome.ended},
                     {"empty_looks", outcome.empty_looks},
                     {"sweeps", outcome.sweeps},
                     {"lost_writes", outcome.lost_writes},
                     {"transactions_per_virtual_s",
                      rounded(static_cast<double>(outcome.transactions) / outcome.seconds)},
                     {"wait_p50_s", rounded(share(others, 0.5))},
                     {"wait_p99_s", rounded(share(others, 0.99))},
                     {"wait_most_s", rounded(share(others, 1))},
                     {"beside_burst_p50_s", rounded(share(beside, 0.5))},
                     {"beside_burst_p99_s", rounded(share(beside, 0.99))},
                     {"burst_wait_p50_s", rounded(share(burst, 0.5))},
                     {"burst_wait_p99_s", rounded(share(burst, 0.99))},
                     {"jain_of_waits_beside_burst", rounded(jain(owners_beside))},
                     {"largest_lag_jobs", outcome.largest_lag},
                     {"deaths", outcome.deaths},
                     {"jobs_of_dead", outcome.again_s.size() + outcome.left_s.size()},
                     {"again_p50_s", rounded(share(outcome.again_s, 0.5))},
                     {"again_most_s", rounded(share(outcome.again_s, 1))}};
  const double slowest = std::max(share(outcome.again_s, 1), share(outcome.left_s, 1));
  if (slowest > longest_dead_s) {
    verdict.broken.push_back(
        fmt::format("a job of a dead node did not run again for {:.1f} s, and {:.0f} are promised",
                    slowest, longest_dead_s));
  }
  if (share(beside, 0.5) > most_of_bursts_wait * share(burst, 0.5)) {
    verdict.broken.push_back(fmt::format(
        "others waited {:.1f} s in the middle, because one owner sent much, who waited {:.1f} s",
        share(beside, 0.5), share(burst, 0.5)));
  }
  if (outcome.lost_writes > 0) {
    verdict.broken.push_back(
        fmt::format("{} writes were refused to nodes that lived", outcome.lost_writes));
  }
  return verdict;
}

}  // namespace bench
