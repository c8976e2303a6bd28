#include "server/jobs_postgres/store_error.h"

#include <fmt/format.h>

#include <utility>

#include "server/jobs/claim.h"

namespace server::postgres {
namespace {

Error unavailable(std::string why) {
  return {errc::database_unavailable, std::move(why),
          "Try again in a while. An operator: `scribed database check` says what is wrong."};
}

}  // namespace

Error error_of(const Failure& failure) {
  const std::string& state = failure.state();
  switch (failure.kind()) {
    case Failure::Kind::lost:
      return unavailable("the database of the jobs does not answer");
    case Failure::Kind::in_doubt:
      return {errc::answer_lost, "the database went away before it said whether this was done",
              "Check whether it was, or send the request again: a job with the same "
              "Idempotency-Key is created once."};
    case Failure::Kind::conflict:
      return {"store_busy", "the database of the jobs is busy with the same rows",
              "Try again in a while. An operator: `scribed database check` names transactions that "
              "are open for too long."};
    case Failure::Kind::refused:
      break;
  }
  if (state == "57014") return unavailable("the database of the jobs took too long");
  if (state == "53300" || state == "53400") {
    return unavailable("the database of the jobs takes no more connections");
  }
  if (state == "25006") return unavailable("the database of the jobs is read-only at the moment");
  if (state == "53100" || state == "53200") {
    return {errc::out_of_disk, "the database of the jobs has no room", "Make room on its disk."};
  }
  return {errc::internal,
          fmt::format("the database of the jobs refused a statement: {}", failure.what()), ""};
}

Error opening_error_of(const Failure& failure) {
  if (failure.state() == no_library) {
    return {errc::program_missing,
            fmt::format("the library of PostgreSQL's clients cannot be loaded: {}", failure.what()),
            "Install it: apt-get install libpq5"};
  }
  if (failure.state() == wrong_address) {
    return {errc::bad_config, "the address of the database cannot be read",
            "It is like postgres://scribed@db.example.org/scribed; special letters in a password "
            "are written as %40."};
  }
  Error error = error_of(failure);
  if (failure.kind() == Failure::Kind::lost) {
    error.message = fmt::format("{}: {}", error.message, failure.what());
    error.fix = "Check that it runs, and the address, user and password that scribed has.";
  }
  return error;
}

}  // namespace server::postgres
