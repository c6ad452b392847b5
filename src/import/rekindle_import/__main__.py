# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""python3 rekindle_import FORMAT FILE [-o OUT] [--no-eval]: see `rekindle import --help`."""

import argparse
import importlib
import os
import resource
import signal
import stat
import sys

from output import MOST_BYTES, Failed, Import, Place, Rejected, say

FORMATS = ("compose", "pm2", "process-compose", "procfile", "supervisord", "systemd")
OUTPUT_FAILED, USAGE, UNAVAILABLE, DEFECT, CANNOT_CREATE, INVALID = 1, 64, 69, 70, 73, 78
MOST_SECONDS, MOST_MEMORY = 4, 450 * 1024 * 1024


class TooSlow(Exception):
    pass


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failed(message, USAGE)


def limit_resources():
    """The last line of defense; the readers have limits of their own."""
    def stop(*_):
        raise TooSlow
    signal.signal(signal.SIGXCPU, stop)
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 5))
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY or hard > MOST_MEMORY:
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, hard))


def read_text(path):
    """Text in UTF-8, perhaps with a byte order mark."""
    try:
        # Without blocking, because it may be a FIFO.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise Failed(f"{path}: expected a regular file, found a pipe or a device, which can be read "
                             "only once; save its contents to a file", INVALID)
            content = file.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise Failed(f"{path}: expected a file, found a folder", INVALID) from None
    except OSError as error:
        raise Failed(f"{path}: {error.strerror}", INVALID) from None
    if len(content) > MOST_BYTES:
        raise Failed(f"{path}: expected at most {MOST_BYTES} bytes, found more", INVALID)
    if b"\0" in content:
        line = content[: content.index(b"\0")].count(b"\n") + 1
        raise Rejected(Place(line), "expected text, found a null character")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Rejected(Place(1), "expected UTF-8, found invalid characters") from None


def write(output, parts, source):
    if not output:
        try:
            for part in parts:
                sys.stdout.write(part)
            sys.stdout.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise Failed(f"stdout: {error.strerror}", OUTPUT_FAILED) from None
        return
    folder = os.path.realpath(os.path.dirname(source) or ".")
    if os.path.realpath(os.path.dirname(output) or ".") != folder:
        say(f"{output}: relative paths refer to its folder, and not to {folder}; change them, or move the file")
    try:
        with open(output, "x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            try:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                os.unlink(output)
                raise
    except FileExistsError:
        raise Failed(f"{output}: the file exists and is not overwritten", CANNOT_CREATE) from None
    except OSError as error:
        raise Failed(f"{output}: {error.strerror}", CANNOT_CREATE) from None


def convert(options):
    result = Import()
    try:
        text = read_text(options.file)
        module = importlib.import_module(options.format.replace("-", ""))
        result.finish(module.convert(result, text, options.file, read_text, options))
    except Rejected as rejected:
        if rejected.text:
            result.faults.append((rejected.place, rejected.text))
    except ImportError as error:
        raise Failed(f"import {options.format} needs the Python module {error.name}; install the Debian "
                     "package python3-yaml", UNAVAILABLE) from None
    for line in result.messages(options.file):
        sys.stderr.write(line + "\n")
    if result.faults:
        return INVALID
    write(options.output, result.configuration(os.path.basename(options.file)), options.file)
    return 0


def main():
    parser = Parser(prog="rekindle import", add_help=False)
    parser.add_argument("format", choices=FORMATS)
    parser.add_argument("file")
    parser.add_argument("-o", "--output")
    parser.add_argument("--no-eval", action="store_true")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        options = parser.parse_args()
        limit_resources()
        return convert(options)
    except Failed as failed:
        say(failed.args[0])
        return failed.args[1]
    except (TooSlow, MemoryError, RecursionError):
        say(f"{options.file}: the file is too large to convert: it needs more than {MOST_SECONDS} s or "
            f"{MOST_MEMORY >> 20} MiB")
        return INVALID
    except BrokenPipeError:
        return OUTPUT_FAILED
    except Exception as error:  # a traceback does not help a user
        say(f"defect: import {options.format} failed: {type(error).__name__}: {error}; please report it "
            "with the file")
        return DEFECT


if __name__ == "__main__":
    sys.exit(main())
