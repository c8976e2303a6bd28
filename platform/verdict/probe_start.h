#pragma once

#include "platform/verdict/judgement.h"

namespace platform {

// Returns true if scribed could not start the child that was to ask. That says nothing about the
// library, and the finding says so.
bool probe_did_not_start(Judgement& judgement, const ProbeResult& probe, Severity severity);

}  // namespace platform
