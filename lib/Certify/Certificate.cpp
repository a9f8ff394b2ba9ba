//===- Certificate.cpp - What was checked, and how it came out ------------===//
#include "tt/Certify/Certificate.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tt::certify;
namespace json = llvm::json;

std::string tt::certify::placeOf(mlir::Location loc) {
  auto file = loc->findInstanceOf<mlir::FileLineColLoc>();
  return file ? file.getFilename().str() + ":" + std::to_string(file.getLine()) : "";
}

const Finding *Part::failure() const {
  for (const Finding &finding : findings)
    if (!finding.passed)
      return &finding;
  return nullptr;
}

bool Certificate::passed() const {
  return !parts.empty() && llvm::all_of(parts, [](const Part &part) {
    return !part.findings.empty() && !part.failure();
  });
}

/// JSON has no NaN: what is not finite is said as text.
static void writeNumber(json::OStream &out, llvm::StringRef name, double value) {
  if (std::isfinite(value))
    out.attribute(name, value);
  else
    out.attribute(name, std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static void writeFinding(json::OStream &out, const Finding &finding) {
  out.object([&] {
    out.attribute("check", finding.check);
    out.attribute("subject", json::fixUTF8(finding.subject));
    if (!finding.place.empty()) {
      // Without the folder: where a graph lies must not change its manifest.
      llvm::StringRef place = finding.place;
      out.attribute("place", json::fixUTF8(place.substr(place.rfind('/') + 1)));
    }
    writeNumber(out, "value", finding.value);
    writeNumber(out, finding.isLowerBound ? "at_least" : "at_most", finding.bound);
    out.attribute("passed", finding.passed);
    if (!finding.note.empty())
      out.attribute("note", json::fixUTF8(finding.note));
  });
}

std::string Certificate::json() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, 1);
  out.object([&] {
    out.attribute("passed", passed());
    out.attribute("tool", version);
    out.attribute("seed", int64_t(seed));
    out.attributeArray("parts", [&] {
      for (const Part &part : parts)
        out.object([&] {
          out.attribute("name", part.name);
          out.attribute("seconds", std::round(part.seconds * 100) / 100);
          if (!part.note.empty())
            out.attribute("note", json::fixUTF8(part.note));
          out.attributeArray("findings", [&] {
            for (const Finding &finding : part.findings)
              writeFinding(out, finding);
          });
        });
    });
  });
  return text;
}

std::string Certificate::failure() const {
  for (const Part &part : parts) {
    const Finding *finding = part.failure();
    if (!finding && !part.findings.empty())
      continue;
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (!finding) {
      stream << "error: certificate: part '" << part.name << "' checked nothing";
      return text;
    }
    if (!finding->place.empty())
      stream << finding->place << ": ";
    stream << "error: certificate: " << part.name << ": " << finding->check << " of "
           << finding->subject << ": expected "
           << (finding->isLowerBound ? (finding->bound == 0 ? "more than " : "at least ")
                                     : "at most ")
           << llvm::format("%.3g", finding->bound) << ", but got "
           << llvm::format("%.3g", finding->value);
    if (!finding->note.empty())
      stream << " (" << finding->note << ")";
    return text;
  }
  return "";
}
