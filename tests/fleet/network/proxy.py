# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""A proxy between one node and the etcd members, which loses or delays replies."""

import asyncio
import threading


class Proxy:
    """`listen` and `members` are lists of addresses (host, port). Runs in a thread of its own."""

    def __init__(self, listen, members):
        self.mode = "pass"  # or "late": replies wait until the mode changes; "lost": connections end before a reply
        self._changed = None
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(listen, members, ready), daemon=True).start()
        ready.wait()

    def set_mode(self, mode):
        def change():
            self.mode = mode
            self._changed.set()
            self._changed = asyncio.Event()
        self._loop.call_soon_threadsafe(change)

    def _run(self, listen, members, ready):
        asyncio.set_event_loop(self._loop)
        self._changed = asyncio.Event()
        for (host, port), member in zip(listen, members):
            self._loop.run_until_complete(asyncio.start_server(
                lambda reader, writer, member=member: self._connect(reader, writer, member), host, port))
        ready.set()
        self._loop.run_forever()

    async def _connect(self, reader, writer, member):
        try:
            member_reader, member_writer = await asyncio.open_connection(*member)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._forward(reader, member_writer, False),
                             self._forward(member_reader, writer, True))

    async def _forward(self, reader, writer, is_reply):
        try:
            while data := await reader.read(65536):
                while is_reply and self.mode == "late":
                    await self._changed.wait()
                if is_reply and self.mode == "lost":
                    break
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()
