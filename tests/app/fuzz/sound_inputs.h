// SPDX-License-Identifier: Apache-2.0
// Small sound files of every kind that the program opens: what damage is done to.
#pragma once

#include "engine/io/files/folder.h"

#include <string>
#include <vector>

namespace memplan::test {

struct SoundInputs {
    std::vector<std::string> graphs;  ///< memplan-graph, with hints
    std::vector<std::string> hints;   ///< hint files, parallel to `graphs`
    std::vector<std::string> plans;
    std::vector<std::string> wrappers;                 ///< output_code.py
    std::vector<std::vector<io::FolderFile>> bundles;  ///< export folders
    std::vector<std::string> bundleGraphs;             ///< memplan-graph, parallel to `bundles`
    std::vector<std::string> instances;                ///< JSON lines
    std::vector<std::string> lists;                    ///< CSV
    std::vector<std::string> workspaces;
};

/// Made by the program itself; empty lists mean that a compile failed.
[[nodiscard]] SoundInputs soundInputs();

}  // namespace memplan::test
