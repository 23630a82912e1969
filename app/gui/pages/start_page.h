// SPDX-License-Identifier: GPL-3.0-or-later
// Shown when no document is open: Open, samples, recent files, what opens (UX 4.1, 4.2, 19.1).
#pragma once

#include "app/gui/session/autosave.h"
#include "app/gui/tasks/background_task.h"
#include "engine/io/samples.h"

#include <QWidget>

#include <vector>

class QScrollArea;
class QVBoxLayout;
class QGridLayout;

namespace memplan::app {

class SampleCard;

class StartPage final : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(std::vector<io::SampleInfo> samples, QWidget* parent = nullptr);
    void refreshRecent();
    /// What runs that died left behind (UX 3.12); an empty list hides the block.
    void setRecoverable(const QList<RecoverableCopy>& copies);

signals:
    void openRequested();
    void sampleRequested(const memplan::io::SampleInfo& sample);
    void fileRequested(const QString& path);
    void recoverRequested(const QString& copyPath);
    void keyboardMapRequested();
    void templateRequested();
    void tourRequested();
    void helpRequested(const QString& topic);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] QWidget* leftColumn();
    [[nodiscard]] QWidget* middleColumn();
    [[nodiscard]] QWidget* rightColumn();
    [[nodiscard]] QWidget* recoverRow(const RecoverableCopy& copy);
    void arrangeCards();
    void arrangeColumns();
    [[nodiscard]] QScrollArea* sideColumn(QWidget* content);
    /// Plans the samples in the background and draws their pictures.
    void loadPictures();

    std::vector<SampleCard*> cards_;
    QScrollArea* cardScroll_ = nullptr;
    QWidget* cardArea_ = nullptr;
    QGridLayout* grid_ = nullptr;
    QVBoxLayout* recent_ = nullptr;
    QScrollArea* left_ = nullptr;
    QScrollArea* right_ = nullptr;
    QVBoxLayout* leftBox_ = nullptr;
    QWidget* rightContent_ = nullptr;
    bool isNarrow_ = false;
    QVBoxLayout* recover_ = nullptr;
    int columns_ = 0;
    bool picturesLoaded_ = false;
    BackgroundTask pictures_;
};

}  // namespace memplan::app
