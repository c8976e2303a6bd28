#pragma once

#include <chrono>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "server/jobs_postgres/connection.h"

namespace server::postgres {

// What `Session::transact` gives to its work.
class Step {
 public:
  explicit Step(Connection& connection) : connection_(connection) {}

  template <class... Values>
  Rows query(const std::string& sql, const Values&... values) {
    return connection_.query(sql, values...);
  }
  // Runs some statements without parameters.
  void execute(const std::string& sql) { connection_.execute(sql); }
  // Nothing of the transaction shall remain, although the work succeeds.
  void take_back() { is_taken_back_ = true; }
  bool is_taken_back() const { return is_taken_back_; }

 private:
  Connection& connection_;
  bool is_taken_back_ = false;
};

// A connection that is opened when it is needed, and anew after it was lost. One thread uses it.
class Session {
 public:
  explicit Session(ConnectionSettings settings) : settings_(std::move(settings)) {}

  const ConnectionSettings& settings() const { return settings_; }
  void set_statement_timeout(std::chrono::milliseconds most) { settings_.statement_timeout = most; }

  // Calls `work(step)` in a transaction, which is committed unless the work returns an error. What
  // lost against another transaction, or was begun on a connection that is gone, is done again from
  // its beginning, so the work may be called several times. Throws Failure.
  template <class Work>
  std::invoke_result_t<Work, Step&> transact(const Work& work) {
    for (int tries = 1;; ++tries) {
      try {
        return attempt(work);
      } catch (const Failure& failure) {
        // libpq takes a connection on which the server has said good-bye for open.
        if (is_gone(failure.kind())) connection_.reset();
        if (!can_repeat(failure, tries)) throw;
        std::this_thread::sleep_for(pause * tries);
      }
    }
  }

 private:
  static bool is_gone(Failure::Kind kind) {
    return kind == Failure::Kind::lost || kind == Failure::Kind::in_doubt;
  }

  static constexpr int most_tries = 6;
  static constexpr int most_connections = 2;  // that one call finds lost
  static constexpr std::chrono::milliseconds pause{5};
  static constexpr std::chrono::milliseconds pause_after_failure{500};

  static bool can_repeat(const Failure& failure, int tries) {
    if (failure.kind() == Failure::Kind::conflict) return tries < most_tries;
    return failure.kind() == Failure::Kind::lost && tries < most_connections;
  }

  // A database that cannot be reached is not asked again for a while: whoever waits for the next
  // call would wait for a timeout each time.
  void connect() {
    const auto now = std::chrono::steady_clock::now();
    if (unreachable_ && now < unreachable_until_) throw Failure(*unreachable_);
    try {
      connection_.emplace(settings_);
      unreachable_.reset();
    } catch (const Failure& failure) {
      unreachable_ = failure;
      unreachable_until_ = std::chrono::steady_clock::now() + pause_after_failure;
      throw;
    }
  }

  template <class Work>
  std::invoke_result_t<Work, Step&> attempt(const Work& work) {
    if (connection_ && connection_->is_lost()) connection_.reset();
    if (!connection_) connect();
    Transaction transaction(*connection_, settings_);
    Step step(*connection_);
    auto answer = work(step);
    bool is_kept = !step.is_taken_back();
    if constexpr (requires { answer.has_error(); }) is_kept = is_kept && !answer.has_error();
    if (is_kept) transaction.commit();
    return answer;
  }

  ConnectionSettings settings_;
  std::optional<Connection> connection_{};
  std::optional<Failure> unreachable_{};  // why the last connection was not made
  std::chrono::steady_clock::time_point unreachable_until_{};
};

}  // namespace server::postgres
