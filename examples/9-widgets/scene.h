// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "demoagents.h"

#include <QString>

#include <functional>

/// The arguments of an example with a window. --shoot FILE takes a screenshot of some failures.
class Scene
{
public:
    /// Reads the arguments. Exits if they are wrong, for --help, or without a display. Create it
    /// before the application.
    Scene(int argc, char **argv);

    [[nodiscard]] bool hasPicture() const { return !m_picture.isEmpty(); }
    /// Sets a dark palette, if requested.
    void setColors() const;
    /// With --shoot, damages agents, saves the image that `grab` returns, and calls `close`.
    void play(Rekindle::AgentSupervisor &supervisor, DemoAgents &agents,
              std::function<QImage()> grab, std::function<void()> close);
    /// The exit code: 1 if the requested screenshot was not written.
    [[nodiscard]] int exitCode() const { return m_isMissing ? 1 : 0; }

private:
    QString m_picture;
    bool m_isDark = false;
    bool m_isMissing = false;
};
