// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/resolve/onnx_reader.h"

#include "engine/base/text.h"
#include "engine/io/onnx/read/failure.h"
#include "engine/io/onnx/read/gate.h"
#include "engine/io/onnx/resolve/binding.h"
#include "engine/io/onnx/resolve/walker.h"

#include <algorithm>

namespace memplan::io::onnx {

namespace {

/// Every error found so far, ordered as found.
Error errorsOf(const Diagnostics& findings) {
    std::vector<Diagnostic> errors;
    for (const Diagnostic& d : findings.list())
        if (d.severity == Severity::Error) errors.push_back(d);
    return Error(std::move(errors));
}

void stopOnErrors(const Diagnostics& findings) {
    if (findings.hasErrors()) throw errorsOf(findings);
}

Model readChecked(std::string_view bytes, const OpenOptions& options, const RunControl& control,
                  Diagnostics& findings) {
    ImportClock clock(control, options.limits);
    Document document = decodeModel(bytes, options.limits, clock);
    checkVersions(document, findings);
    stopOnErrors(findings);
    checkContents(document, bytes.data(), options.limits, findings);
    clock.check();
    checkScopes(document, findings);
    stopOnErrors(findings);
    clock.check();
    BoundModel bound = bindInputs(document, options, findings);
    stopOnErrors(findings);
    return ModelWalker(document, std::move(bound), options.limits, clock, findings).run();
}

}  // namespace

Result<ReadModel> readOnnx(std::string_view bytes, const OpenOptions& options, const RunControl& control) {
    if (bytes.empty()) return makeError("ONNX-001", "", "the file is empty", "fetch or export it again");
    if (static_cast<std::int64_t>(bytes.size()) > options.limits.onnxBytes) {
        return makeError("ONNX-901", "",
                         "the file has " + text::grouped(static_cast<std::int64_t>(bytes.size())) +
                             " bytes, more than " + text::grouped(options.limits.onnxBytes) +
                             " (setting limits.onnx_bytes)");
    }
    Diagnostics findings;
    try {
        ReadModel result;
        result.model = readChecked(bytes, options, control, findings);
        result.diagnostics = findings.list();
        return result;
    } catch (const ImportFailure& failure) {
        return Error(failure.diagnostic);
    } catch (Error& errors) {
        return std::move(errors);
    } catch (const std::bad_alloc&) {
        return makeError("IN-905", "", "the import needs more memory than there is");
    }
}

}  // namespace memplan::io::onnx
