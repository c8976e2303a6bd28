#include "server/daemon/doctor.h"

#include <functional>
#include <utility>

#include "platform/verdict/choice.h"
#include "protocol/json_text.h"
#include "server/device/device_arguments.h"
#include "server/device/device_json.h"
#include "server/device/pack_check.h"
#include "server/device/sandbox_check.h"
#include "server/device/survey.h"

namespace server {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds answer_is_good{30};

}  // namespace

Doctor::Doctor(SetupSources sources, std::string model)
    : sources_(std::move(sources)), model_(std::move(model)) {}

asio::awaitable<Result<std::string>> Doctor::report() {
  std::function<Result<std::string>(std::stop_token)> work = [this](std::stop_token) {
    return examine();
  };
  co_return co_await thread_.run<std::string>(std::move(work));
}

Result<std::string> Doctor::examine() {
  if (!answer_.empty() && steady_clock::now() - examined_ < answer_is_good) return answer_;
  auto request = device_survey(sources_.device, sources_.environment);
  if (!request) return request.error();
  request->model.name = model_;
  // The model need not be installed: the matrix knows the sizes of all common models.
  if (const auto model = sources_.models.resolve(model_)) {
    request->model = {model->name, model->path};
  }
  request->only_what_is_wanted = false;
  const auto survey = survey_machine(*request);
  if (!survey) return survey.error();
  const auto choice = platform::choose(survey->verdicts, survey->request);
  answer_ = protocol::json::dump(
      doctor_json(*survey, choice, check_sandboxes(), check_packs(survey->packs)));
  examined_ = steady_clock::now();
  return answer_;
}

}  // namespace server
