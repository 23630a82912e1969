// SPDX-License-Identifier: GPL-3.0-or-later
// The dock of a sweep: what is varied over which values, the metric, the matrix (user-experience 13.3).
#pragma once

#include "widgets/tools/sweep/sweep_matrix.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace memplan::ui {

class Chart;
class LinkLabel;

/// A setting that can be varied and values to begin with.
struct SweepKey {
    QString key;
    QString title;
    QString values;  ///< "1,2,4,8"
    friend bool operator==(const SweepKey&, const SweepKey&) = default;
};

class SweepPanel final : public QWidget {
    Q_OBJECT
public:
    explicit SweepPanel(QWidget* parent = nullptr);
    void setKeys(const std::vector<SweepKey>& keys, const QString& rows, const QString& columns);
    void setMetrics(const QStringList& titles);
    /// "KEY=V1,V2,..." in the order of the command line: rows, then columns.
    [[nodiscard]] QStringList axes() const;
    [[nodiscard]] QString rowKey() const;  ///< empty: one row
    [[nodiscard]] QString columnKey() const;
    [[nodiscard]] int metric() const;
    [[nodiscard]] SweepMatrix* matrix() const { return matrix_; }
    [[nodiscard]] Chart* chart() const { return chart_; }
    /// One picture for each metric; a sweep over one parameter is drawn as lines, over two as a matrix of the chosen
    /// metric. None: nothing was swept.
    void setPictures(const std::vector<SweepPicture>& metrics, std::size_t chosen);
    /// What is shown, for a file.
    [[nodiscard]] const PictureSource& picture() const;
    void setRunning(bool on);
    /// Why there is nothing to sweep, which the panel says too; empty = there is.
    void setOffered(const QString& whyNot);
    void setStatus(const QString& text, bool isError = false);
    void setHasResult(bool on);

signals:
    void runRequested();
    void cancelRequested();
    void metricChanged();
    void csvRequested();
    void pictureRequested();
    void cellChosen(int cell);
    void commandRequested();  ///< copy the command line that writes the CSV

private:
    void build();
    [[nodiscard]] QGridLayout* buildFields();
    void connectFields();
    void keyChosen(QComboBox* box, QLineEdit* values);

    QComboBox* rows_;
    QLineEdit* rowValues_;
    QComboBox* columns_;
    QLineEdit* columnValues_;
    QComboBox* metric_;
    QPushButton* run_;
    QLabel* status_;
    LinkLabel* csv_;
    LinkLabel* picture_;
    LinkLabel* command_;
    SweepMatrix* matrix_;
    Chart* chart_;
    bool running_ = false;
};

}  // namespace memplan::ui
