#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/worker/reach.h"
#include "engine/worker/transcription_job.h"
#include "platform/fd_socket.h"
#include "platform/shield.h"

namespace engine {

// The worker's side of the worker protocol: greets, loads, runs jobs, until the daemon unloads or
// closes. One thread reads; jobs send from theirs.
class Session {
 public:
  // `build_info` is the JSON text that Hello carries.
  Session(platform::UniqueFd socket, std::string build_info);

  // Returns when the session is over. The process should then end at once: jobs that still run are
  // nobody's.
  void run();

 private:
  // Returns false when the session is over.
  bool handle(platform::Frame frame);
  bool handle(protocol::worker::Load request);
  bool handle(const protocol::worker::Bench& request);
  void handle(protocol::worker::Transcribe request, std::vector<platform::UniqueFd> descriptors);
  // Returns false where it is required and a part is missing; the daemon has been told then.
  bool shut_in(const Reach& reach, bool required);
  void send(const protocol::worker::Message& message);
  void fail(std::optional<std::string> job, std::string code, std::string message,
            std::string fix = {});
  void drop_finished_jobs();

  platform::UniqueFd socket_;
  std::string build_info_;
  std::mutex sending_;
  std::vector<platform::Shield> shields_;
  std::optional<WorkerModel> model_;
  std::map<std::string, std::unique_ptr<TranscriptionJob>> jobs_;  // after model_, which they use
};

}  // namespace engine
