// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "elffile_p.h"

#include <QFile>

#include <elf.h>
#include <link.h>

#include <cstring>

namespace Rekindle {

bool isTruncated(const QString &path)
{
    QFile file(path);
    ElfW(Ehdr) header{};
    if (!file.open(QIODevice::ReadOnly)
        || file.read(reinterpret_cast<char *>(&header), sizeof header) != sizeof header)
        return true;
    const auto size = static_cast<quint64>(file.size());
    const auto fits = [size](quint64 offset, quint64 length) {
        return offset <= size && length <= size - offset;
    };
    const quint64 programHeaders = quint64{header.e_phnum} * sizeof(ElfW(Phdr));
    if (header.e_phentsize != sizeof(ElfW(Phdr)) || !fits(header.e_phoff, programHeaders)
        || !fits(header.e_shoff, quint64{header.e_shnum} * header.e_shentsize))
        return true;
    const QByteArray table = file.seek(static_cast<qint64>(header.e_phoff))
        ? file.read(static_cast<qint64>(programHeaders))
        : QByteArray();
    if (static_cast<quint64>(table.size()) != programHeaders)
        return true;
    for (int i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) segment{};
        std::memcpy(&segment, table.constData() + static_cast<std::size_t>(i) * sizeof segment,
                    sizeof segment);
        if (segment.p_type == PT_LOAD && !fits(segment.p_offset, segment.p_filesz))
            return true;
    }
    return false;
}

} // namespace Rekindle
