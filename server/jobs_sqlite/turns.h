#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>

// Start-time fair queueing: a job gets its turn when it comes, and waiting jobs are begun in the
// order of these numbers. The jobs of one line have turns of their own.
//
// `lines.reached` is the latest turn that has been begun in a line, and `owners.finish` where the
// owner's next turn lies, unless that is behind what was reached: who comes back after a while is
// owed nothing. It is the latest turn, and not that of the job begun last, nor of the first that
// waits: an owner at the limit holds back neither, so those who come meanwhile line up with those
// who are being served. These functions throw SQLite::Exception.
namespace server {

// Jobs that are begun in one order. Jobs whose clients wait are in memory, and are one line,
// whatever their priority.
struct Line {
  const char* database;  // schema.h
  bool is_bulk = false;
};

// Returns the next turn of the owner in a line. The owner's next one is later by the cost.
double take_turn(SQLite::Database& db, const Line& line, const std::string& owner, double cost);

// Returns the turn that a line has come to.
double turn_reached(SQLite::Database& db, const Line& line);

// Gives the owner the turn back that a waiting job has, unless it was begun before.
void give_turn_back(SQLite::Database& db, const char* database, std::int64_t number);

// The job with this number has been begun, so the line has come to its turn. Not so where it was
// begun before that: who comes new would have to wait for all jobs before it.
void note_turn(SQLite::Database& db, const Line& line, std::int64_t number);

// Forgets owners whose next turn is not later than that of someone new.
void forget_past_turns(SQLite::Database& db, const char* database);

}  // namespace server
