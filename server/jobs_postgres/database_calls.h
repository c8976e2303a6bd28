#pragma once

#include <utility>

#include "server/base/error.h"
#include "server/jobs_postgres/session.h"
#include "server/jobs_postgres/store_error.h"

namespace server::postgres {

// What stores in PostgreSQL have in common: each call is a transaction on their own connection, and
// a failure becomes the error that clients may see.
class DatabaseCalls {
 protected:
  explicit DatabaseCalls(Session session) : session_(std::move(session)) {}
  explicit DatabaseCalls(ConnectionSettings settings) : session_(std::move(settings)) {}

  // Calls `doubt` where nobody knows whether the work was committed.
  template <class T, class Work, class Doubt>
  Result<T> attempt(const Work& work, const Doubt& doubt) {
    try {
      return session_.transact([&](Step& step) -> Result<T> { return work(step); });
    } catch (const Failure& failure) {
      if (failure.kind() == Failure::Kind::in_doubt) doubt();
      return error_of(failure);
    }
  }

  template <class T, class Work>
  Result<T> attempt(const Work& work) {
    return attempt<T>(work, [] {});
  }

  template <class Work>
  Result<void> run(const Work& work) {
    return attempt<void>([&](Step& step) -> Result<void> {
      work(step);
      return {};
    });
  }

  Session session_;
};

}  // namespace server::postgres
