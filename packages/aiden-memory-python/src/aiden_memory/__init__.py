"""A user's memory in Aiden: add, search, forget. Needs nothing but Python."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional

__all__ = ["Answer", "Hit", "Memory", "MemoryRefused", "Problem"]

_REMEMBER = """mutation ($input: RememberInput!) { remember(input: $input) {
  turn { id } userErrors { code message path } } }"""
_SEARCH = """query ($input: SearchInput!) { searchMemory(input: $input) { answerable reason
  hits { kind score why
    entity { uuid name summary } fact { uuid fact validAt }
    statement { uuid text saidAt } episode { uuid content validAt }
    tocNode { nodeId title startsAt bullets { text } } event { eventId text occurredAt } } } }"""
_FORGET = """mutation ($uuid: ID!) { forget(input: { uuid: $uuid }) {
  forgotten { uuid } userErrors { code message path } } }"""


@dataclass(frozen=True)
class Problem:
    """A problem with an argument, as the API returns it."""

    code: str
    message: str
    path: List[str]


class MemoryRefused(Exception):
    """The API refused a request; nothing was written."""

    def __init__(self, problems: List[Problem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = problems


@dataclass(frozen=True)
class Hit:
    """A hit of a search.

    `at`: when a fact began to hold, or a text was said (RFC 3339); None where it is not known.
    `score`: higher is better, comparable within one answer only.
    """

    id: str
    kind: str
    text: str
    at: Optional[str]
    score: float
    why: str


@dataclass(frozen=True)
class Answer:
    """What the memory answers to a query.

    `answerable`: whether anything known answers it; `hits` is empty where nothing does.
    `reason`: why it does or does not, in words. `hits`: best first.
    """

    answerable: bool
    reason: str
    hits: List[Hit]


class Memory:
    """One user's memory.

    `url`: the address of the API, without /graphql. `token`: the bearer token. `source`: the name
    of the program that remembers. `timeout`: seconds for one request.
    """

    def __init__(
        self, url: str, token: str, source: Optional[str] = None, timeout: float = 30.0
    ) -> None:
        self._url = url.rstrip("/") + "/graphql"
        self._token = token
        self._source = source
        self._timeout = timeout

    def add(
        self,
        text: str,
        said_at: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> str:
        """Remembers what the user said, in the user's words, and returns the id of the turn.

        `said_at`: RFC 3339, default now. With the same `idempotency_key`, a repeated call adds
        nothing.
        """
        given = {
            "text": text,
            "saidAt": said_at,
            "source": self._source,
            "idempotencyKey": idempotency_key,
        }
        turn = _done(self._ask(_REMEMBER, {"input": given})["remember"], "turn")
        return str(turn["id"])

    def search(self, query: str, limit: int = 10) -> Answer:
        """What answers the query, or that nothing does."""
        given = {"query": query, "limit": limit}
        found = self._ask(_SEARCH, {"input": given})["searchMemory"]
        hits = [hit for hit in map(_hit, found["hits"]) if hit is not None]
        return Answer(found["answerable"], found["reason"], hits)

    def forget(self, id: str) -> None:
        """Deletes a fact, a statement, or an entity with both. The messages that said it stay."""
        _done(self._ask(_FORGET, {"uuid": id})["forget"], "forgotten")

    def _ask(self, query: str, variables: Mapping[str, Any]) -> Any:
        request = urllib.request.Request(
            self._url,
            json.dumps({"query": query, "variables": variables}).encode(),
            {
                "Authorization": f"Bearer {self._token}",
                "Content-Type": "application/json",
                "Accept": "application/json",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as error:
            answer = _errors_in(error)
        problems = answer.get("errors") or []
        if problems:
            raise MemoryRefused([_problem_of(problem) for problem in problems])
        return answer["data"]


def _errors_in(error: urllib.error.HTTPError) -> Any:
    """The errors of an answer that is no success, where it has any. Raises `error` otherwise."""
    try:
        answer = json.load(error)
    except ValueError:
        raise error from None
    if not isinstance(answer, dict) or not answer.get("errors"):
        raise error
    return answer


def _problem_of(given: Mapping[str, Any]) -> Problem:
    code = given.get("code") or (given.get("extensions") or {}).get("code") or "ERROR"
    path = [str(part) for part in given.get("path") or []]
    return Problem(str(code), str(given.get("message", "")), path)


def _done(answer: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    if answer["userErrors"]:
        raise MemoryRefused([_problem_of(problem) for problem in answer["userErrors"]])
    done: Mapping[str, Any] = answer[name]
    return done


def _hit(found: Mapping[str, Any]) -> Optional[Hit]:
    """The hit; None for a kind that this version does not know."""
    fact, entity, episode = found["fact"], found["entity"], found["episode"]
    statement, node, event = found["statement"], found["tocNode"], found["event"]
    if fact:
        id, text, at = fact["uuid"], fact["fact"], fact["validAt"]
    elif statement:
        id, text, at = statement["uuid"], statement["text"], statement["saidAt"]
    elif entity:
        id, at = entity["uuid"], None
        text = ": ".join(part for part in (entity["name"], entity["summary"]) if part)
    elif episode:
        id, text, at = episode["uuid"], episode["content"], episode["validAt"]
    elif node:
        id, at = node["nodeId"], node["startsAt"]
        text = "\n".join([node["title"], *(line["text"] for line in node["bullets"])])
    elif event:
        id, text, at = event["eventId"], event["text"], event["occurredAt"]
    else:
        return None
    return Hit(id, found["kind"], text, at, found["score"], found["why"])
