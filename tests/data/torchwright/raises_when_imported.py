# SPDX-License-Identifier: Apache-2.0
"""A user's module that cannot be imported."""
import graph_of_file

WIDTH = graph_of_file.LIMIT / 0
