#include "tests/bench/cluster_hour/virtual_database.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <vector>

#include "server/jobs_postgres/job_marks.h"
#include "server/jobs_postgres/job_writes.h"
#include "server/jobs_postgres/nodes.h"
#include "server/jobs_postgres/owner_use.h"
#include "server/jobs_postgres/postgres_job_store.h"
#include "server/jobs_postgres/schema.h"
#include "server/jobs_postgres/store_upkeep.h"

namespace bench {
namespace {

using namespace server;
using postgres::Step;

constexpr char schema[] = "cluster_hour";
constexpr double lease_s = 15;
constexpr double begin_of_time = 1'000'000;
const JobLimits limits{.max_waiting = 20'000, .max_waiting_per_owner = 20'000};
// What a daemon asks for that has four places, one model, and several owners.
const ClaimRequest request{.most_of_one = 3, .loaded_models = {"base"}};
const postgres::SweepSettings sweep_settings{.keep_s = 86'400};

postgres::ConnectionSettings connection(const std::string& address) {
  return {.address = address, .schema = schema};
}

std::vector<protocol::Segment> four_segments() {
  std::vector<protocol::Segment> four;
  for (int i = 0; i < 4; ++i) {
    four.push_back({.id = i, .start = i * 2.0, .end = i * 2.0 + 2, .text = " And so it goes."});
  }
  return four;
}

}  // namespace

// The clock is a setting of the connection, which costs a statement as little as the real one.
void VirtualDatabase::make(const std::string& address) {
  postgres::Session session(connection(address));
  session.transact([](Step& step) {
    step.execute(fmt::format("DROP SCHEMA IF EXISTS {} CASCADE", schema));
    return true;
  });
  postgres::prepare_schema(session, postgres::Migration::where_empty).value();
  session.transact([](Step& step) {
    step.execute(
        "CREATE OR REPLACE FUNCTION scribed_now() RETURNS float8 LANGUAGE sql STABLE AS "
        "'SELECT current_setting(''cluster_hour.now'')::float8'");
    return true;
  });
}

VirtualDatabase::VirtualDatabase(const std::string& address) : session_(connection(address)) {
  set_time(0);
}

void VirtualDatabase::set_time(double now) {
  session_.transact([now](Step& step) {
    step.query("SELECT set_config('cluster_hour.now', $1, false)",
               fmt::format("{}", begin_of_time + now));
    return true;
  });
}

NodeName VirtualDatabase::begin_node(const std::string& name) {
  const int number = ask([&](Step& step) { return postgres::begin_node(step, name, lease_s); });
  return {.node = {.number = number, .name = name}};
}

void VirtualDatabase::submit(const std::string& owner) {
  static const postgres::Node gateway{.number = 0, .name = "gateway", .only_accepts = true};
  ask([&](Step& step) {
    const JobRequest wanted{.model = "base", .input = "object:recording", .owner = owner};
    postgres::submit_job(step, gateway, wanted, limits).value();
    return true;
  });
}

std::optional<Job> VirtualDatabase::claim(NodeName& who) {
  auto job =
      ask([&](Step& step) { return postgres::claim_next(step, who.node, request, who.begun); });
  if (job) ++who.begun;
  return job;
}

bool VirtualDatabase::write(const Claim& claim) {
  static const auto segments = four_segments();
  return ask([&](Step& step) {
    const auto job = postgres::find_claimed(step, claim);
    if (job) postgres::append_segments(step, *job, segments);
    return job.has_value();
  });
}

bool VirtualDatabase::finish(const NodeName& who, const Claim& claim) {
  return ask([&](Step& step) {
    const auto job = postgres::find_claimed(step, claim);
    if (job) postgres::write_end(step, who.node, *job, {}, sweep_settings.keep_s);
    return job.has_value();
  });
}

bool VirtualDatabase::renew(NodeName& who) {
  return ask([&](Step& step) {
    const auto renewed = postgres::renew_lease(step, who.node.number, lease_s);
    return renewed && renewed->may_sweep;
  });
}

void VirtualDatabase::renew_all(std::span<const int> nodes) {
  ask([&](Step& step) {
    return step
        .query("UPDATE nodes SET lease_until = scribed_now() + $1 WHERE node = ANY ($2::int[])",
               lease_s, fmt::format("{{{}}}", fmt::join(nodes, ",")))
        .affected();
  });
  transactions_ += std::ssize(nodes) - 1;
}

int VirtualDatabase::sweep(const NodeName& who) {
  return ask([&](Step& step) { return postgres::sweep(step, who.node.number, sweep_settings); });
}

void VirtualDatabase::check(std::span<const Claim> claims) {
  ask([&](Step& step) { return postgres::lost_of(step, claims); });
}

void VirtualDatabase::keep_house() {
  ask([](Step& step) { return postgres::remove_old_jobs(step, {}); });
}

}  // namespace bench
