// SPDX-License-Identifier: Apache-2.0
// Options that several subcommands share: --set, --bind, --progress, and opening the input.
#pragma once

#include "app/cli/program/reporter.h"
#include "app/cli/program/streams.h"
#include "engine/base/result.h"
#include "engine/io/input.h"
#include "engine/machine/machine.h"
#include "engine/plan/plan.h"
#include "engine/settings/settings.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace memplan::cli {

/// "KEY=VALUE" texts as pairs; error CLI-001 naming `option` where the sign is missing.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>>
keyValuePairs(const std::vector<std::string>& texts, const std::string& option);
[[nodiscard]] Result<Settings> settingsFrom(const std::vector<std::string>& sets);
[[nodiscard]] Result<io::Bindings> bindingsFrom(const std::vector<std::string>& binds);
/// A whole number in [min, max] from the text of an option, error CLI-001.
[[nodiscard]] Result<std::int64_t> wholeNumber(const std::string& option, const std::string& text,
                                               std::pair<std::int64_t, std::int64_t> range);

/// A machine by the name that was given to --target, "" for the natural one of the input. CLI-001 for a name of none.
[[nodiscard]] Result<TargetId> targetFrom(const std::string& name);

/// The machine of a file, for "" the built-in one of the target. MCH-001 names what is wrong with the file.
[[nodiscard]] Result<MachineDescription> machineFrom(const std::string& file, const std::string& target);

/// Where `input` is no file but the id of a sample: its file, with the sample's settings and bindings ahead of those
/// given.
void takeSample(std::string& input, std::vector<std::string>& sets, std::vector<std::string>& binds);

/// What a command reads; the error for a file of any other format lists the formats of this kind.
enum class Wanted { AnyInput, Program, Plan, Instance, CompilerRecords };

/// Opens an input, prints its warnings. What is no file and looks like the id of a sample is answered as one.
[[nodiscard]] Result<io::OpenedInput> open(const std::string& path, const io::OpenOptions& options, Wanted wanted,
                                           const Streams& streams);
/// Sizes as bound, and the limits of `settings`.
[[nodiscard]] io::OpenOptions openOptions(const Settings& settings, const io::Bindings& bindings = {});

/// Error CLI-001 naming `option` where the file of a result is one of those that are read: an input is never
/// changed. Texts that name no file, as ids of samples do, are passed over.
[[nodiscard]] Result<void> keepInputs(const std::string& option, const std::string& out,
                                      const std::vector<std::string>& inputs);

/// Writes a result to `path`, or to standard output for "" and "-". Returns an exit status.
[[nodiscard]] int writeResult(const std::string& path, const std::string& bytes, const Streams& streams);

/// The progress bar of long work on standard error (command-line "Common rules").
class ProgressBar {
public:
    enum class When { Auto, Always, Never };

    ProgressBar(const Streams& streams, When when);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(std::string_view what, double done, double total);
    void clear();
    /// A control that reports to this bar and stops when the streams' token says so.
    [[nodiscard]] RunControl control();

private:
    const Streams& streams_;
    bool isOn_ = false;
    bool isShown_ = false;
    std::string last_;
};

/// Error CLI-001 unless the text is auto, always or never.
[[nodiscard]] Result<ProgressBar::When> progressFrom(const std::string& text);

}  // namespace memplan::cli
