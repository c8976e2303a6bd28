#pragma once

namespace server {

// How many seconds of sound a daemon transcribes in a second in which it works, over about the last
// ten minutes of work. Jobs that run side by side share those seconds.
class WorkerSpeed {
 public:
  // A job ended at this time, in seconds, after so much work; ends come in their order.
  void add(double end, double work_s, double sound_s);
  // 0: there is none yet.
  double value() const { return busy_s_ > 0 ? sound_s_ / busy_s_ : 0; }

 private:
  double sound_s_ = 0;
  double busy_s_ = 0;
  double last_end_ = 0;
};

}  // namespace server
