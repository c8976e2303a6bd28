#pragma once

#include "platform/facts/facts.h"

// These functions say whether there is any reason to ask a vendor's library. Asking without one is
// harmful: some of these libraries hang on a machine that has no card of theirs.
namespace platform {

// A card, the kernel module, a device node, or the driver's library is a reason.
bool worth_asking_nvidia(const Facts& facts);

// A card or a KFD node is a reason, or HIP's library together with a node through which a card
// could be reached. The library alone is none.
bool worth_asking_amd(const Facts& facts);

bool worth_asking_apple(const Facts& facts);

}  // namespace platform
