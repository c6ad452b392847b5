// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace Rekindle {

/// The kinds of files that Rekindle writes.
enum class WrittenFile {
    State,
    StateLock,
    Store,
    LicenseClock,
    Marker,
    Drawing,
    Trace,  ///< for Perfetto
    Events, ///< appended to
    Output, ///< of an agent; appended to
};

/// Decides whether a file of this kind may be written at a path: only if nothing exists there, or
/// an empty file, or an earlier file of the same kind. Returns an empty text, or "expected ...,
/// found ...". The following targets are refused:
///
/// - any other file; for Output, no file
/// - a symbolic link; for Events and Output, only one that SafePath does not follow
/// - a pipe or a device, except for Events and Output
///
/// A folder is not refused, because writing to it fails and changes nothing.
[[nodiscard]] QString refusalOf(const QString &path, WrittenFile kind);

/// The same without opening the file, of which each regular one is accepted. For a file that this
/// process may have open as an SQLite database: closing it elsewhere would release SQLite's locks.
[[nodiscard]] QString refusalOfPlace(const QString &path, WrittenFile kind);

/// Opens a file for appending, or creates it with mode 0600, under the rules of refusalOfPlace().
/// The descriptor is non-blocking, so that a pipe without a reader does not block. Returns -1 and
/// sets errno on failure.
[[nodiscard]] int openToAppend(const QString &path);

/// Describes an errno value of openToAppend().
[[nodiscard]] QString appendErrorText(int error);

} // namespace Rekindle
