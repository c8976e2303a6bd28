#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/verdict/verdict.h"
#include "server/packs/pack_store.h"

namespace server {

// The answer whether a pack fits one card of this machine.
struct PackFit {
  std::string card{};
  bool fits = false;
  std::string obstacle{};  // a headline, where it does not fit
};

// A runtime pack that can be fetched, as `scribed packs list` shows it.
struct ListedPack {
  std::string name{};     // "cuda"
  std::string runtime{};  // "cuda-13"
  std::string build{};    // "CUDA 13.0, torch 2.11.0"
  std::string folder{};   // of its libraries; empty: not installed
  std::uint64_t download_bytes = 0;
  std::uint64_t installed_bytes = 0;
  std::vector<PackFit> fits{};  // one for each card that it could be for
  std::vector<platform::PackPackage> packages{};

  // Returns the command to type next; empty where there is none.
  std::string command() const;
};

// Joins what the installation ships with what the survey has found of it.
std::vector<ListedPack> listed_packs(const std::vector<ShippedPack>& shipped,
                                     const std::vector<platform::Pack>& packs,
                                     const std::vector<platform::Verdict>& verdicts);

nlohmann::ordered_json json_of(const std::vector<ListedPack>& packs);

// Returns the list for people.
std::string text_of(const std::vector<ListedPack>& packs);

}  // namespace server
