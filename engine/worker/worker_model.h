#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/recognizer/recognizer.h"
#include "protocol/worker_messages.h"

namespace engine {

// The paths of the models that help a transcription, by their role (protocol/worker_contract.h).
using Auxiliary = std::map<std::string, std::string>;

// The one model of this process, ready to transcribe.
struct WorkerModel {
  std::unique_ptr<Recognizer> recognizer;
  protocol::worker::Loaded summary;  // for the daemon
  Auxiliary auxiliary;               // read when a job wants them
  DeviceOptions device{};
  ComputeType type = ComputeType::float32;
  // Counts what recordings take of the disk where several owners share it, else nullptr.
  std::shared_ptr<SpoolOwners> spools{};
};

// Opens the device, chooses the compute type and loads the model, and where it was asked for tries
// the device before the weights go there. The error is as the daemon gets it.
protocol::Result<WorkerModel> load_model(const protocol::worker::Load& request);

}  // namespace engine
