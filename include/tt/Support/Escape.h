// Making names and texts from files safe to show, one escaper per context.
#ifndef TT_SUPPORT_ESCAPE_H
#define TT_SUPPORT_ESCAPE_H

#include <string>
#include <string_view>

namespace tt::support {

/// All of these take any bytes. What is not valid UTF-8 becomes U+FFFD, one
/// per byte. In HTML and XML so do control characters other than tab and
/// newline and the marks that reorder text (right-to-left overrides, ...).

/// For HTML text and for attribute values in double or single quotes. Not for
/// names of tags or attributes, URLs, <script> or <style>.
std::string escapeHtml(std::string_view text);

/// For XML and SVG text and quoted attribute values. Not for CDATA, comments.
std::string escapeXml(std::string_view text);

/// The inside of a JSON string, without the quotes. Also escapes '<', '>', '&'
/// and U+2028 to U+202E, so that the JSON may stand inside a <script>.
std::string escapeJson(std::string_view text);

/// For a terminal: control characters (C0, DEL, C1) and those that reorder
/// text (bidirectional marks and overrides) become \xNN or \u{NNNN}, invalid
/// UTF-8 becomes \xNN. Newlines too, unless they are to be kept.
std::string escapeTerminal(std::string_view text, bool keepNewlines = false);

} // namespace tt::support
#endif
