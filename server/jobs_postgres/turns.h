#pragma once

#include <cstdint>
#include <string>

#include "server/jobs_postgres/session.h"

// Start-time fair queueing: a job gets its turn when it comes, and waiting jobs are begun in the
// order of these numbers. The jobs of one place (schema.cpp) are a line with turns of its own.
//
// `lines.reached` is the latest turn that has been begun in a line, and `owners.finish` where the
// owner's next turn lies, unless that is behind what was reached: who comes back after a while is
// owed nothing. It is the latest turn, and not that of the job begun last, nor of the first that
// waits: an owner at the limit holds back neither, so those who come meanwhile line up with those
// who are being served. These functions throw Failure.
namespace server::postgres {

// Returns the next turn of the owner in a line. The owner's next one is later by the cost.
double take_turn(Step& step, const std::string& place, const std::string& owner, double cost);

// Returns the turn that a line has come to.
double turn_reached(Step& step, const std::string& place);

// Gives the owner the turn back that a waiting job has, unless it was begun before.
void give_turn_back(Step& step, std::int64_t number);
// Does so for all jobs of a condition.
void give_turns_back(Step& step, const std::string& condition);

// Makes the line of a node's clients.
void add_line(Step& step, const std::string& place);
// Forgets owners whose next turn is not later than that of someone new, and lines of nodes that are
// forgotten.
void forget_past_turns(Step& step);

}  // namespace server::postgres
