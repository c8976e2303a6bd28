#include "server/jobs_postgres/connection.h"

#include <fmt/format.h>
#include <poll.h>

#include <cstdlib>
#include <utility>

#include "protocol/text_rules.h"
#include "server/jobs_postgres/database_text.h"
#include "server/jobs_postgres/libpq.h"

namespace server::postgres {
namespace {

// libpq ends its messages with a line feed, and some have several lines.
std::string one_line(const char* message) {
  return protocol::replace_all(
      protocol::replace_all(std::string(protocol::strip(message)), "\n", " "), "\t", "");
}

// Returns what the server's code of an error means for the transaction.
Failure::Kind failure_kind(const std::string& state) {
  if (state == "40001" || state == "40P01" || state == "55P03") return Failure::Kind::conflict;
  // The server ends the connection: an operator's order, a crash, a start that goes on, a
  // transaction that we forgot.
  const bool is_end = state.starts_with("08") || state.starts_with("57P") || state == "25P03";
  if (is_end) return Failure::Kind::lost;
  return Failure::Kind::refused;
}

struct Options {
  std::vector<const char*> names{};
  std::vector<const char*> values{};
};

// The address may have others of these than ours: whoever says something means it.
Options with_defaults(const PQconninfoOption* given,
                      const std::vector<std::pair<const char*, std::string>>& defaults) {
  Options options;
  const auto add = [&](const char* name, const char* value) {
    options.names.push_back(name);
    options.values.push_back(value);
  };
  for (const auto& [name, value] : defaults) add(name, value.c_str());
  for (; given->keyword != nullptr; ++given) {
    if (given->val != nullptr) add(given->keyword, given->val);
  }
  add(nullptr, nullptr);
  return options;
}

}  // namespace

Rows::Rows(pg_result* result) : result_(result) {}

void Rows::Clear::operator()(pg_result* result) const {
  libpq().clear(result);
}

int Rows::size() const {
  return libpq().ntuples(result_.get());
}

int Rows::affected() const {
  return std::atoi(libpq().cmd_tuples(result_.get()));
}

const char* Rows::Row::value(const char* column) const {
  const int number = libpq().fnumber(result_, column);
  if (number < 0) {
    throw Failure(Failure::Kind::refused, "42703", fmt::format("there is no column {}", column));
  }
  return libpq().getisnull(result_, row_, number) == 1 ? nullptr
                                                       : libpq().getvalue(result_, row_, number);
}

bool Rows::Row::is_null(const char* column) const {
  return value(column) == nullptr;
}

std::string Rows::Row::text(const char* column) const {
  const char* found = value(column);
  return found == nullptr ? "" : found;
}

std::int64_t Rows::Row::integer(const char* column) const {
  const char* found = value(column);
  return found == nullptr ? 0 : std::strtoll(found, nullptr, 10);
}

double Rows::Row::real(const char* column) const {
  const char* found = value(column);
  return found == nullptr ? 0 : std::strtod(found, nullptr);
}

bool Rows::Row::flag(const char* column) const {
  const char* found = value(column);
  return found != nullptr && *found == 't';
}

Parameter parameter(double value) {
  return fmt::format("{}", value);
}

Parameter parameter(std::string_view value) {
  return database_text(value);
}

void Connection::Close::operator()(pg_conn* connection) const {
  libpq().finish(connection);
}

Connection::Connection(const ConnectionSettings& settings)
    : answer_timeout_(settings.answer_timeout) {
  char* message = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> given(
      libpq().parse_options(settings.address.c_str(), &message), libpq().free_options);
  if (!given) {
    const std::string what = message == nullptr ? "no memory" : one_line(message);
    libpq().freemem(message);
    // libpq names what it cannot read, which may be a password.
    throw Failure(Failure::Kind::refused, wrong_address, what);
  }
  const std::vector<std::pair<const char*, std::string>> defaults{
      {"application_name", "scribed"},
      {"client_encoding", "UTF8"},
      {"connect_timeout", std::to_string(settings.connect_timeout.count())},
      {"keepalives_idle", "10"},
      {"keepalives_interval", "5"},
      {"keepalives_count", "3"},
      {"tcp_user_timeout", std::to_string(settings.silence.count())},
  };
  const auto options = with_defaults(given.get(), defaults);
  connection_.reset(libpq().connect(options.names.data(), options.values.data(), 0));
  if (libpq().status(connection_.get()) != CONNECTION_OK) {
    throw Failure(Failure::Kind::lost, "", one_line(libpq().error_message(connection_.get())));
  }
  libpq().set_error_verbosity(connection_.get(), PQERRORS_TERSE);  // without values of rows
  libpq().set_notice_receiver(
      connection_.get(), [](void*, const PGresult*) {}, nullptr);
  if (libpq().set_nonblocking(connection_.get(), 1) != 0) lose();
}

bool Connection::is_lost() const {
  return is_given_up_ || libpq().status(connection_.get()) != CONNECTION_OK;
}

bool Connection::can_check_client() const {
  return libpq().server_version(connection_.get()) >= 140'000;
}

void Connection::lose() {
  is_given_up_ = true;
  throw Failure(Failure::Kind::lost, "", one_line(libpq().error_message(connection_.get())));
}

void Connection::wait(bool is_sending, std::chrono::steady_clock::time_point deadline) {
  using std::chrono::milliseconds;
  const auto now = std::chrono::steady_clock::now();
  const auto left = std::chrono::ceil<milliseconds>(deadline - now);
  if (left <= milliseconds(0)) {
    is_given_up_ = true;
    throw Failure(Failure::Kind::lost, "", "the server does not answer");
  }
  pollfd ready{.fd = libpq().socket(connection_.get()), .events = POLLIN, .revents = 0};
  if (is_sending) ready.events |= POLLOUT;
  static_cast<void>(::poll(&ready, 1, static_cast<int>(left.count())));
  const bool has_input = (ready.revents & ~POLLOUT) != 0;
  if (has_input && libpq().consume_input(connection_.get()) == 0) lose();
}

pg_result* Connection::answer() {
  const auto deadline = std::chrono::steady_clock::now() + answer_timeout_;
  while (true) {
    const int unsent = libpq().flush(connection_.get());
    if (unsent < 0) lose();
    if (unsent == 0) break;
    wait(true, deadline);
  }
  std::unique_ptr<pg_result, Rows::Clear> last;
  while (true) {
    while (libpq().is_busy(connection_.get()) == 1) wait(false, deadline);
    pg_result* next = libpq().get_result(connection_.get());
    if (next == nullptr) return last.release();
    last.reset(next);
  }
}

Rows Connection::checked(pg_result* result) {
  Rows rows(result);
  const auto status = libpq().result_status(result);
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return rows;
  const char* code = libpq().result_error_field(result, PG_DIAG_SQLSTATE);
  const std::string state = code == nullptr ? "" : code;
  // An error that the server has not said is one of the connection.
  const bool is_gone = is_lost() || state.empty();
  throw Failure(is_gone ? Failure::Kind::lost : failure_kind(state), state,
                one_line(result == nullptr ? libpq().error_message(connection_.get())
                                           : libpq().result_error_message(result)));
}

Rows Connection::run(const std::string& sql, const Parameter* parameters, int count) {
  std::vector<const char*> values;
  for (int i = 0; i < count; ++i)
    values.push_back(parameters[i] ? parameters[i]->c_str() : nullptr);
  const int sent = libpq().send_query_params(connection_.get(), sql.c_str(), count, nullptr,
                                             values.data(), nullptr, nullptr, 0);
  if (sent == 0) lose();
  return checked(answer());
}

void Connection::execute(const std::string& sql) {
  if (libpq().send_query(connection_.get(), sql.c_str()) == 0) lose();
  checked(answer());
}

Transaction::Transaction(Connection& connection, const ConnectionSettings& settings)
    : connection_(connection) {
  const std::string check = connection.can_check_client()
                                ? fmt::format("; SET LOCAL client_connection_check_interval TO {}",
                                              settings.check_client_every.count())
                                : "";
  const std::string begin = fmt::format(
      "BEGIN; SET LOCAL search_path TO {}; SET LOCAL statement_timeout TO {}; "
      "SET LOCAL idle_in_transaction_session_timeout TO {}; SET LOCAL lock_timeout TO {}{}",
      quoted_name(settings.schema), settings.statement_timeout.count(),
      settings.idle_timeout.count(), settings.lock_timeout.count(), check);
  try {
    connection_.execute(begin);
  } catch (const Failure&) {
    take_back();
    throw;
  }
}

Transaction::~Transaction() {
  if (is_open_) take_back();
}

void Transaction::take_back() {
  if (connection_.is_lost()) return;
  try {
    connection_.execute("ROLLBACK");
  } catch (const Failure&) {
    // The connection is lost, and with it what the transaction did.
  }
}

void Transaction::commit() {
  is_open_ = false;
  try {
    connection_.execute("COMMIT");
  } catch (const Failure& failure) {
    if (failure.kind() != Failure::Kind::lost) throw;
    throw Failure(Failure::Kind::in_doubt, failure.state(), failure.what());
  }
}

std::string quoted_name(std::string_view name) {
  return "\"" + protocol::replace_all(std::string(name), "\"", "\"\"") + "\"";
}

}  // namespace server::postgres
