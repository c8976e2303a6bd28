#include "server/commands/health_command.h"

#include <curl/curl.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "server/config/environment.h"
#include "server/config/load_config.h"
#include "server/http/listen_address.h"
#include "server/models/curl_handle.h"

namespace server {
namespace {

constexpr char health_footer[] =
    R"(For health checks of containers and of supervisors: asks the first address of
server.listen, as configuration files, the environment and --listen name it.

Exit code 0: it can transcribe now; 1: it cannot, or there is no answer;
2: the configuration is wrong.)";

struct HealthArguments {
  std::string file{};
  std::string listen{};
  double timeout_s = 5;
};

// Returns the URL of a server that listens on `text`: "every address" of a machine includes its own
// loopback.
Result<std::string> url_of(const std::string& text) {
  const auto endpoint = parse_listen_address(text);
  if (!endpoint) return endpoint.error();
  boost::asio::ip::tcp::endpoint target = *endpoint;
  if (target.address() == boost::asio::ip::address_v4::any()) {
    target.address(boost::asio::ip::address_v4::loopback());
  } else if (target.address() == boost::asio::ip::address_v6::any()) {
    target.address(boost::asio::ip::address_v6::loopback());
  }
  const std::string host = target.address().to_string();
  return fmt::format("http://{}:{}/readyz", target.address().is_v6() ? "[" + host + "]" : host,
                     target.port());
}

struct Answer {
  long status = 0;
  std::string text{};
};

std::size_t on_bytes(const char* bytes, std::size_t, std::size_t count, void* text) {
  constexpr std::size_t enough = 4096;
  auto& kept = *static_cast<std::string*>(text);
  kept.append(bytes, std::min(count, enough - std::min(enough, kept.size())));
  return count;
}

Result<Answer> ask(const std::string& url, double timeout_s) {
  const CurlHandle handle = make_curl(url, {});
  CURL* curl = handle.get();
  Answer answer;
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_s * 1000));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer.text);
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) {
    return Error{errc::unreachable, fmt::format("{}: {}", url, curl_easy_strerror(code)),
                 "Is scribed serve running, and listening there?"};
  }
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
  return answer;
}

ExitCode run_health(const HealthArguments& arguments) {
  ConfigSources sources{.environment = process_environment, .named_file = arguments.file};
  if (!arguments.listen.empty()) {
    sources.flags.push_back({"server.listen", "--listen", arguments.listen});
  }
  const auto config = load_config(sources);
  if (!config) return report_error(config.error());
  const auto& listen = config->server.listen;
  const auto url = url_of(listen.empty() ? "" : listen.front());
  if (!url) return report_error(url.error());
  const auto answer = ask(*url, arguments.timeout_s);
  if (!answer) {
    report_error(answer.error());
    return ExitCode::internal;
  }
  fmt::print("{}", answer->text);
  return answer->status == 200 ? ExitCode::ok : ExitCode::internal;
}

}  // namespace

void add_health_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("health", "Ask a running daemon whether it can transcribe");
  const auto arguments = std::make_shared<HealthArguments>();
  command->footer(health_footer);
  command->add_option("--config", arguments->file, "Also read this file")->type_name("FILE");
  command->add_option("--listen", arguments->listen, "Address that the daemon listens on")
      ->type_name("ADDRESS:PORT");
  command->add_option("--timeout", arguments->timeout_s, "Seconds to wait for the answer")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  command->callback(
      [arguments, &chosen] { chosen = [arguments] { return run_health(*arguments); }; });
}

}  // namespace server
