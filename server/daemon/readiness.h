#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "server/submission/not_ready.h"

namespace server {

class JobQueue;
class ModelFetch;
class ModelPool;
class ModelStore;
class Spool;

// Decides whether scribed can transcribe now, as /readyz reports it. It is used on the thread of
// the parts that it asks.
class Readiness {
 public:
  // All of these parts outlive this object.
  struct Parts {
    const JobQueue& jobs;
    const Spool& spool;
    const ModelFetch& fetch;
    const ModelPool& models;
    const ModelStore& store;
  };

  // Without a default model nothing is transcribed here, and models are not asked for.
  Readiness(Parts parts, std::string state_folder, std::string default_model);

  // Returns why scribed cannot work now; empty: it can.
  std::optional<NotReady> problem();
  // Looks at the default model again, because it may have changed.
  void look_again() { looked_ = {}; }

 private:
  const std::string& default_problem();

  Parts parts_;
  std::string state_folder_;
  std::string default_model_;
  std::chrono::steady_clock::time_point looked_{};  // when default_problem_ was found
  std::string default_problem_{};                   // empty: there is no problem
};

}  // namespace server
