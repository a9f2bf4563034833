#include "chaos/chaotic_store.hpp"

#include "support/temporary_folder.hpp"

#include <stdexcept>

namespace sms::chaos {
namespace {

class SqliteFile final : public ChaoticStore {
 public:
  std::string url() const override { return "sqlite:" + folder_.file("keys.db"); }
  std::string direct_url() const override { return url(); }

 private:
  tests::TemporaryFolder folder_;
};

}  // namespace

std::vector<std::string_view> chaotic_stores() { return {"sqlite"}; }

std::unique_ptr<ChaoticStore> chaotic_store(std::string_view name) {
  if (name == "sqlite") return std::make_unique<SqliteFile>();
  throw std::runtime_error("this build has no chaos for the store " + std::string(name));
}

}  // namespace sms::chaos
