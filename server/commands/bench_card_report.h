#pragma once

#include <string>

#include "protocol/bench_messages.h"

namespace server {

// Writes what a card should need for a model, for people: the card's published figures, and tables
// of the window and of steps by batch.
std::string bench_card_report(const std::string& model, const std::string& compute_type,
                              const protocol::worker::BenchCard& card);

}  // namespace server
