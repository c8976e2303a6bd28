#include "server/jobs_sqlite/turns.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

namespace server {
namespace {

template <class... Values>
void change_turns(SQLite::Database& db, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  SQLite::bind(statement, values...);
  statement.exec();
}

}  // namespace

double take_turn(SQLite::Database& db, const Line& line, const std::string& owner, double cost) {
  SQLite::Statement take(
      db, fmt::format("INSERT INTO {0}.owners AS known VALUES (?1, ?2, ?3 + "
                      "coalesce((SELECT reached FROM {0}.lines WHERE is_bulk = ?1), 0)) "
                      "ON CONFLICT (is_bulk, owner) DO UPDATE SET finish = "
                      "max(known.finish + ?3, excluded.finish) RETURNING finish - ?3",
                      line.database));
  SQLite::bind(take, line.is_bulk ? 1 : 0, owner, cost);
  take.executeStep();
  const double turn = take.getColumn(0).getDouble();
  while (take.executeStep()) {
  }
  return turn;
}

double turn_reached(SQLite::Database& db, const Line& line) {
  SQLite::Statement query(
      db, fmt::format("SELECT reached FROM {}.lines WHERE is_bulk = ?", line.database));
  SQLite::bind(query, line.is_bulk ? 1 : 0);
  return query.executeStep() ? query.getColumn(0).getDouble() : 0;
}

void give_turn_back(SQLite::Database& db, const char* database, std::int64_t number) {
  change_turns(db,
               fmt::format("UPDATE {0}.owners SET finish = finish - job.cost FROM {0}.jobs AS job "
                           "WHERE job.number = ? AND job.state = 0 AND job.started = 0 "
                           "AND owners.is_bulk = job.is_bulk AND owners.owner = job.owner",
                           database),
               number);
}

void note_turn(SQLite::Database& db, const Line& line, std::int64_t number) {
  change_turns(db,
               fmt::format("INSERT INTO {0}.lines AS known SELECT is_bulk, turn FROM {0}.jobs "
                           "WHERE number = ? ON CONFLICT (is_bulk) DO UPDATE "
                           "SET reached = max(known.reached, excluded.reached)",
                           line.database),
               number);
}

void forget_past_turns(SQLite::Database& db, const char* database) {
  change_turns(db,
               fmt::format("DELETE FROM {0}.owners WHERE finish <= (SELECT reached FROM {0}.lines "
                           "AS line WHERE line.is_bulk = owners.is_bulk)",
                           database));
}

}  // namespace server
