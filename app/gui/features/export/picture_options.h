// SPDX-License-Identifier: GPL-3.0-or-later
// How a picture is to look: format, size, part, theme and what it includes (user-experience 17.1).
#pragma once

#include "app/gui/features/export/export_source.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace memplan::app {

class PictureOptions final : public QWidget {
    Q_OBJECT
public:
    explicit PictureOptions(QWidget* parent);
    [[nodiscard]] PictureChoice choice() const;
    void setChoice(const PictureChoice& choice);
    /// Width of the picture at scale 1, px: a quarter to eight times of it can be asked for.
    void setNaturalWidth(int px);
    /// So many rectangles would become an image in a vector: keeping them is offered, with what that takes.
    void setDenseShapes(std::size_t count);
    /// The first row: which view, where one is exported. `view` becomes a child of this.
    void addViewRow(QComboBox* view);
    /// A table is of one view too, and takes nothing of how a picture looks.
    void showRows(bool view, bool picture);
    /// All views at once have no part of their own: each is shown as it is, or whole.
    void setIsOneView(bool one);
    /// What a view has not is not asked for. `marks`: time cursor and notes.
    void setOffers(bool legend, bool marks);

signals:
    void changed();

private:
    [[nodiscard]] QWidget* buildSize();
    [[nodiscard]] QWidget* buildIncludes();
    void fillSizes();
    void showFields();
    [[nodiscard]] bool isPng() const;

    QFormLayout* form_;
    QComboBox* format_;
    QComboBox* size_;
    QSpinBox* px_;
    QDoubleSpinBox* mm_;
    QSpinBox* dpi_;
    QComboBox* scope_;
    QComboBox* theme_;
    QComboBox* view_ = nullptr;
    QCheckBox *title_, *legend_, *cursor_, *selection_, *notes_, *footer_, *allShapes_;
};

}  // namespace memplan::app
