#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/bench_messages.h"
#include "protocol/device_settings.h"
#include "protocol/device_use.h"
#include "protocol/error.h"
#include "protocol/live_options.h"
#include "protocol/transcribe_options.h"
#include "protocol/transcript_event.h"
#include "protocol/work_class.h"

// The daemon and scribed-worker exchange these messages: one JSON object per frame
// (protocol/frame.h). The worker opens with Hello; the daemon answers Load; after Loaded it may
// send any number of Transcribe, several at once, which `job` distinguishes. Each ends with exactly
// one Done or Failed. A Bench (protocol/bench_messages.h) in place of Load measures instead.
namespace protocol::worker {

inline constexpr int version = 13;

// worker to daemon ------------------------------------------------------------------------------

struct Hello {
  int version = worker::version;
  std::string build{};  // the JSON text of build-info
  std::string isa{};
};

struct Loaded {
  std::string device{};
  std::string compute_type{};
  std::string family{};  // the model's family: "whisper"
  bool multilingual = false;
  double load_s = 0;
  std::int64_t memory_bytes = 0;
  std::vector<std::string> notes{};  // for the user, for instance why this compute type was chosen
  std::string device_name{};         // "NVIDIA GeForce RTX 3060"; empty: unknown
  std::int64_t device_free_bytes = 0;   // after loading; counts everybody's use
  std::int64_t device_total_bytes = 0;  // both are 0 on a CPU and if they are unknown
  double smoke_s = 0;                   // part of load_s; 0: there was no smoke run
  // The worker's sandbox: the active shields with their strength, and the missing ones with the
  // reason.
  std::vector<std::string> shields{};
  std::vector<std::string> missing_shields{};
  DeviceUse use{};
};

// Without a job the failure is one of the worker itself: loading failed, or a message was not
// understood.
struct Failed {
  std::optional<std::string> job{};
  Error error{};
};

// A report of a running job.
struct Event {
  std::string job{};
  TranscriptEvent event{};
};

struct Done {
  std::string job{};
  std::string language{};
  double duration_s = 0;
  double transcribe_s = 0;
  bool cancelled = false;
  DeviceUse use{};
  std::vector<std::string> warnings{};  // sentences for the user
  WindowCounts windows{};
};

struct Pong {
  std::uint64_t nonce = 0;
  DeviceUse use{};
};

// The answer to a StatsRequest.
struct Stats {
  std::int64_t rss_bytes = 0;
  std::int64_t peak_rss_bytes = 0;
  int jobs = 0;  // jobs that run now
};

// daemon to worker ------------------------------------------------------------------------------

struct Load {
  std::string model_path{};
  std::string model_name{};
  DeviceSettings run_on{};
  bool smoke_test = false;  // compare a device's results with the CPU's before loading
  // Models that help a transcription, by their role (worker_contract.h). They need not be there,
  // and are read when they are needed.
  std::map<std::string, std::string> auxiliary{};
  bool require_sandbox = false;  // fail rather than read the model without one
  int windows = 0;               // windows of sound in memory at once, besides a few; 0: no limit
  // On a GPU, whose memory is divided once. Places that there is no memory for are left out.
  int gpu_windows = 0;     // windows of sound, those for urgent work among them; 0: a few
  int rows = 5;            // beams or samples that a decode has
  double memory_part = 1;  // of what is free; the rest is for other models
  int version = worker::version;
};

// The frame carries one descriptor: the read end of the PCM pipe (float32, 16 kHz, mono).
struct Transcribe {
  std::string job{};
  TranscribeOptions options{};
  std::string work_class = name(WorkClass::interactive);
  std::string owner{};  // whose it is: owners share the device, whatever number of jobs each has
  std::optional<std::string> request_id{};  // the client's request that it is for, for the log
  std::optional<LiveOptions> live{};        // set: the sound goes on, and Live messages may follow
};

// What a client wants of a live job. It holds behind `sample` samples of the job's pipe, whether
// they were read already or not; those of one job come in the order of their samples.
struct Live {
  enum class Wish { commit, clear, configure };

  std::string job{};
  std::int64_t sample = 0;
  Wish wish = Wish::commit;
  std::optional<LiveSettings> settings{};  // of configure
};

// The job still ends with a Done, whose `cancelled` is set.
struct Cancel {
  std::string job{};
};

struct Unload {};

struct Ping {
  std::uint64_t nonce = 0;
};

struct StatsRequest {};

using Message = std::variant<Hello, Loaded, Failed, Event, Done, Pong, Stats, Load, Transcribe,
                             Live, Cancel, Unload, Ping, StatsRequest, Bench, BenchResult>;

// Writes a message and never fails: bad UTF-8 becomes U+FFFD, a number that is not finite becomes
// null.
std::string encode(const Message& message);

// Parses a message. No known field may be missing, and unknown ones are ignored. A null number
// reads as NaN. Of a Hello or Load of another version only the version is read.
Result<Message> parse(std::string_view payload);

// The daemon checks the worker's Hello, the worker the daemon's Load.
Result<void> check_version(const Hello& hello);
Result<void> check_version(const Load& load);

}  // namespace protocol::worker
