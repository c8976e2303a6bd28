// What many daemons on one database do in virtual time: statements, transactions and database are
// real, and only time, sound and daemons are made up. Prints figures as JSON, and which promises
// they break; then it ends with 1.
//   cluster_hour ADDRESS [--nodes N] [--minutes M] [--jobs-per-s R] [--job-s S] [--deaths D]
//                [--threads T] [--real-minutes L] [--without sweep|turns]
// Each of N (1,000) nodes has four places. Jobs come at random, R (83) a second of 20 owners in
// turn, and last S (38) seconds in the middle; one more owner sends 40 s of everybody's work at
// once after a quarter of the M (60) minutes. D (10) nodes die. A node with a free place looks for
// work when it becomes free, and then once a second, as daemons do that hear no news. After L
// minutes of real time it ends wherever it is. The tables lie in the schema cluster_hour, which is
// made anew. `--without` takes a guarantee away: nobody is taken for dead, or jobs are begun in the
// order of their numbers.
#include <fmt/core.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/cluster_hour/hour_outcome.h"
#include "tests/bench/cluster_hour/node_group.h"
#include "tests/bench/cluster_hour/table_figures.h"

namespace {

using namespace bench;
using Clock = std::chrono::steady_clock;

constexpr double step_s = 0.1;  // how far apart the clocks of threads may be

HourSettings read(int argc, char** argv) {
  HourSettings settings{.address = argv[1]};
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const double number = std::atof(argv[i + 1]);
    if (name == "--nodes") settings.nodes = static_cast<int>(number);
    if (name == "--minutes") settings.seconds = 60 * number;
    if (name == "--jobs-per-s") settings.jobs_per_s = number;
    if (name == "--job-s") settings.job_s = number;
    if (name == "--deaths") settings.deaths = static_cast<int>(number);
    if (name == "--threads") settings.threads = static_cast<int>(number);
    if (name == "--real-minutes") settings.most_real_s = 60 * number;
    if (name == "--without") settings.without = argv[i + 1];
  }
  return settings;
}

void forget_turns(const HourSettings& settings) {
  VirtualDatabase(settings.address).ask([](server::postgres::Step& step) {
    step.execute(
        "CREATE FUNCTION forget_turn() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN NEW.turn := 0; RETURN NEW; END'; CREATE TRIGGER forget_turn BEFORE INSERT ON jobs "
        "FOR EACH ROW EXECUTE FUNCTION forget_turn()");
    return true;
  });
}

void tell(double time, const HourSettings& settings) {
  const auto minutes = static_cast<int>(time / 60);
  if (static_cast<int>((time - step_s) / 60) == minutes) return;
  fmt::print(stderr, "{} of {:.0f} minutes\n", minutes, settings.seconds / 60);
}

// Returns what all groups did, which take a step each and then wait for each other.
HourOutcome run(const HourSettings& settings, Clock::time_point began) {
  JobsOfTheDead dead;
  std::vector<std::unique_ptr<NodeGroup>> groups;
  for (int i = 0; i < settings.threads; ++i) {
    groups.push_back(std::make_unique<NodeGroup>(settings, i, dead));
  }
  double time = step_s;
  bool goes_on = true;
  std::barrier together(settings.threads, [&]() noexcept {
    tell(time, settings);
    const std::chrono::duration<double> lasted = Clock::now() - began;
    goes_on = time + step_s <= settings.seconds && lasted.count() < settings.most_real_s;
    if (goes_on) time += step_s;
  });
  std::vector<std::jthread> threads;
  for (const auto& group : groups) {
    threads.emplace_back([&] {
      while (goes_on) {
        group->run_until(time);
        together.arrive_and_wait();
      }
    });
  }
  threads.clear();
  HourOutcome outcome{.seconds = time};
  for (const auto& group : groups) outcome.add(group->outcome());
  for (const auto& [job, died] : dead.died) outcome.left_s.push_back(time - died);
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const HourSettings settings = read(argc, argv);
  try {
    const auto began = Clock::now();
    VirtualDatabase::make(settings.address);
    if (settings.without == "turns") forget_turns(settings);
    const auto outcome = run(settings, began);
    auto verdict = judge(outcome, settings);
    const std::chrono::duration<double> lasted = Clock::now() - began;
    verdict.figures["real_s"] = static_cast<int>(lasted.count());
    verdict.figures["tables"] = table_figures(settings.address);
    verdict.figures["broken"] = verdict.broken;
    fmt::print("{}\n", verdict.figures.dump(1));
    return verdict.broken.empty() ? 0 : 1;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "the simulation failed: {}\n", failure.what());
    return 2;
  }
}
