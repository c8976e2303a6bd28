#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// libpq with owners: one connection, and the rows that a statement returns. Calls block until the
// server has answered, at most for the times of ConnectionSettings.
struct pg_conn;
struct pg_result;

namespace server::postgres {

// Thrown by everything in this folder that asks the database; the store makes an Error of it
// (store_error.h), so that nobody else sees it.
class Failure : public std::runtime_error {
 public:
  enum class Kind {
    refused,   // the statement was answered with an error
    conflict,  // with others' transactions: it may succeed when it is tried again
    lost,      // the connection is gone, and nothing of the transaction has happened
    in_doubt,  // it was lost while the transaction was committed: that has happened, or not
  };

  Failure(Kind kind, std::string state, const std::string& what)
      : std::runtime_error(what), kind_(kind), state_(std::move(state)) {}

  Kind kind() const { return kind_; }
  // SQLSTATE, five letters; empty where the connection itself failed.
  const std::string& state() const { return state_; }

 private:
  Kind kind_;
  std::string state_;
};

// States that are none of the server's.
inline constexpr char wrong_address[] = "address";
inline constexpr char no_library[] = "library";

struct ConnectionSettings {
  std::string address{};  // postgres://user@host/name, or libpq's "host=… dbname=…"
  std::string schema = "scribed";
  std::chrono::seconds connect_timeout{5};
  // A statement that takes longer is ended by the server, and a transaction that waits for us so
  // long, too. One that waits so long for another one's row is begun anew.
  std::chrono::milliseconds statement_timeout{30'000};
  std::chrono::milliseconds idle_timeout{30'000};
  std::chrono::milliseconds lock_timeout{1'000};
  // The server ends the statement of a client that is gone after so long.
  std::chrono::milliseconds check_client_every{1'000};
  // A machine that acknowledges nothing for so long is gone. A server that hangs on one that does,
  // or a commit that waits for a standby, is given up when a statement has no answer after so long.
  std::chrono::milliseconds silence{15'000};
  std::chrono::milliseconds answer_timeout{40'000};
};

// What a statement has returned.
class Rows {
 public:
  class Row {
   public:
    bool is_null(const char* column) const;
    std::string text(const char* column) const;  // empty for NULL
    std::int64_t integer(const char* column) const;
    double real(const char* column) const;
    bool flag(const char* column) const;

   private:
    friend class Rows;
    Row(pg_result* result, int row) : result_(result), row_(row) {}
    const char* value(const char* column) const;

    pg_result* result_;
    int row_;
  };

  explicit Rows(pg_result* result);
  int size() const;
  bool empty() const { return size() == 0; }
  Row operator[](int row) const { return {result_.get(), row}; }
  // How many rows the statement has changed, or returned.
  int affected() const;

  struct Clear {
    void operator()(pg_result* result) const;
  };

 private:
  std::unique_ptr<pg_result, Clear> result_;
};

// Values of parameters as PostgreSQL reads them; nothing: NULL. Texts are those of
// database_text().
using Parameter = std::optional<std::string>;

Parameter parameter(double value);
Parameter parameter(std::string_view value);

template <class Value>
Parameter to_parameter(const Value& value) {
  if constexpr (std::is_same_v<Value, std::nullopt_t>) {
    return std::nullopt;
  } else if constexpr (std::is_same_v<Value, bool>) {
    return value ? "t" : "f";
  } else if constexpr (std::is_integral_v<Value>) {
    return std::to_string(value);
  } else if constexpr (std::is_floating_point_v<Value>) {
    return parameter(static_cast<double>(value));
  } else if constexpr (requires { value.has_value(); }) {
    return value ? to_parameter(*value) : Parameter();
  } else {
    return parameter(std::string_view(value));
  }
}

// A connection that is open until it is lost. Statements are unnamed, so that a pooler between
// transactions may lie before the server. Members throw Failure.
class Connection {
 public:
  explicit Connection(const ConnectionSettings& settings);

  // Runs one statement with parameters $1, $2 …
  template <class... Values>
  Rows query(const std::string& sql, const Values&... values) {
    const std::array<Parameter, sizeof...(Values)> parameters{to_parameter(values)...};
    return run(sql, parameters.data(), static_cast<int>(parameters.size()));
  }
  // Runs some statements without parameters in one exchange.
  void execute(const std::string& sql);

  bool is_lost() const;
  // Whether the server can look, while a statement runs, if the client is still there.
  bool can_check_client() const;

  // Waits until the server has sent something while no statement runs, `wake` can be read, or the
  // deadline has passed.
  void wait_for_notification(int wake, std::chrono::steady_clock::time_point deadline);
  // Returns whether the server's process is that of this connection, and not one of a pooler.
  bool is_direct();
  // Returns the texts of notifications that have come, but for those that were sent by this
  // connection.
  std::vector<std::string> notifications();

 private:
  struct Close {
    void operator()(pg_conn* connection) const;
  };

  Rows run(const std::string& sql, const Parameter* parameters, int count);
  // Waits for all answers to what was sent, and returns the last; nullptr: there is none.
  pg_result* answer();
  // Waits until the server has sent something, or can take something.
  void wait(bool is_sending, std::chrono::steady_clock::time_point deadline);
  Rows checked(pg_result* result);
  // The connection failed, or has answered too late.
  [[noreturn]] void lose();

  const std::chrono::milliseconds answer_timeout_;
  std::unique_ptr<pg_conn, Close> connection_;
  bool is_given_up_ = false;
};

// Ends with commit(), or takes everything back. Settings that hold for it alone, and not for the
// connection, go with its begin: a pooler may give the next one another connection.
class Transaction {
 public:
  Transaction(Connection& connection, const ConnectionSettings& settings);
  Transaction(const Transaction&) = delete;
  ~Transaction();

  // The failure is in_doubt where the connection is lost meanwhile.
  void commit();

 private:
  void take_back();

  Connection& connection_;
  bool is_open_ = true;
};

// Returns the name as SQL has it, in quotation marks.
std::string quoted_name(std::string_view name);

}  // namespace server::postgres
