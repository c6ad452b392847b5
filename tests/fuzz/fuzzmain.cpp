// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Usage: TARGET FILE|FOLDER...
//
// Runs a target once over seeds, without libFuzzer.

#include "fuzztarget.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include <cstdio>

namespace {

bool run(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    std::fprintf(stderr, "%s\n", qPrintable(path)); // the last printed file caused a failure
    fuzzOne(file.readAll());
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    int seeds = 0;
    for (int i = 1; i < argc; ++i) {
        const QString path = QString::fromLocal8Bit(argv[i]);
        if (QFileInfo(path).isDir()) {
            for (QDirIterator files(path, QDir::Files); files.hasNext();)
                seeds += run(files.next()) ? 1 : 0;
        } else {
            seeds += run(path) ? 1 : 0;
        }
    }
    std::fprintf(stderr, "%d inputs\n", seeds);
    return seeds > 0 ? 0 : 1;
}
