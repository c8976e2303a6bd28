#pragma once

#include <string>

#include "protocol/transcribe_options.h"
#include "server/device/device_arguments.h"
#include "server/transcription/model_worker.h"

namespace server {

struct ModelWish {
  std::string model{};                    // as `scribed models show` takes it
  int threads = 0;                        // 0: as many as there are physical cores
  protocol::TranscribeOptions options{};  // what memory is judged by
};

// Finds the model and the devices to try for it. Blocks: it may ask drivers. Problems of a matrix
// that was named go to `problems`.
Result<WorkerSetup> find_worker_setup(const ModelWish& wish, const DeviceArguments& device,
                                      std::vector<std::string>& problems);

}  // namespace server
