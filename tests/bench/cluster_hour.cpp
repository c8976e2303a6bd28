// What many daemons on one database do in virtual time: stores and statements are the real ones,
// and only time, sound and daemons are made up. Prints a line of JSON:
//   cluster_hour ADDRESS [NODES] [MINUTES] [CLAIMS_PER_S] [DEATHS]
// Each of NODES (1,000) has four places and a connection, so the server needs as many. Jobs come
// at random, CLAIMS_PER_S (83) of 20 owners in turn, and last 38 s in the middle; one more owner
// sends 40 s of everybody's work at once after a quarter of the time. DEATHS (10) nodes die in the
// MINUTES (60). A node with a free place looks for work when it becomes free, and then once a
// second. The tables lie in the schema cluster_hour, which is made anew.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "server/jobs_postgres/nodes.h"
#include "server/jobs_postgres/postgres_job_store.h"

namespace {

using namespace server;

constexpr char schema[] = "cluster_hour";
constexpr char burst_owner[] = "burst";
constexpr int places = 4;
constexpr int owners = 20;
constexpr double mean_job_s = 38;
constexpr double lease_s = 15;
constexpr double look_s = 1;
constexpr double clock_step_s = 0.1;

struct Node {
  std::unique_ptr<JobStore> store{};
  int number = 0;
  int free = places;
  bool is_alive = true;
  bool looks = false;  // will look for work at some later time
};

struct Known {
  double submitted = 0;
  std::string owner{};
};

class Hour {
 public:
  Hour(std::string address, int nodes, double seconds, double rate, int deaths)
      : address_(std::move(address)), seconds_(seconds), rate_(rate), control_(connection()) {
    postgres::Session({.address = address_}).transact([](postgres::Step& step) {
      step.execute(fmt::format("DROP SCHEMA IF EXISTS {} CASCADE", schema));
      return true;
    });
    gateway_ = open("gateway", true);
    control_.transact([](postgres::Step& step) {
      step.execute(
          "CREATE TABLE clock (at float8 NOT NULL); INSERT INTO clock VALUES (1000000); "
          "CREATE OR REPLACE FUNCTION scribed_now() RETURNS float8 LANGUAGE sql STABLE AS "
          "'SELECT at FROM clock'");
      return true;
    });
    for (int i = 0; i < nodes; ++i)
      nodes_.push_back({.store = open(fmt::format("node{}", i), false)});
    read_numbers();
    begin(deaths);
  }

  void run() {
    while (!events_.empty() && events_.top().at < seconds_) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      event.work();
    }
  }

  void print() const {
    fmt::print(
        "{{\"nodes\": {}, \"virtual_s\": {:.0f}, \"submitted\": {}, \"claimed\": {}, "
        "\"empty_claims\": {}, \"ended\": {}, \"lost_claims\": {}, \"deaths\": {}, "
        "\"jobs_of_dead\": {}, \"again_p50_s\": {:.1f}, \"again_most_s\": {:.1f}, "
        "\"wait_p50_s\": {:.2f}, \"wait_p99_s\": {:.2f}, \"burst_wait_p50_s\": {:.2f}, "
        "\"burst_wait_p99_s\": {:.2f}, \"jain_of_waits\": {:.4f}}}\n",
        nodes_.size(), seconds_, submitted_, claimed_, empty_, ended_, lost_, deaths_,
        again_.size() + left_.size(), share(again_, 0.5), share(again_, 1),
        share(waits(false), 0.5), share(waits(false), 0.99), share(waits(true), 0.5),
        share(waits(true), 0.99), jain());
  }

 private:
  struct Event {
    double at = 0;
    std::function<void()> work{};
    bool operator<(const Event& other) const { return at > other.at; }
  };

  postgres::ConnectionSettings connection() const {
    return {.address = address_, .schema = schema};
  }

  std::unique_ptr<JobStore> open(const std::string& name, bool only_accepts) {
    return open_postgres_job_store({.address = address_,
                                    .schema = schema,
                                    .node = name,
                                    .only_accepts = only_accepts,
                                    .lease_s = lease_s,
                                    .keeps_lease = false})
        .value();
  }

