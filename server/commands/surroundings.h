#pragma once

#include "server/transcription/worker_setup.h"

// What a command finds with whoever runs it, by the environment of this process. All that works
// below the commands is given it.
namespace server {

ModelStore own_store();

// For a model of that store on the device that is wanted.
SetupSources setup_sources(const DeviceArguments& device);

}  // namespace server
