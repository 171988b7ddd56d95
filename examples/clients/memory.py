"""Remembers what a user said, and finds it again."""

import os
import time

from aiden_memory import Memory

url = os.environ.get("AIDEN_URL", "http://127.0.0.1:4000")
memory = Memory(url, token=os.environ["AIDEN_TOKEN"], source="my-agent")
memory.add("My sister Ronja leads the tests at Haller.")
for _ in range(20):
    answer = memory.search("Who leads the tests?", limit=3)
    if answer.answerable:
        print(answer.hits[0].kind, answer.hits[0].at, answer.hits[0].text)
        break
    time.sleep(0.5)
