#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <future>
#include <map>
#include <utility>

#include "server/base/random_id.h"
#include "server/daemon/database_uploads.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"
#include "tests/server/temporary_folder.h"

namespace server::test {

// What the database has. A whole upload is entered when the test lets it.
class FakeCatalog final : public UploadCatalog {
 public:
  Result<EnteredUpload> add(const Upload& upload, const UploadTerms&) override {
    if (upload.is_whole()) {
      if (!has_asked.exchange(true)) asked.set_value();
      may_add.wait();
    }
    if (upload.is_entered && !rows.contains(upload.id)) return no_such_upload();
    rows[upload.id] = upload;
    EnteredUpload entered{upload};
    for (const auto& part : std::exchange(entered_parts, {}))
      entered.unused_parts.push_back(part.id);
    return entered;
  }
  Result<std::uint64_t> add_part(const std::string& id, const std::string&, const UploadPart& part,
                                 const UploadTerms&) override {
    if (!rows.contains(id)) return no_such_upload();
    Upload& row = rows[id];
    if (row.received != part.from) return wrong_offset(row.received);
    row.received += part.bytes;
    entered_parts.push_back(part);
    return row.received;
  }
  Result<void> keep_coming(const std::vector<std::string>& ids, double) override {
    coming = ids;
    return {};
  }
  Result<std::vector<UploadPart>> parts(const std::string&) override { return entered_parts; }
  Result<std::optional<Upload>> find(const std::string& id, const std::string&) override {
    const auto found = rows.find(id);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
  }
  Result<std::vector<Upload>> list(const std::string&) override { return std::vector<Upload>(); }
  Result<std::vector<std::string>> remove(const std::string& id, const std::string&) override {
    if (rows.erase(id) == 0) return std::vector<std::string>();
    std::vector<std::string> ids{id};
    for (const auto& part : std::exchange(entered_parts, {})) ids.push_back(part.id);
    return ids;
  }
  Result<std::vector<std::string>> take_expired(int) override { return std::vector<std::string>(); }
  Result<std::vector<std::string>> missing(const std::vector<std::string>& ids) override {
    std::vector<std::string> gone;
    std::ranges::copy_if(ids, std::back_inserter(gone), [this](const std::string& id) {
      return !rows.contains(id) &&
             std::ranges::find(entered_parts, id, &UploadPart::id) == entered_parts.end();
    });
    return gone;
  }

  Result<std::vector<std::string>> unfinished(const std::vector<std::string>& ids) override {
    std::vector<std::string> coming;
    on_unfinished();
    std::ranges::copy_if(ids, std::back_inserter(coming), [this](const std::string& id) {
      return rows.contains(id) && !rows[id].is_whole();
    });
    return coming;
  }

  std::map<std::string, Upload> rows{};
  std::vector<std::string> coming{};            // keep_coming() had them last
  std::vector<UploadPart> entered_parts{};      // of the one upload that comes in parts
  std::function<void()> on_unfinished = [] {};  // called before unfinished() answers
  std::atomic<bool> has_asked = false;
  std::promise<void> asked{};
  std::shared_future<void> may_add{};
};

class DatabaseUploadsTest : public testing::Test {
 protected:
  DatabaseUploadsTest() {
    catalog_->may_add = may_add_.get_future().share();
    open(parts());
  }
  DatabaseUploads::Parts parts() {
    return {.catalog = std::unique_ptr<UploadCatalog>(catalog_),
            .here = here_,
            .room = spool_.room(),
            .place = {.spool = spool_,
                      .folder = Spool::open(folder_ / "shared").value(),
                      .disk = disk_,
                      .orphan_age = std::chrono::seconds(-60)}};
  }
  void open(DatabaseUploads::Parts parts) { all_.emplace(std::move(parts)); }

  Upload add() {
    auto file = here_.create("ada", 5).value();
    EXPECT_TRUE(file.write(std::string_view("sound")));
    return here_.add(std::move(file), "ada", "a.wav").value();
  }
  asio::awaitable<int> tidied_up() {
    auto tidying = all_->tidy_up();
    co_await std::move(tidying);
    co_return 0;
  }
  std::vector<std::string> shared_files() const { return Spool::open(folder_ / "shared")->names(); }

  const test::TemporaryFolder folder_{};
  asio::io_context io_{};
  Uploads here_ = Uploads::open({.folder = folder_ / "uploads"}).value();
  Spool spool_ = Spool::open(folder_ / "spool").value();
  std::promise<void> may_add_{};
  FakeCatalog* catalog_ = new FakeCatalog;  // owned by what is open
  std::optional<DatabaseUploads> all_{};
  FairCalls disk_{1, 16};
};

}  // namespace server::test
