// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "childstdio_p.h"

#include "base/writtenfile_p.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

namespace Rekindle {

namespace {

LaunchFault shortage() { return {LaunchFault::Step::Resources, errno, {}}; }

constexpr int protocolPipeSize = 256 * 1024; // a user has about 64 MiB for all pipes

} // namespace

std::optional<LaunchFault> ChildStdio::open(const ProcessDefinition &definition)
{
    if (definition.standardInput != ProcessDefinition::StandardInput::Inherit) {
        const bool isPipe = definition.standardInput == ProcessDefinition::StandardInput::Pipe;
        if (auto fault = isPipe ? makePipe(0, input) : useNull(0))
            return fault;
    }
    if (auto fault = openOutput(definition.standardOutput, 1, output))
        return fault;
    // A process that speaks a protocol may write large messages, and a full pipe blocks both sides.
    // If the system does not allow larger pipes, they keep their size.
    if (definition.standardOutput.kind == OutputTarget::Kind::Pipe) {
        for (const UniqueFd *pipe : {&input, &output}) {
            if (pipe->isOpen())
                (void)::fcntl(pipe->get(), F_SETPIPE_SZ, protocolPipeSize);
        }
    }
    return openOutput(definition.standardError, 2, error);
}

std::optional<LaunchFault> ChildStdio::openOutput(const OutputTarget &target, unsigned number,
                                                  UniqueFd &own)
{
    switch (target.kind) {
    case OutputTarget::Kind::Inherit:
        return std::nullopt;
    case OutputTarget::Kind::Null:
        return useNull(number);
    case OutputTarget::Kind::Lines:
    case OutputTarget::Kind::Pipe:
        return makePipe(number, own);
    case OutputTarget::Kind::File:
        if (target.rotation)
            return makePipe(number, own);
        break;
    }
    UniqueFd &file = m_theirs[number];
    file = aboveStandard(UniqueFd(openToAppend(target.file)));
    // The child writes as to any file.
    if (!file.isOpen() || ::fcntl(file.get(), F_SETFL, O_APPEND) != 0)
        return LaunchFault{LaunchFault::Step::File, errno, target.file};
    m_fds[number] = file.get();
    return std::nullopt;
}

std::optional<LaunchFault> ChildStdio::useNull(unsigned number)
{
    m_fds[number] = nullFile();
    if (m_fds[number] < 0)
        return shortage();
    return std::nullopt;
}

std::optional<LaunchFault> ChildStdio::makePipe(unsigned number, UniqueFd &own)
{
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return shortage();
    UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    UniqueFd &theirs = m_theirs[number];
    own = longLived(std::move(number == 0 ? writing : reading));
    theirs = aboveStandard(std::move(number == 0 ? reading : writing));
    // The end of the child must block; the two ends do not share this flag.
    if (!own.isOpen() || !theirs.isOpen() || ::fcntl(own.get(), F_SETFL, O_NONBLOCK) != 0)
        return shortage();
    m_fds[number] = theirs.get();
    return std::nullopt;
}

} // namespace Rekindle
