#pragma once

#include "server/api/form_parameters.h"

namespace server {

// Fits what a form asks for to its response_format. A request for more than the format can show is
// served without it and the parameter named in TranscriptionForm::left_out: many clients send the
// same parameters with every format. Errors: values that do not exist.
FormProblem fit_granularities(FormReading& reading);
void fit_stream(FormReading& reading);
void fit_include(FormReading& reading);

}  // namespace server
