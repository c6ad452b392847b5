// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// The program around the host's library. Only the library uses Rekindle.

#include "killedhost.h"

int main(int argc, char **argv) { return runHostToBeKilled(argc, argv); }
