// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/restart/restartmarker_p.h"

#include <QString>

namespace Rekindle {

class MarkerFile
{
public:
    explicit MarkerFile(const QString &path);

    [[nodiscard]] const QString &path() const { return m_path; }

    /// Writes the file atomically. Returns the error; empty on success.
    [[nodiscard]] QString write(const RestartMarker &marker) const;

    [[nodiscard]] MarkerReading read() const;

private:
    QString m_path; ///< absolute: the working directory may change
};

} // namespace Rekindle
