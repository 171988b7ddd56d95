"""Starts the Process chat and follows the run to its output. Needs nothing but Python."""

import json
import os
import urllib.request

URL = os.environ.get("AIDEN_URL", "http://127.0.0.1:4000") + "/graphql"
TOKEN = os.environ["AIDEN_TOKEN"]


def send(query, variables, accept):
    body = json.dumps({"query": query, "variables": variables}).encode()
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Content-Type": "application/json",
        "Accept": accept,
    }
    return urllib.request.urlopen(urllib.request.Request(URL, body, headers))


def ask(query, **variables):
    with send(query, variables, "application/json") as response:
        answer = json.load(response)
    if "errors" in answer:
        raise RuntimeError(answer["errors"])
    return answer["data"]


def follow(query, **variables):
    """Yields the data of each event of a subscription, over server-sent events."""
    with send(query, variables, "text/event-stream") as stream:
        for line in stream:
            if line.startswith(b"data: {"):
                yield json.loads(line[6:])["data"]


found = ask('{ processes(name: "chat") { nodes { id } } }')
messages = [{"role": "user", "content": "Ada lives in Turin. Where does Ada live?"}]
started = ask(
    """mutation ($input: StartProcessRunInput!) {
      startProcessRun(input: $input) { run { id } userErrors { message path } }
    }""",
    input={"processId": found["processes"]["nodes"][0]["id"], "context": {"messages": messages}},
)["startProcessRun"]
if started["userErrors"]:
    raise SystemExit(started["userErrors"])
run = "subscription ($id: ID!) { processRun(id: $id) { status output error { message } } }"
for event in follow(run, id=started["run"]["id"]):
    state = event["processRun"]
print(state["status"], state["output"])
