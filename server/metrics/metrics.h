#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace protocol {
struct DeviceUse;
struct WindowCounts;
}  // namespace protocol

namespace server {

struct AccessRecord;
struct Job;
struct LoadedModel;
struct ModelDevice;

// The metrics that a Prometheus server reads from /metrics. Labels are few by design: routes are
// patterns, and no job, file or client has a label of its own. It is used on one thread.
class Metrics {
 public:
  explicit Metrics(const std::string& version);
  ~Metrics();

  // `route` is the pattern that matched, as "/v1/jobs/{id}"; empty if none did.
  void on_request(const AccessRecord& record, std::string_view route);
  void on_job_end(const Job& job);

  // A word of a live session, or the text of a turn, was told so long after its sound had come.
  void on_live_word(double seconds);
  void on_live_final(double seconds);
  // `reason` is the code of the error with which a live session was refused.
  void on_live_refused(const std::string& reason);

  // The gauges are set right before text() is called.
  void set_ready(bool is_ready);
  void set_queue(int waiting, int running);
  // Sound that is still to be transcribed, by model; told as none from the next call on that does
  // not name a model.
  void set_sound_to_do(const std::map<std::string, double>& seconds);
  void set_models(const std::vector<LoadedModel>& models);
  void set_live(std::size_t sessions, double lag_s);
  // Bytes that clients have stored, and that are free on the disk.
  void set_disk(std::uint64_t stored, std::uint64_t free);

  // Returns the metrics in the text format, version 0.0.4.
  std::string text();

 private:
  void count_windows(const protocol::WindowCounts& windows);
  void note_speed(const Job& job, double work_s);
  void set_model(const std::string& name, const ModelDevice& device);
  void set_use(const std::map<std::string, std::string>& labels, const protocol::DeviceUse& use);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace server
