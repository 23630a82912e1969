// SPDX-License-Identifier: GPL-3.0-or-later
// The export dialog (user-experience 17.1): left what, right options and a live preview, below where to. It never
// overwrites without asking, exports an old plan only when asked to, and stays open with the reason when writing fails.
#pragma once

#include "app/gui/features/export/export_source.h"
#include "app/gui/tasks/background_task.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace memplan::app {

class PictureOptions;

class ExportDialog final : public QDialog {
    Q_OBJECT
public:
    enum class Overwrite { Replace, Rename, Cancel };
    struct Answer {
        Overwrite choice = Overwrite::Cancel;
        bool forAll = false;
    };
    /// Asked for a file that exists; `several`: more files follow.
    using Question = std::function<Answer(const QString& path, bool several)>;

    ExportDialog(const DocumentController& controller, const Workspace& workspace, ui::GraphicView* current,
                 QWidget* parent);
    void setQuestion(Question question) { question_ = std::move(question); }
    void setWhat(ExportWhat what);
    [[nodiscard]] ExportWhat what() const;
    void setView(const QString& key);  ///< of those that are offered; others change nothing
    void setPicture(const PictureChoice& picture);
    void setDestination(const QString& path);
    [[nodiscard]] QString destination() const;
    [[nodiscard]] QString error() const;
    void run();  ///< the button Export
    /// What is being made or written, for the status bar.
    [[nodiscard]] LongTask& task() { return task_; }
    /// The plan or what it was made from changed: preview and name are those of the new one, unless it is
    /// writing. Does nothing once the document is gone.
    void planChanged();

signals:
    void written(const QString& text);

protected:
    void reject() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void buildList();
    [[nodiscard]] QVBoxLayout* buildChoices();
    [[nodiscard]] QHBoxLayout* buildDestination();
    [[nodiscard]] QDialogButtonBox* buildButtons();
    void buildViews();
    void fillViews();
    void choose();
    void refresh();
    void refreshPreview();
    void showText(const QString& text);
    void browse();
    void writeFiles();
    void writeBundle();
    void writeZip();
    void say(const QString& text);
    void fail(const Error& error);
    void stopped();
    void finish(const QString& text);
    [[nodiscard]] PictureChoice picture() const;
    [[nodiscard]] Answer ask(const QString& path, bool several);

    ExportSource source_;
    Question question_;
    BackgroundTask task_;
    QListWidget* list_ = nullptr;
    QComboBox* view_ = nullptr;
    PictureOptions* options_ = nullptr;
    QCheckBox* force_ = nullptr;
    QLabel* about_ = nullptr;
    QStackedWidget* preview_ = nullptr;
    QLabel* image_ = nullptr;
    QPlainTextEdit* text_ = nullptr;
    QLineEdit* path_ = nullptr;
    QCheckBox* old_ = nullptr;
    QLabel* message_ = nullptr;
    QPushButton* copy_ = nullptr;
    QPushButton* export_ = nullptr;
    QString folder_;
    bool isWriting_ = false;                       ///< what task_ does; else it makes a preview
    std::shared_ptr<std::atomic<bool>> hasBegun_;  ///< the worker writes from then on, whatever is asked of it
    bool isOwnPath_ = false;                       ///< the user typed or chose one: it stays when options change
};

}  // namespace memplan::app
