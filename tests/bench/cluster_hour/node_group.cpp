#include "tests/bench/cluster_hour/node_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace bench {
namespace {

using namespace server;
using postgres::Step;

// How often a daemon without news does what it does (server/jobs/job_queue.h, LeaseKeeper,
// JobService).
constexpr double look_s = 1;
constexpr double renew_s = 5;
constexpr double check_s = 5;
constexpr double house_s = 60;
constexpr double sample_s = 10;
// What costs the same at each node and changes nothing for others is done by one of so many.
constexpr int one_of = 10;
// The eldest nodes renew their leases by themselves, because they may sweep then. The others of a
// group do so in five statements.
constexpr std::size_t eldest = 8;
constexpr std::size_t renewals = 5;

}  // namespace

NodeGroup::NodeGroup(const HourSettings& settings, int number, JobsOfTheDead& dead)
    : settings_(settings),
      number_(number),
      dead_(dead),
      database_(settings.address),
      random_(20'261'127 + static_cast<unsigned>(number)) {
  const int threads = settings.threads;
  nodes_.resize(static_cast<std::size_t>(settings.nodes / threads));
  for (Node& node : nodes_) begin_node(node);
  for (std::size_t i = 0; i < renewals; ++i) {
    at(static_cast<double>(i), [this, i] {
      renew_others(i);
      every(renew_s, [this, i] { renew_others(i); });
    });
  }
  plan_deaths();
  at(drawn(threads / settings.jobs_per_s), [this] { arrive(); });
  if (number != 0) return;
  every(sample_s, [this] { sample(); });
  at(settings.burst_at(), [this] {
    for (int i = 0; i < burst_s * settings_.jobs_per_s; ++i) submit(burst_owner);
  });
}

void NodeGroup::every(double interval, const std::function<void()>& work) {
  at(now_ + interval, [this, interval, work] {
    work();
    every(interval, work);
  });
}

void NodeGroup::begin_node(Node& node) {
  node.name = database_.begin_node(fmt::format("node{}-{}", number_, &node - nodes_.data()));
  node.free = places;
  look_later(node, uniform(look_s));
  const auto place = static_cast<std::size_t>(&node - nodes_.data());
  if (place < eldest) at(uniform(renew_s), [this, &node] { renew(node); });
  if (place % one_of != 0) return;
  at(uniform(check_s), [this, &node] {
    every(check_s, [this, &node] {
      std::vector<Claim> claims;
      for (const auto& [id, claim] : node.running) claims.push_back(claim);
      if (node.is_alive && !claims.empty()) database_.check(claims);
    });
  });
  at(uniform(house_s), [this, &node] {
    every(house_s, [this, &node] {
      if (node.is_alive) database_.keep_house();
    });
  });
}

// Whoever dies at the end is found by nobody.
void NodeGroup::plan_deaths() {
  const double last = std::max(1.0, settings_.seconds - 1.2 * longest_dead_s);
  for (int i = number_; i < settings_.deaths; i += settings_.threads) {
    at(uniform(last), [this] { die(); });
  }
}

void NodeGroup::run_until(double time) {
  database_.set_time(time);
  while (!events_.empty() && events_.top().at < time) {
    const Event event = events_.top();
    events_.pop();
    now_ = event.at;
    event.work();
  }
  outcome_.transactions = database_.transactions();
}

void NodeGroup::arrive() {
  submit(fmt::format("owner{}", (outcome_.submitted * settings_.threads + number_) % owners));
  at(now_ + drawn(settings_.threads / settings_.jobs_per_s), [this] { arrive(); });
}

void NodeGroup::submit(const std::string& owner) {
  database_.submit(owner);
  ++outcome_.submitted;
}

void NodeGroup::look_later(Node& node, double after) {
  if (node.looks) return;
  node.looks = true;
  at(now_ + after, [this, &node] {
    node.looks = false;
    look(node);
  });
}

void NodeGroup::look(Node& node) {
  while (node.is_alive && node.free > 0) {
    const auto job = database_.claim(node.name);
    if (!job) {
      ++outcome_.empty_looks;
      return look_later(node, look_s);
    }
    ++outcome_.claimed;
    begin_job(node, *job);
  }
}

// The database's times are those of the step's end.
void NodeGroup::begin_job(Node& node, const Job& job) {
  if (job.attempts == 1) {
    outcome_.waits[job.request.owner].push_back({job.created, job.started - job.created});
  } else {
    const std::lock_guard lock(dead_.mutex);
    if (const auto left = dead_.died.find(job.id); left != dead_.died.end()) {
      outcome_.again_s.push_back(now_ - left->second);
      dead_.died.erase(left);
    }
  }
  const Claim claim = claim_of(job);
  --node.free;
  node.running[job.id] = claim;
  const double lasts = settings_.job_s / 2 + drawn(settings_.job_s / 2);
  for (int third = 1; third <= 2; ++third) {
    at(now_ + lasts * third / 3, [this, &node, claim] { write(node, claim); });
  }
  at(now_ + lasts, [this, &node, claim, id = job.id] { end(node, claim, id); });
}

void NodeGroup::write(const Node& node, const Claim& claim) {
  if (node.is_alive && !database_.write(claim)) ++outcome_.lost_writes;
}

void NodeGroup::end(Node& node, const Claim& claim, const std::string& id) {
  if (!node.is_alive) return;
  if (!database_.finish(node.name, claim)) ++outcome_.lost_writes;
  ++outcome_.ended;
  ++node.free;
  node.running.erase(id);
  look(node);
}

void NodeGroup::renew(Node& node) {
  if (!node.is_alive) return;
  if (database_.renew(node.name) && settings_.without != "sweep") {
    ++outcome_.sweeps;
    database_.sweep(node.name);
  }
  at(now_ + renew_s, [this, &node] { renew(node); });
}

void NodeGroup::renew_others(std::size_t first) {
  std::vector<int> alive;
  for (std::size_t i = eldest + first; i < nodes_.size(); i += renewals) {
    if (nodes_[i].is_alive) alive.push_back(nodes_[i].name.node.number);
  }
  if (!alive.empty()) database_.renew_all(alive);
}

void NodeGroup::die() {
  Node& node = nodes_[static_cast<std::size_t>(uniform(static_cast<double>(nodes_.size())))];
  if (!node.is_alive) return;
  node.is_alive = false;
  ++outcome_.deaths;
  const std::lock_guard lock(dead_.mutex);
  for (const auto& [id, claim] : node.running) dead_.died[id] = now_;
}

// By how many jobs the one of the equal owners who has most waiting is behind the one with least.
void NodeGroup::sample() {
  database_.ask([this](Step& step) {
    const auto rows = step.query(
        "SELECT count(*) AS waiting FROM jobs WHERE state = 0 AND owner <> $1 GROUP BY owner",
        burst_owner);
    std::int64_t most = 0, least = rows.size() < owners ? 0 : std::numeric_limits<int>::max();
    for (int i = 0; i < rows.size(); ++i) {
      most = std::max(most, rows[i].integer("waiting"));
      least = std::min(least, rows[i].integer("waiting"));
    }
    outcome_.largest_lag = std::max(outcome_.largest_lag, static_cast<int>(most - least));
    return true;
  });
}

}  // namespace bench
