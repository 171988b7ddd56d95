"""Speaks with the agent memory over gRPC, knowing nothing but its address: the messages come from reflection.

usage: memory-client.py ADDRESS AUTHORIZATION < events.json   (prints what was answered, as JSON)
"""

import json
import sys
import time

import grpc
from google.protobuf import json_format, message_factory
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

address, authorization = sys.argv[1:3]
channel = grpc.insecure_channel(address)
database = ProtoReflectionDescriptorDatabase(channel)
pool = DescriptorPool(database)
service = pool.FindServiceByName("memory.MemoryService")


def call(name, signed_in=True, **fields):
    method = service.methods_by_name[name]
    request = json_format.ParseDict(fields, message_factory.GetMessageClass(method.input_type)())
    stub = channel.unary_unary(
        f"/{service.full_name}/{name}",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
    )
    metadata = [("authorization", authorization)] if signed_in else [("authorization", "Bearer x")]
    response = stub(request, metadata=metadata, timeout=30)
    return json_format.MessageToDict(response, preserving_proto_field_name=True)


def refused(name, **fields):
    try:
        call(name, **fields)
        return "OK"
    except grpc.RpcError as error:
        return error.code().name


events = json.load(sys.stdin)
answers = {"services": sorted(database.get_services())}
answers["ingested"] = [call("IngestEvent", event=event) for event in events]
answers["again"] = call("IngestEvent", event=events[0])
times = [int(event["timestamp_ms"]) for event in events]
span = {"from_timestamp_ms": min(times), "to_timestamp_ms": max(times) + 1}
first = call("GetEvents", limit=3, **span)
rest = call("GetEvents", token=first["next_token"], **span)
answers["events"] = first["events"] + rest["events"]

years, until = [], time.time() + 90
while not years and time.time() < until:
    years = call("GetTocRoot").get("nodes", [])
    time.sleep(0.25)
trail, node = [], years[0]
while True:
    trail.append(node)
    if node["level"] == "TOC_LEVEL_SEGMENT":
        break
    node = call("BrowseToc", parent_id=node["node_id"])["nodes"][0]
answers["trail"] = [[node["level"], node["node_id"], node["title"]] for node in trail]
answers["node"] = call("GetNode", node_id=trail[3]["node_id"], version=1)["node"]["node_id"]
grip_id = trail[-1]["bullets"][0]["grip_ids"][0]
answers["grip"] = call("ExpandGrip", grip_id=grip_id)
answers["unknown"] = [call("ExpandGrip", grip_id="grip:1:none"), call("GetNode", node_id="toc:day:1999-01-01")]
answers["refused"] = {
    "unspecified": refused("IngestEvent", event={**events[0], "event_type": 0}),
    "conflict": refused("IngestEvent", event={**events[0], "text": "something else"}),
    "bad id": refused("IngestEvent", event={**events[0], "event_id": "x"}),
    "nothing": refused("IngestEvent"),
    "unknown parent": refused("BrowseToc", parent_id="toc:day:1999-01-01"),
    "foreign token": refused("BrowseToc", parent_id=trail[0]["node_id"], token="x"),
    "too large": refused("IngestEvent", event={**events[0], "text": "x" * 10_000_000}),
    "jobs": refused("GetSchedulerStatus"),
    "a stranger": refused("GetTocRoot", signed_in=False),
}
print(json.dumps(answers))
