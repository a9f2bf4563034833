#include "line_reader.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace sms::cli {
namespace {

/// A pipe whose reading end a reader gets.
class Pipe {
 public:
  Pipe() {
    if (::pipe(ends_.data()) != 0) std::abort();
  }
  ~Pipe() {
    ::close(ends_[0]);
    close_writer();
  }
  void write(const std::string& text) { ASSERT_EQ(::write(ends_[1], text.data(), text.size()), ssize_t(text.size())); }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  int reader() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{};
};

std::vector<std::string> lines_of(const std::string& text) {
  Pipe pipe;
  pipe.write(text);
  pipe.close_writer();
  LineReader reader(pipe.reader(), 100, {});
  std::vector<std::string> lines;
  while (auto line = reader.next()) lines.push_back(line->too_long ? "(too long)" : line->text);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, SplitsAtLineBreaks) {
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\n\nb"), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines_of("a\r\nb\r\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("\n"), Lines{""});
}

TEST(LineReader, SkipsALineThatIsTooLongAndReadsOn) {
  EXPECT_EQ(lines_of(std::string(100, 'x') + "\nb\n"), (Lines{std::string(100, 'x'), "b"}));
  EXPECT_EQ(lines_of(std::string(101, 'x') + "\nb\n"), (Lines{"(too long)", "b"}));
  EXPECT_EQ(lines_of("a\n" + std::string(60'000, 'x')), (Lines{"a", "(too long)"}));
}

TEST(LineReader, ReadsALineOfManyChunksThatIsTooLongAsOne) {
  Pipe pipe;
  std::thread writer([&] {
    for (int i = 0; i < 40; ++i) pipe.write(std::string(10'000, 'x'));
    pipe.write("\nlast\n");
    pipe.close_writer();
  });
  LineReader reader(pipe.reader(), 100, {});
  EXPECT_TRUE(reader.next()->too_long);
  EXPECT_EQ(reader.next()->text, "last");
  EXPECT_FALSE(reader.next());
  writer.join();
}

TEST(LineReader, GivesLinesAsTheyCome) {
  Pipe pipe;
  LineReader reader(pipe.reader(), 100, {});
  pipe.write("first\nsec");
  EXPECT_EQ(reader.next()->text, "first");
  pipe.write("ond\n");
  EXPECT_EQ(reader.next()->text, "second");
}

TEST(LineReader, StopsWaitingWhenToldTo) {
  Pipe pipe;
  std::stop_source source;
  LineReader reader(pipe.reader(), 100, source.get_token());
  std::thread stopper([&] { source.request_stop(); });
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.failed());
  stopper.join();
}

TEST(LineReader, TellsAFaultFromTheEnd) {
  const int directory = ::open("/", O_RDONLY);
  LineReader reader(directory, 100, {});
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.failed());
  ::close(directory);
}

}  // namespace
}  // namespace sms::cli
