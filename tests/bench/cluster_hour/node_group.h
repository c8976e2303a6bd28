#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "tests/bench/cluster_hour/hour_outcome.h"
#include "tests/bench/cluster_hour/hour_settings.h"
#include "tests/bench/cluster_hour/virtual_database.h"

namespace bench {

// What dead nodes ran, until it runs again: by the job's id the time of the death.
struct JobsOfTheDead {
  std::mutex mutex{};
  std::map<std::string, double> died{};
};

// A share of the nodes and of the jobs that come, on a thread of its own. Events are done in the
// order of their virtual times; the groups go side by side, step by step.
class NodeGroup {
 public:
  NodeGroup(const HourSettings& settings, int number, JobsOfTheDead& dead);

  // Does what happens before this time.
  void run_until(double time);
  const HourOutcome& outcome() const { return outcome_; }

 private:
  struct Node {
    NodeName name{};
    int free = 0;
    bool is_alive = true;
    bool looks = false;  // will look for work at some later time
    std::map<std::string, server::Claim> running{};
  };
  struct Event {
    double at = 0;
    std::function<void()> work{};
    bool operator<(const Event& other) const { return at > other.at; }
  };

  void at(double time, std::function<void()> work) { events_.push({time, std::move(work)}); }
  void every(double interval, const std::function<void()>& work);
  double drawn(double mean) { return std::exponential_distribution(1 / mean)(random_); }
  double uniform(double below) { return std::uniform_real_distribution(0.0, below)(random_); }

  void begin_node(Node& node);
  void plan_deaths();
  void arrive();
  void submit(const std::string& owner);
  void look_later(Node& node, double after);
  void look(Node& node);
  void begin_job(Node& node, const server::Job& job);
  void write(const Node& node, const server::Claim& claim);
  void end(Node& node, const server::Claim& claim, const std::string& id);
  void renew(Node& node);
  void renew_others(std::size_t first);
  void die();
  void sample();

  const HourSettings settings_;
  const int number_;
  JobsOfTheDead& dead_;
  VirtualDatabase database_;
  std::vector<Node> nodes_;
  std::priority_queue<Event> events_{};
  std::mt19937_64 random_;
  double now_ = 0;
  HourOutcome outcome_{};
};

}  // namespace bench
