#include "server/commands/bench_session.h"

#include <string>
#include <utility>

#include "server/commands/command.h"
#include "server/process/worker.h"

namespace server {
namespace {

namespace wire = protocol::worker;

// Returns the compute type to ask for. On a CPU the worker itself knows best what its instruction
// set is good at.
std::string compute_type_on(const platform::Verdict& device, const std::string& wanted) {
  const bool is_open = wanted == "auto" && device.backend == platform::Backend::cpu;
  return is_open || device.compute_type.empty() ? wanted : device.compute_type;
}

struct Attempt {
  Result<wire::BenchResult> result;
  std::string last_words{};
};

asio::awaitable<Attempt> try_device(asio::any_io_executor executor, platform::Verdict device,
                                    wire::Bench request) {
  auto worker = Worker::spawn(std::move(executor), {device.pack.worker, device.pack.library_path});
  if (!worker) co_return Attempt{worker.error()};
  request.run_on.device = device.device();
  // A model of a card computes in what the card has, and not in what this machine is good at.
  if (request.model_of.empty()) {
    request.run_on.compute_type = compute_type_on(device, request.run_on.compute_type);
  }
  auto result = co_await (*worker)->bench(request);
  Attempt attempt{std::move(result), (*worker)->last_words()};
  (*worker)->close();
  co_return attempt;
}

}  // namespace

asio::awaitable<Result<wire::BenchResult>> run_bench(asio::any_io_executor executor,
                                                     const DevicePlan& plan, wire::Bench request) {
  for (std::size_t i = 0;; ++i) {
    const platform::Verdict& device = plan.candidates[i].verdict;
    auto attempt = co_await try_device(executor, device, request);
    if (attempt.result) co_return std::move(attempt.result);
    const Error& error = attempt.result.error();
    if (device.backend == platform::Backend::cpu || !is_about_the_device(error)) {
      co_return explained_error(error, attempt.last_words, device, plan.matrix);
    }
    auto finding = explain_failure(error, attempt.last_words, device, plan.matrix);
    if (i + 1 == plan.candidates.size()) co_return blocked_error(finding);
    report_warning(warning_of({device.device_name, {plan.wanted, std::move(finding)}}));
  }
}

}  // namespace server
