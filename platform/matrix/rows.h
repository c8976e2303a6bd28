#pragma once

#include "platform/matrix/matrix.h"
#include "platform/matrix/row_reader.h"

// Each function reads the current row of its table. The result counts only if the reader has met
// no fault.
namespace platform {

TorchRow read_torch(RowReader& row);
DriverFloorRow read_driver_floor(RowReader& row);
ToolkitRow read_toolkit(RowReader& row);
DriverRuleRow read_driver_rule(RowReader& row);
CubinRow read_cubin(RowReader& row);
CudnnRow read_cudnn(RowReader& row);
MpsRow read_mps(RowReader& row);

PrecisionRow read_precision(RowReader& row);
GfxRow read_gfx(RowReader& row);
CardRow read_card(RowReader& row);
StatusCodeRow read_status_code(RowReader& row);
VariableRow read_variable(RowReader& row);

ModelRow read_model(RowReader& row);
MemoryRules read_memory_rules(RowReader& row);
TestedRow read_tested(RowReader& row);

FindingRow read_finding(RowReader& row);

}  // namespace platform
