"""A client of Python's gql: signs in over HTTP and over WebSocket, and watches a run to its end.

usage: gql-client.py URL AUTHORIZATION RUN_ID   (prints the answers as JSON)
"""

import asyncio
import json
import sys

from gql import Client, gql
from gql.transport.exceptions import TransportError
from gql.transport.httpx import HTTPXAsyncTransport
from gql.transport.websockets import WebsocketsTransport

url, authorization, run_id = sys.argv[1:4]
VIEWER = gql("{ viewer { name roles } }")
WATCH = gql("subscription ($id: ID!) { processRun(id: $id) { status output } }")
WATCH.variable_values = {"id": run_id}


def http(headers):
    return HTTPXAsyncTransport(url=url, headers=headers)


def socket(payload):
    return WebsocketsTransport(
        url=url.replace("http", "ws"),
        init_payload=payload,
        subprotocols=[WebsocketsTransport.GRAPHQLWS_SUBPROTOCOL],
    )


async def ask(transport):
    async with Client(transport=transport) as session:
        return await session.execute(VIEWER)


async def refused(transport):
    try:
        await ask(transport)
        return "OK"
    except TransportError as error:
        return f"{type(error).__name__} {error} {error.__cause__}"


async def main():
    answers = {
        "http": await ask(http({"Authorization": authorization})),
        # As written in the library's examples, with a capital letter.
        "socket": await ask(socket({"Authorization": authorization})),
        "no token": await ask(http({})),
        "wrong over http": await refused(http({"Authorization": "Bearer somebody"})),
        "wrong over a socket": await refused(socket({"Authorization": "Bearer somebody"})),
    }
    async with Client(transport=socket({"Authorization": authorization})) as session:
        answers["states"] = [state async for state in session.subscribe(WATCH)]
    print(json.dumps(answers))


asyncio.run(main())
