#pragma once

#include "engine/vad/dense.h"

// The products behind Dense, in the source of this architecture.
namespace engine {

constexpr int dense_panel_width = 16;
// So many rows are multiplied by a panel at once, or a single row by so many panels: the weights
// are read once, and the sums stay in registers.
constexpr int dense_row_group = 4;
constexpr int dense_panel_group = 4;

struct DensePanels {
  const float* weight;  // [panel][input][dense_panel_width]
  const float* bias;    // [panel][dense_panel_width]
  int inputs;
  float floor;  // what outputs are at least, and where they are NaN
};

// Says whether this CPU has the instructions that the others need.
bool dense_runs_here();

// Multiplies dense_row_group rows by one panel, and one row by dense_panel_group panels from
// `panel` on, or by one.
void multiply_rows(const DensePanels& panels, int panel, const DenseRow* rows);
void multiply_panels(const DensePanels& panels, int panel, const DenseRow& row);
void multiply_one(const DensePanels& panels, int panel, const DenseRow& row);

}  // namespace engine
