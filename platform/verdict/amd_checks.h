#pragma once

#include <string>

#include "platform/verdict/card.h"
#include "platform/verdict/judgement.h"

namespace platform {

// Why HIP does not list a card: the first cause that the facts show, and always one. Nothing where
// it does list the card.
void check_amd_driver(Judgement& judgement, const Card& card);

// The card's own architecture, "gfx1031", whatever HSA_OVERRIDE_GFX_VERSION makes of it. Empty: not
// known.
std::string gfx_of(const Card& card);

// One pack on one card; a pack without a worker stands for "there is none".
Verdict judge_amd_card(const Facts& facts, const Matrix& matrix, const Request& request,
                       const Pack& pack, const Card& card);

}  // namespace platform
