#include "server/jobs_postgres/news_text.h"

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json_parse.h"

namespace server::postgres {
namespace {

using Json = nlohmann::json;

// By JobNotice::Kind.
constexpr std::array kinds{"changed", "created", "ended", "removed"};

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

JobNotice::Kind kind_of(const std::string& name) {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == name) return static_cast<JobNotice::Kind>(i);
  }
  return JobNotice::Kind::changed;
}

std::optional<JobNotice> notice_of(const Json& json) {
  if (!json.is_array() || json.size() < 3) return std::nullopt;
  for (const Json& part : json) {
    if (!part.is_string()) return std::nullopt;
  }
  return JobNotice{json[1], json[2], kind_of(json[0])};
}

}  // namespace

std::vector<std::string> encode_news(const HeardNews& news) {
  std::vector<std::string> texts;
  Json text{
      {"work", news.work}, {"work_of_clients", news.work_of_clients}, {"jobs", Json::array()}};
  std::size_t size = dump(text).size();
  const std::size_t empty = size;
  for (const JobNotice& notice : news.jobs) {
    Json written{kinds.at(static_cast<std::size_t>(notice.kind)), notice.id, notice.owner};
    const std::size_t more = dump(written).size() + 1;
    if (empty + more > most_notification_bytes) continue;
    if (size + more > most_notification_bytes) {
      texts.push_back(dump(text));
      text["jobs"].clear();
      size = empty;
    }
    text["jobs"].push_back(std::move(written));
    size += more;
  }
  texts.push_back(dump(text));
  return texts;
}

std::optional<HeardNews> decode_news(std::string_view text) {
  const auto read = protocol::json::parse_object(text);
  if (!read || !read->contains("jobs") || !(*read)["jobs"].is_array()) return std::nullopt;
  const Json& json = *read;
  const auto flag = [&](const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_boolean() && found->get<bool>();
  };
  HeardNews news{.work = flag("work"), .work_of_clients = flag("work_of_clients")};
  for (const Json& one : json["jobs"]) {
    if (auto notice = notice_of(one)) news.jobs.push_back(*std::move(notice));
  }
  return news;
}

}  // namespace server::postgres
