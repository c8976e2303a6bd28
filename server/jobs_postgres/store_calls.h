#pragma once

#include <utility>

#include "server/base/error.h"
#include "server/jobs/text_edit.h"
#include "server/jobs_postgres/session.h"
#include "server/jobs_postgres/store_error.h"

namespace server::postgres {

// The calls of a store: each is a transaction, and a failure becomes an error.
class StoreCalls {
 protected:
  explicit StoreCalls(Session session) : session_(std::move(session)) {}

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

  template <class Work>
  EditResult attempt_edit(const Work& work) {
    try {
      return session_.transact([&](Step& step) -> EditResult { return work(step); });
    } catch (const Failure& failure) {
      return EditRefusal{.error = error_of(failure)};
    }
  }

  Session session_;
};

}  // namespace server::postgres
