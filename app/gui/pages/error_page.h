// SPDX-License-Identifier: GPL-3.0-or-later
// A file that cannot be opened gets a page, not a message box (UX 19.3, picture k2): file, place, what
// was found, the source line with a caret, the first errors, what to do next.
#pragma once

#include "engine/base/result.h"
#include "widgets/kit/theme/theme.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace memplan::app {

class SourceCard;

class ErrorPage final : public QWidget {
    Q_OBJECT
public:
    explicit ErrorPage(QWidget* parent = nullptr);
    /// Sizes and values that the file was opened with, for the field that asks for those it misses.
    void setBindings(const QString& given) { given_ = given; }
    /// `hardLimit`: why the limit that the error names cannot be raised; empty when it can, or there is none.
    void show(const QString& path, const Error& error, const QString& hardLimit = {});
    [[nodiscard]] QString code() const { return code_; }  ///< of the first error

signals:
    void openAnother();
    void tryAgain();
    void backToStart();
    /// Sizes and values for what the model leaves open.
    void bindingsGiven(const std::vector<std::pair<std::string, std::string>>& bindings);
    void raiseLimitRequested(const QString& key, const QString& value);  ///< a limits.* setting (19.8)
    void helpRequested(const QString& topic);                            ///< page of the first error's code

private:
    QLabel* addLine(QVBoxLayout& box, ui::TextStyle style);
    void buildTable(QWidget* column);
    [[nodiscard]] QHBoxLayout* buildButtons(QWidget* column);
    void buildBindings(QWidget* column);
    void offerLimit(const QString& hint);
    void offerBindings(const QString& hint);
    void takeBindings();
    void fillTable();
    void showError(int row);

    QLabel* title_;
    QLabel* sentence_;
    SourceCard* card_;
    QLabel* command_;
    QTableWidget* errors_;
    QPushButton* raise_;
    QWidget* bindings_;  ///< the row with what the model leaves open
    QLineEdit* values_;
    QLabel* valuesNote_;
    std::vector<Diagnostic> found_;  ///< errors first
    QByteArray source_;              ///< text of the file
    QString given_, hardLimit_, details_, code_, limit_, limitValue_;
};

}  // namespace memplan::app
