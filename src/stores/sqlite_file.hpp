#pragma once

#include <cstdint>
#include <string>

namespace sms::detail {

/// Whether locks and flushes of this file system, named by its number in statfs(2), may not reach all who use it: NFS,
/// SMB, AFS, Ceph and the like, and FUSE and 9P, behind which anything may lie.
bool is_network_file_system(std::uint32_t type) noexcept;

/// The database file: found or made, and known again.
class SqliteFile {
 public:
  /// Makes the file, for its owner alone, where there is none. Throws `StoreUnavailableError` when it cannot be used
  /// safely.
  explicit SqliteFile(const std::string& path);

  /// Absolute and without links, so that all who use the file name its side files alike.
  const std::string& path() const noexcept { return path_; }
  /// Whether the path still leads to this file. A claim written into a file that nobody finds again would be lost.
  bool is_in_place() const noexcept;

 private:
  std::string path_;
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
};

}  // namespace sms::detail
