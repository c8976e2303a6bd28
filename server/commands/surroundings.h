#pragma once

#include "server/transcription/worker_setup.h"

// These functions find what a command needs in the environment of this process. Everything below
// the commands gets it from them.
namespace server {

ModelStore own_store();

// Returns the sources for a model of that store on the device that is wanted.
SetupSources setup_sources(DeviceArguments device);

}  // namespace server
