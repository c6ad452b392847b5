// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "lineframer_p.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>

namespace Rekindle {

/// Splits a stream of bytes into messages that follow a header with their size, as in the Language
/// Server Protocol: `Content-Length: 17`, CR LF, CR LF, 17 bytes. Names of header fields are read
/// in any case. Other fields, such as Content-Type, are ignored. A line may also end with LF.
///
/// After a malformed header, the next message cannot be found: the rest of the stream is ignored.
class ContentFramer
{
public:
    static constexpr qsizetype defaultLongest = qsizetype{64} * 1024 * 1024;
    static constexpr qsizetype longestField = 1024; ///< a line of a header, in bytes
    static constexpr int mostFields = 16;           ///< of one header

    /// `longest` is the greatest size of a message in bytes, without its header. A longer message
    /// is a fault.
    explicit ContentFramer(qsizetype longest = defaultLongest);

    /// Returns the first message that is complete and removes its bytes from `bytes`. Otherwise
    /// stores all bytes.
    std::optional<QByteArray> addBytes(QByteArrayView &bytes);

    /// Why the stream cannot be read, in one sentence; empty if there is no fault.
    [[nodiscard]] const QString &fault() const { return m_fault; }

    /// The header of a message of this size.
    [[nodiscard]] static QByteArray header(qsizetype size);

private:
    void readField(const FramedLine &line);
    void readSize(QByteArrayView value);
    void endHeader();

    qsizetype m_longest;
    LineFramer m_lines{longestField};
    int m_fieldCount = 0;
    qsizetype m_size = -1; ///< by the header
    bool m_isInHeader = true;
    QByteArray m_message;
    QString m_fault;
};

} // namespace Rekindle
