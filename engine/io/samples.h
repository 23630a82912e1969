// SPDX-License-Identifier: Apache-2.0
// The samples that come with the program (user-experience 4.2): a folder each with a graph, and a
// sample.json that says what it shows.
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::io {

using SettingPairs = std::vector<std::pair<std::string, std::string>>;

/// One of several plans of a sample, for instance a stage of S1.
struct SampleVariant {
    std::string id;                   ///< "stage4"
    std::string name;                 ///< "stage 4: clone"
    std::string note;                 ///< what it shows, with a measured figure where there is one
    SettingPairs settings;            ///< on top of the sample's
    std::string hintFile;             ///< whose hints are in force, empty = none
    double measuredMicroseconds = 0;  ///< median on the real machine, 0 = not measured
};

struct SampleInfo {
    std::string id;  ///< "S1"
    std::string title;
    std::string sentence;  ///< what it is
    std::string question;  ///< what it answers
    std::string sizeText;  ///< "5 ops, 6 tensors, 4 MiB"
    std::string path;      ///< the file to open
    std::string readme;    ///< path of its README.md, empty when there is none
    SettingPairs settings;
    SettingPairs bindings;  ///< as --bind takes them
    std::vector<SampleVariant> variants;
    std::vector<std::string> notes;  ///< what measured and ideal figures say when they are laid side by side
};

/// All samples below `folder`, by id; folders without a valid sample.json or without the file that
/// it names are left out. Empty folder: samplesFolder().
[[nodiscard]] std::vector<SampleInfo> listSamples(const std::string& folder = {});
/// The sample with this id, nullptr when `samples` has none.
[[nodiscard]] const SampleInfo* findSample(const std::vector<SampleInfo>& samples, const std::string& id);
/// Hints of a variant for the sample's graph; none without a file. Errors as hints::readHintFile.
[[nodiscard]] Result<std::vector<Hint>> hintsOf(const SampleVariant& variant, const Graph& graph);
/// ../share/memplan-studio/samples beside the executable, else the source tree's; empty when neither
/// exists.
[[nodiscard]] std::string samplesFolder();

}  // namespace memplan::io
