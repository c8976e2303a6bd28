#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "server/jobs/job_store.h"
#include "server/jobs_postgres/queue_order.h"
#include "server/jobs_postgres/session.h"

namespace bench {

// One of the daemons that are made up: what the store of a real one knows of itself.
struct NodeName {
  server::postgres::Node node{};
  std::uint64_t begun = 0;  // jobs
};

// A database in virtual time. Its statements and transactions are those of the store
// (server/jobs_postgres); but many daemons share this connection, as they would share those of a
// pooler. One thread uses it. Members throw Failure.
class VirtualDatabase {
 public:
  // Makes the schema cluster_hour anew, with a clock that set_time() sets.
  static void make(const std::string& address);

  explicit VirtualDatabase(const std::string& address);

  // Seconds since the simulation began, for all statements from now on.
  void set_time(double now);

  NodeName begin_node(const std::string& name);
  void submit(const std::string& owner);
  std::optional<server::Job> claim(NodeName& who);
  // Both return whether the job was still the claim's.
  bool write(const server::Claim& claim);
  bool finish(const NodeName& who, const server::Claim& claim);
  // Renews the lease of the node, and returns whether it may sweep.
  bool renew(NodeName& who);
  // Renews the leases of many in one statement, and counts a transaction for each.
  void renew_all(std::span<const int> nodes);
  // Returns how many jobs of dead nodes it has found.
  int sweep(const NodeName& who);
  // Looks whether the node still has these.
  void check(std::span<const server::Claim> claims);
  // Removes what has expired.
  void keep_house();

  template <class Work>
  auto ask(const Work& work) {
    ++transactions_;
    return session_.transact(work);
  }
  std::int64_t transactions() const { return transactions_; }

 private:
  server::postgres::Session session_;
  std::int64_t transactions_ = 0;
};

}  // namespace bench
