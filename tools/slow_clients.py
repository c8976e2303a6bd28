"""What a thousand slow clients do to a daemon that runs already.

  slow_clients.py talk.flac [--port 8080] [--clients 1000] [--seconds 60]

First the daemon is left alone, then the clients come: half of them send a header byte by byte, half
the body of an upload. Who is cut off comes again. All the while /readyz is asked, and the recording
is transcribed again and again. Prints both phases beside each other as JSON.
"""

import argparse
import asyncio
import json
import pathlib
import resource
import statistics
import time

HOST = "127.0.0.1"
BOUNDARY = "slow"
PAUSE_S = 1.0  # between two bytes of a slow client
ASK_S = 0.05

HEADER = b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"x" * 1000
BODY_HEAD = (b"POST /v1/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
             b"Content-Type: multipart/form-data; boundary=slow\r\n\r\n")


async def request(port, head, body=b""):
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        writer.write(head + body)
        await writer.drain()
        return await reader.read()
    finally:
        writer.close()


def require_ok(answer):
    if not answer.startswith(b"HTTP/1.1 200"):
        raise SystemExit(answer.decode())


class SlowClients:
    """`cut_off` counts the connections that the daemon ended."""

    def __init__(self, port, count):
        self.port = port
        self.cut_off = 0
        self.tasks = [asyncio.create_task(self.run(i % 2 == 0)) for i in range(count)]

    async def run(self, is_header):
        while True:
            try:
                await self.send_slowly(is_header)
            except OSError:
                await asyncio.sleep(PAUSE_S)
            self.cut_off += 1

    async def send_slowly(self, is_header):
        reader, writer = await asyncio.open_connection(HOST, self.port)
        try:
            if not is_header:
                writer.write(BODY_HEAD)
            for byte in HEADER if is_header else b"x" * 100_000:
                writer.write(bytes([byte]))
                await writer.drain()
                try:
                    # Unlike wait_for() it never takes the end of the task for its own.
                    async with asyncio.timeout(PAUSE_S):
                        await reader.read(1000)
                    return  # an answer, or the end
                except TimeoutError:
                    pass
        finally:
            writer.close()

    async def stop(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def ask_ready(port, times):
    while True:
        began = time.perf_counter()
        answer = await request(port, b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n"
                                     b"Connection: close\r\n\r\n")
        times.append((time.perf_counter() - began) * 1e3)
        require_ok(answer)
        await asyncio.sleep(ASK_S)


async def transcribe(port, sound):
    part = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name='.encode()
    body = (part + b'"model"\r\n\r\nwhisper-1\r\n' + part
            + b'"response_format"\r\n\r\ntext\r\n' + part + b'"file"; filename="a"\r\n\r\n'
            + sound + f"\r\n--{BOUNDARY}--\r\n".encode())
    head = ("POST /v1/audio/transcriptions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    answer = await request(port, head, body)
    require_ok(answer)
    return answer.partition(b"\r\n\r\n")[2].decode()


async def transcribe_on(port, sound, texts, times):
    while True:
        began = time.perf_counter()
        texts.add(await transcribe(port, sound))
        times.append(time.perf_counter() - began)


async def phase(arguments, sound, texts, clients):
    ready, transcriptions = [], []
    slow = SlowClients(arguments.port, clients)
    tasks = [asyncio.create_task(ask_ready(arguments.port, ready)),
             asyncio.create_task(transcribe_on(arguments.port, sound, texts, transcriptions))]
    done, _ = await asyncio.wait(tasks, timeout=arguments.seconds,
                                 return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        task.cancel()
    await slow.stop()
    for task in done:
        task.result()
    ready.sort()
    return {"clients": clients, "cut_off": slow.cut_off, "readyz_asked": len(ready),
            "readyz_p50_ms": round(statistics.median(ready), 2),
            "readyz_p99_ms": round(ready[int(0.99 * (len(ready) - 1))], 2),
            "transcriptions": len(transcriptions),
            "transcription_s": round(statistics.median(transcriptions), 3)}


async def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recording", type=pathlib.Path)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * arguments.clients + 100, most), most))
    sound = arguments.recording.read_bytes()
    texts = {await transcribe(arguments.port, sound)}  # the model is loaded from here on
    rows = [await phase(arguments, sound, texts, clients) for clients in (0, arguments.clients)]
    print(json.dumps({"phases": rows, "different_texts": len(texts)}, indent=2))


if __name__ == "__main__":
    asyncio.run(main())
