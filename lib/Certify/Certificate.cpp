//===- Certificate.cpp - What was checked, and how it came out ------------===//
#include "tt/Certify/Certificate.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tt::certify;
namespace json = llvm::json;

/// "expected at most 1e-12, but got 0.5".
static std::string wantedAndFound(double value, double bound, bool isLowerBound) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "expected "
         << (!isLowerBound ? "at most " : bound == 0 ? "more than " : "at least ")
         << llvm::format("%.3g", bound) << ", but got " << llvm::format("%.3g", value);
  return text;
}

std::string RuleFault::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (isFound()) {
    stream << "the " << rule << " rule of '" << op << "'";
    if (!place.empty())
      stream << " at " << place;
    stream << " is wrong by itself: " << check << " of ";
    if (check == "value")
      stream << "its results";
    else if (operand < 0)
      stream << "its operands";
    else
      stream << "operand " << operand;
    stream << ": " << wantedAndFound(value, bound, isLowerBound);
  } else {
    stream << "no rule is wrong by itself: look at fan-out, calls, checkpointing";
  }
  if (notChecked)
    stream << "; " << notChecked << " not checked";
  return text;
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

/// Without the folder: where a graph lies must not change its manifest.
static void writePlace(json::OStream &out, llvm::StringRef place) {
  if (!place.empty())
    out.attribute("place", json::fixUTF8(place.substr(place.rfind('/') + 1)));
}

static void writeFinding(json::OStream &out, const Finding &finding) {
  out.object([&] {
    out.attribute("check", finding.check);
    out.attribute("subject", json::fixUTF8(finding.subject));
    writePlace(out, finding.place);
    writeNumber(out, "value", finding.value);
    writeNumber(out, finding.isLowerBound ? "at_least" : "at_most", finding.bound);
    out.attribute("passed", finding.passed);
    if (!finding.note.empty())
      out.attribute("note", json::fixUTF8(finding.note));
  });
}

static void writeFault(json::OStream &out, const RuleFault &fault) {
  out.attributeObject("fault", [&] {
    if (fault.isFound()) {
      out.attribute("op", fault.op);
      writePlace(out, fault.place);
      out.attribute("rule", fault.rule);
      out.attribute("check", fault.check);
      if (fault.operand >= 0)
        out.attribute("operand", fault.operand);
      writeNumber(out, "value", fault.value);
      writeNumber(out, fault.isLowerBound ? "at_least" : "at_most", fault.bound);
    } else {
      out.attribute("op", nullptr);
    }
    out.attribute("not_checked", fault.notChecked);
  });
}

static void writeLeftOut(json::OStream &out,
                         llvm::ArrayRef<tt::reference::LeftOutCheck> checks) {
  out.attributeArray("left_out", [&] {
    for (const tt::reference::LeftOutCheck &left : checks)
      out.object([&] {
        out.attribute("check", left.check);
        out.attribute("op", left.op);
        writePlace(out, left.place);
        out.attribute("why", left.why);
      });
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
          if (part.fault)
            writeFault(out, *part.fault);
          if (!part.leftOut.empty())
            writeLeftOut(out, part.leftOut);
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
           << finding->subject << ": "
           << wantedAndFound(finding->value, finding->bound, finding->isLowerBound);
    if (!finding->note.empty())
      stream << " (" << finding->note << ")";
    if (part.fault)
      stream << "; " << part.fault->text();
    return text;
  }
  return "";
}