  void read_numbers() {
    control_.transact([this](postgres::Step& step) {
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const auto rows =
            step.query("SELECT node FROM nodes WHERE name = $1", fmt::format("node{}", i));
        nodes_[i].number = static_cast<int>(rows[0].integer("node"));
      }
      return true;
    });
  }

  void at(double time, std::function<void()> work) { events_.push({time, std::move(work)}); }
  double drawn(double mean) { return std::exponential_distribution(1 / mean)(random_); }
  double uniform(double below) { return std::uniform_real_distribution(0.0, below)(random_); }

  void begin(int deaths) {
    tick();
    renew();
    for (std::size_t i = 0; i < nodes_.size(); ++i) look_later(i, uniform(look_s));
    at(drawn(1 / rate_), [this] { arrive(); });
    at(seconds_ / 4, [this] {
      for (int i = 0; i < 40 * rate_; ++i) submit(burst_owner);
    });
    for (int i = 0; i < deaths; ++i) at(uniform(seconds_ * 0.9), [this] { die(); });
  }

  void tick() {
    control_.transact([this](postgres::Step& step) {
      step.query("UPDATE clock SET at = $1", 1'000'000 + now_);
      return true;
    });
    at(now_ + clock_step_s, [this] { tick(); });
  }

  // All living nodes renew in a third of a lease, and here in one statement; each sweeps as often,
  // and here four of them do.
  void renew() {
    std::string alive;
    for (const Node& node : nodes_) {
      if (node.is_alive) alive += (alive.empty() ? "" : ",") + std::to_string(node.number);
    }
    control_.transact([&](postgres::Step& step) {
      step.query("UPDATE nodes SET lease_until = scribed_now() + $1 WHERE node = ANY ($2::int[])",
                 lease_s, "{" + alive + "}");
      return true;
    });
    for (int i = 0; i < 4; ++i) {
      at(now_ + uniform(lease_s / 3), [this] {
        control_.transact([this](postgres::Step& step) {
          return postgres::sweep(step, nodes_[0].number, {.keep_s = 86'400});
        });
      });
    }
    at(now_ + lease_s / 3, [this] { renew(); });
  }

  void arrive() {
    submit(fmt::format("owner{}", submitted_ % owners));
    at(now_ + drawn(1 / rate_), [this] { arrive(); });
  }

  void submit(const std::string& owner) {
    constexpr int none = std::numeric_limits<int>::max();
    const auto job =
        gateway_->submit({.model = "base", .input = "object:recording", .owner = owner},
                         {.max_waiting = none, .max_waiting_per_owner = none});
    known_[job.value().id] = {now_, owner};
    ++submitted_;
  }

  void look_later(std::size_t place, double after) {
    if (nodes_[place].looks) return;
    nodes_[place].looks = true;
    at(now_ + after, [this, place] {
      nodes_[place].looks = false;
      look(place);
    });
  }

  void look(std::size_t place) {
    Node& node = nodes_[place];
    while (node.is_alive && node.free > 0) {
      auto job = node.store->claim({}).value();
      if (!job) {
        ++empty_;
        return look_later(place, look_s);
      }
      ++claimed_;
      --node.free;
      begin_job(place, *job);
    }
  }

  void begin_job(std::size_t place, const Job& job) {
    if (const auto died = left_.find(job.id); died != left_.end()) {
      again_.push_back(now_ - died->second);
      left_.erase(died);
    } else if (const auto known = known_.find(job.id); known != known_.end()) {
      waits_[known->second.owner].push_back(now_ - known->second.submitted);
      known_.erase(known);
    }
    running_[place][job.id] = now_;
    const double lasts = mean_job_s / 2 + drawn(mean_job_s / 2);
    const Claim claim = claim_of(job);
    for (int third = 1; third <= 2; ++third) {
      at(now_ + lasts * third / 3, [this, place, claim] { write(place, claim); });
    }
    at(now_ + lasts, [this, place, claim, id = job.id] { end(place, claim, id); });
  }

  void write(std::size_t place, const Claim& claim) {
    if (!nodes_[place].is_alive) return;
    std::vector<protocol::Segment> four;
    for (int i = 0; i < 4; ++i) {
      four.push_back({.id = i, .start = i * 2.0, .end = i * 2.0 + 2, .text = " And so it goes."});
    }
    if (!nodes_[place].store->add_segments(claim, four)) ++lost_;
  }

  void end(std::size_t place, const Claim& claim, const std::string& id) {
    Node& node = nodes_[place];
    if (!node.is_alive) return;
    if (!node.store->finish(claim, {})) ++lost_;
    ++ended_;
    ++node.free;
    running_[place].erase(id);
    look(place);
  }

  // The node 0, which sweeps, lives on.
  void die() {
    const auto place = 1 + static_cast<std::size_t>(uniform(nodes_.size() - 1.0));
    if (!nodes_[place].is_alive) return;
    nodes_[place].is_alive = false;
    ++deaths_;
    for (const auto& [id, begun] : running_[place]) left_[id] = now_;
  }

  std::vector<double> waits(bool of_burst) const {
    std::vector<double> all;
    for (const auto& [owner, some] : waits_) {
      if ((owner == burst_owner) == of_burst) all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  static double share(std::vector<double> values, double part) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  }

  // Jain's index of the mean waits of owners who ask for the same: 1 where they are equal.
  double jain() const {
    double sum = 0, squares = 0, count = 0;
    for (const auto& [owner, some] : waits_) {
      if (owner == burst_owner) continue;
      const double mean =
          std::accumulate(some.begin(), some.end(), 0.0) / static_cast<double>(some.size());
      sum += mean;
      squares += mean * mean;
      ++count;
    }
    return squares > 0 ? sum * sum / (count * squares) : 1;
  }

  std::string address_;
  double seconds_, rate_;
  postgres::Session control_;
  std::unique_ptr<JobStore> gateway_{};
  std::vector<Node> nodes_{};
  std::priority_queue<Event> events_{};
  std::mt19937_64 random_{20'261'127};
  double now_ = 0;
  int submitted_ = 0, claimed_ = 0, empty_ = 0, ended_ = 0, lost_ = 0, deaths_ = 0;
  std::map<std::string, Known> known_{};                            // that were never begun
  std::map<std::size_t, std::map<std::string, double>> running_{};  // by node: job, its begin
  std::map<std::string, double> left_{};                            // of dead nodes: the death
  std::map<std::string, std::vector<double>> waits_{};              // by owner
  std::vector<double> again_{};  // from the death of a node until its job runs again
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto number = [&](int place, double usual) {
    return place < argc ? std::atof(argv[place]) : usual;
  };
  Hour hour(argv[1], static_cast<int>(number(2, 1000)), 60 * number(3, 60), number(4, 83),
            static_cast<int>(number(5, 10)));
  hour.run();
  hour.print();
  return 0;
}
