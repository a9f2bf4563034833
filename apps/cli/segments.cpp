#include <sms/encoding.hpp>
#include <sms/error.hpp>

#include "commands.hpp"
#include "core/json_text.hpp"
#include "core/text.hpp"

#include <cstdio>

namespace sms::cli {

namespace {

constexpr std::size_t max_text_bytes = 1 << 20;

std::string code_point_text(char32_t code_point) {
  char text[16];
  std::snprintf(text, sizeof text, "U+%04X", static_cast<unsigned>(code_point));
  return text;
}

void write_estimate(detail::JsonWriter& writer, const SegmentEstimate& estimate) {
  writer.key("encoding").string(to_string(estimate.encoding));
  writer.key("segments").number(std::int64_t{estimate.segments});
  writer.key("units").number(std::int64_t{estimate.units});
  writer.key("unitsPerSegment").number(std::int64_t{estimate.units_per_segment});
  writer.key("remainingInSegment").number(std::int64_t{estimate.remaining_in_segment});
  writer.key("containsUnicode").boolean(estimate.contains_unicode);
  writer.key("nonGsmCharacters").begin_array();
  for (const std::string& character : estimate.non_gsm_characters) writer.string(character);
  writer.end_array();
}

std::string to_json(const SegmentExplanation& explanation) {
  std::string text;
  detail::JsonWriter writer(text);
  writer.begin_object();
  write_estimate(writer, explanation.estimate);
  writer.key("characters").begin_array();
  for (const NonGsmCharacter& character : explanation.characters) {
    writer.begin_object();
    writer.key("index").number(static_cast<std::int64_t>(character.character_index));
    writer.key("byteOffset").number(static_cast<std::int64_t>(character.byte_offset));
    writer.key("codePoint").string(code_point_text(character.code_point));
    writer.key("character").string(character.character);
    writer.key("kind").string(character.kind);
    if (character.look_alike) writer.key("lookAlike").string(*character.look_alike);
    writer.end_object();
  }
  writer.end_array().key("withLookAlikes").begin_object();
  write_estimate(writer, explanation.with_look_alikes);
  writer.end_object().end_object();
  return text;
}

std::string summary(const SegmentEstimate& estimate) {
  const bool gsm7 = estimate.encoding == Encoding::gsm7;
  return std::to_string(estimate.segments) + (estimate.segments == 1 ? " segment, " : " segments, ") +
         (gsm7 ? "GSM-7, " : "UCS-2, ") + std::to_string(estimate.units) + " units of " +
         std::to_string(estimate.units_per_segment) + " a segment, " + std::to_string(estimate.remaining_in_segment) +
         " left in the last one";
}

void print(std::ostream& out, const SegmentExplanation& explanation) {
  constexpr std::size_t most = 20;
  out << summary(explanation.estimate) << '\n';
  if (explanation.characters.empty()) return;
  out << "UCS-2 because of:\n";
  for (std::size_t i = 0; i < explanation.characters.size() && i < most; ++i) {
    const NonGsmCharacter& character = explanation.characters[i];
    out << "  character " << character.character_index + 1 << ": " << code_point_text(character.code_point) << ' '
        << character.kind;
    if (character.look_alike) {
      out << (character.look_alike->empty() ? "; can be left out" : "; could be '" + *character.look_alike + "'");
    }
    out << '\n';
  }
  if (explanation.characters.size() > most) out << "  and " << explanation.characters.size() - most << " more\n";
  if (explanation.with_look_alikes != explanation.estimate) {
    out << "With these replacements: " << summary(explanation.with_look_alikes) << '\n';
  }
}

}  // namespace

ExitCode run_command(const Session& session, const SegmentsArguments& arguments) {
  const bool from_input = !arguments.text || *arguments.text == "-";
  const std::string text = from_input ? read_text(session.console, max_text_bytes) : *arguments.text;
  if (!detail::is_valid_utf8(text)) throw InvalidMessageError("body must be valid UTF-8", "body");
  const SegmentExplanation explanation = explain_segments(text);
  if (session.common.json) {
    session.console.out << to_json(explanation) << '\n';
  } else {
    print(session.console.out, explanation);
  }
  return ExitCode::done;
}

}  // namespace sms::cli
