// What a store of jobs does in a second: claims, and whole lives of jobs (claim, two writes of four
// segments, end), through JobStore. Prints a line of JSON:
//   job_stores sqlite FOLDER [QUEUED] [OWNERS] [SECONDS]
//   job_stores postgres ADDRESS CONNECTIONS [QUEUED] [OWNERS] [SECONDS]
// Of PostgreSQL each connection is a daemon's, with a thread of its own; the tables lie in the
// schema job_stores_bench, which is made anew. Jobs are taken from QUEUED (10,000) ones of OWNERS
// (10). Of more than 20,000 in PostgreSQL most are written as rows, at once, and 2,000 submitted.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/jobs_postgres/connection.h"
#include "server/jobs_postgres/postgres_job_store.h"
#include "server/jobs_sqlite/sqlite_job_store.h"

namespace {

using namespace server;
using Clock = std::chrono::steady_clock;

struct Arguments {
  std::string kind{};
  std::string place{};
  int connections = 1;
  int queued = 10'000;
  int owners = 10;
  double seconds = 5;
};

Arguments read(int argc, char** argv) {
  Arguments arguments{.kind = argv[1], .place = argv[2]};
  int next = 3;
  const auto number = [&](double usual) { return next < argc ? std::atof(argv[next++]) : usual; };
  if (arguments.kind == "postgres") arguments.connections = static_cast<int>(number(1));
  arguments.queued = static_cast<int>(number(arguments.queued));
  arguments.owners = static_cast<int>(number(arguments.owners));
  arguments.seconds = number(arguments.seconds);
  return arguments;
}

std::vector<std::unique_ptr<JobStore>> open(const Arguments& arguments) {
  std::vector<std::unique_ptr<JobStore>> stores;
  if (arguments.kind == "sqlite") {
    const std::filesystem::path file = std::filesystem::path(arguments.place) / "bench.sqlite";
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
    stores.push_back(open_job_store({.file = file}).value());
    return stores;
  }
  const std::string schema = "job_stores_bench";
  postgres::Connection({.address = arguments.place})
      .execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
  for (int i = 0; i < arguments.connections; ++i) {
    stores.push_back(
        open_postgres_job_store(
            {.address = arguments.place, .schema = schema, .node = "bench" + std::to_string(i)})
            .value());
  }
  return stores;
}

// Writes as many waiting jobs as rows as their owners would have submitted in turn.
void load(const Arguments& arguments, int jobs) {
  postgres::Connection connection({.address = arguments.place});
  connection.execute(fmt::format(
      "SET search_path TO job_stores_bench; "
      "INSERT INTO jobs (id, owner, state, home, place, request, options, model, live, webhook, "
      "created, turn) SELECT 'row' || n, 'owner' || n % {0}, 0, '', '', "
      "'{{\"model\": \"base\", \"input\": \"/srv/scribed/inputs/recording\"}}', '{{}}', 'base', "
      "false, false, scribed_now(), n / {0} FROM generate_series(0, {1} - 1) AS n; "
      "INSERT INTO owners SELECT '', owner, max(turn) + 1 FROM jobs GROUP BY owner; "
      "ANALYZE jobs",
      arguments.owners, jobs));
}

struct Filled {
  double per_s = 0;
  double p99_ms = 0;  // of one submit
};

// Adds jobs from all stores at once.
Filled submit_jobs(const std::vector<std::unique_ptr<JobStore>>& stores, const Arguments& arguments,
                   int jobs) {
  constexpr int none = std::numeric_limits<int>::max();
  const JobLimits limits{.max_waiting = none, .max_waiting_per_owner = none};
  std::vector<double> times(static_cast<std::size_t>(std::max(jobs, 0)));
  const auto begin = Clock::now();
  {
    std::atomic<int> next = 0;
    std::vector<std::jthread> threads;
    for (const auto& store : stores) {
      threads.emplace_back([&] {
        for (int i = next++; i < jobs; i = next++) {
          JobRequest request{.model = "base",
                             .input = "/srv/scribed/inputs/recording",
                             .owner = "owner" + std::to_string(i % arguments.owners)};
          const auto sent = Clock::now();
          static_cast<void>(store->submit(std::move(request), limits).value());
          times[static_cast<std::size_t>(i)] =
              std::chrono::duration<double, std::milli>(Clock::now() - sent).count();
        }
      });
    }
  }
  Filled filled{.per_s = jobs / std::chrono::duration<double>(Clock::now() - begin).count()};
  if (times.empty()) return filled;
  const auto place = times.begin() + static_cast<std::ptrdiff_t>(times.size() * 99 / 100);
  std::ranges::nth_element(times, place);
  filled.p99_ms = *place;
  return filled;
}

// Adds jobs until so many wait.
Filled fill(const std::vector<std::unique_ptr<JobStore>>& stores, const Arguments& arguments) {
  constexpr int most_submitted = 20'000, submitted_beside_rows = 2'000;
  int missing = arguments.queued - stores.front()->count_waiting().value();
  if (missing > most_submitted && arguments.kind == "postgres") {
    load(arguments, missing - submitted_beside_rows);
    missing = submitted_beside_rows;
  }
  return submit_jobs(stores, arguments, missing);
}

// Lets every store do its work until the time is over, and returns how often all did it in a
// second.
template <class Work>
double rate(const std::vector<std::unique_ptr<JobStore>>& stores, double seconds, Work work) {
  std::atomic<int> done = 0;
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::duration<double>(seconds);
  {
    std::vector<std::jthread> threads;
    for (const auto& store : stores) {
      threads.emplace_back([&, end] {
        while (Clock::now() < end && work(*store)) ++done;
      });
    }
  }
  return done / std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<protocol::Segment> segments(int count) {
  std::vector<protocol::Segment> some;
  for (int i = 0; i < count; ++i) {
    some.push_back({.id = i, .start = i * 2.0, .end = i * 2.0 + 2, .text = " And so it goes on."});
  }
  return some;
}

bool live(JobStore& store) {
  const auto job = store.claim({}).value();
  if (!job) return false;
  for (int write = 0; write < 2; ++write) {
    static_cast<void>(store.add_segments(claim_of(*job), segments(4)).value());
  }
  static_cast<void>(store.finish(claim_of(*job), {}).value());
  return true;
}

// Returns how many segments a second one store writes for jobs that run beside each other, when so
// many are written in one transaction.
double written(JobStore& store, double seconds, std::size_t together) {
  std::vector<RunWrite> writes;
  for (std::size_t i = 0; i < together; ++i) {
    writes.push_back({.claim = claim_of(store.claim({}).value().value()), .segments = segments(1)});
  }
  const auto begin = Clock::now();
  std::size_t done = 0;
  while (Clock::now() < begin + std::chrono::duration<double>(seconds)) {
    for (const auto& answer : store.write_runs(writes)) static_cast<void>(answer.value());
    done += together;
  }
  return static_cast<double>(done) / std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const Arguments arguments = read(argc, argv);
  const auto stores = open(arguments);
  const Filled submits = fill(stores, arguments);
  const double lives = rate(stores, arguments.seconds, live);
  fill(stores, arguments);
  const double claims = rate(stores, arguments.seconds,
                             [](JobStore& store) { return store.claim({}).value().has_value(); });
  fill(stores, arguments);
  const double alone = written(*stores.front(), arguments.seconds, 1);
  const double together = written(*stores.front(), arguments.seconds, 32);
  fmt::print(
      "{{\"store\": \"{}\", \"connections\": {}, \"queued\": {}, \"owners\": {}, "
      "\"submits_per_s\": {:.0f}, \"submit_p99_ms\": {:.1f}, \"lives_per_s\": {:.0f}, "
      "\"claims_per_s\": {:.0f}, \"writes_alone_per_s\": {:.0f}, "
      "\"writes_of_32_per_s\": {:.0f}}}\n",
      arguments.kind, arguments.connections, arguments.queued, arguments.owners, submits.per_s,
      submits.p99_ms, lives, claims, alone, together);
  return 0;
}
