// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as a shared library. A file that is cut off is truncated, too.

#include "fuzztarget.h"

#include "plugin/elffile_p.h"

#include <QString>

#include <sys/mman.h>
#include <unistd.h>

using namespace Rekindle;

void fuzzOne(QByteArrayView bytes)
{
    static const int file = memfd_create("elffile", MFD_CLOEXEC);
    static const QString path = QStringLiteral("/proc/self/fd/%1").arg(file);
    require(file >= 0 && ftruncate(file, 0) == 0
                && pwrite(file, bytes.data(), static_cast<std::size_t>(bytes.size()), 0)
                    == bytes.size(),
            "the input cannot be written");
    const bool whole = isTruncated(path);
    require(ftruncate(file, bytes.size() / 2) == 0, "the input cannot be cut off");
    require(!whole || isTruncated(path), "a part is complete, although the whole is truncated");
}
