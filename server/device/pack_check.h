#pragma once

#include <string>
#include <vector>

#include "platform/verdict/verdict.h"

namespace server {

// The state of a pack whose libraries were fetched.
struct PackCheck {
  std::string pack{};     // "cuda-13"
  std::string problem{};  // empty: all files are there and whole, and the worker starts
};

// Checks the packs that were fetched. Their workers are started to load all libraries and end, in
// parallel; it blocks for seconds where the disk is slow.
std::vector<PackCheck> check_packs(const std::vector<platform::Pack>& packs);

// Checks one that was just fetched; returns the problem.
std::string problem_of_pack(const platform::Pack& pack);

}  // namespace server
