"""graphiti-core reads the groups of one user of the memory graph with its own nodes, edges and searches.

usage: graphiti-client.py < input   (input and answers are JSON; each answer has the name of its call)
"""

import asyncio
import json
import os
import sys
from datetime import datetime, timezone

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
os.environ["OPENAI_API_KEY"] = "not used"

from graphiti_core import Graphiti
from graphiti_core.driver.neo4j_driver import Neo4jDriver
from graphiti_core.edges import CommunityEdge, EntityEdge, EpisodicEdge
from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig
from graphiti_core.errors import EdgeNotFoundError, GroupsEdgesNotFoundError, NodeNotFoundError
from graphiti_core.nodes import CommunityNode, EntityNode, EpisodeType, EpisodicNode, SagaNode
from graphiti_core.search import search_config_recipes as recipes
from graphiti_core.search import search_utils as utils
from graphiti_core.search.search_config import SearchResults
from graphiti_core.search.search_filters import ComparisonOperator, DateFilter, SearchFilters

given = json.load(sys.stdin)
groups, strangers = given["groupIds"], given["otherGroupIds"]
# Made outside of a loop, or the driver would begin by making indexes.
driver = Neo4jDriver(given["uri"], given["user"], given["password"])
NOW = datetime.now(timezone.utc)
ANY = SearchFilters()
answers = {}


def shape(found):
    """Uuids in their order; a set of embeddings becomes the number of its dimensions."""
    if isinstance(found, SearchResults):
        kinds = {"nodes": found.nodes, "edges": found.edges, "episodes": found.episodes}
        return {kind: shape(things) for kind, things in kinds.items()}
    if isinstance(found, dict):
        return {uuid: len(vector) for uuid, vector in found.items()}
    if isinstance(found, (list, tuple)):
        return [shape(thing) for thing in found]
    return getattr(found, "uuid", found)


async def call(name, work):
    try:
        found = await work
    except (NodeNotFoundError, EdgeNotFoundError, GroupsEdgesNotFoundError) as error:
        answers[name] = type(error).__name__
        return []
    answers[name] = shape(found)
    return found


async def main():
    config = OpenAIEmbedderConfig(
        embedding_model=given["embeddingModel"],
        base_url=given["embeddingsUrl"],
        api_key="not used",
        embedding_dim=given["dimensions"],
    )
    graphiti = Graphiti(graph_driver=driver, embedder=OpenAIEmbedder(config))
    words = given["query"]
    vector = await graphiti.embedder.create(words)

    nodes = await call("EntityNode.get_by_group_ids", EntityNode.get_by_group_ids(driver, groups))
    edges = await call("EntityEdge.get_by_group_ids", EntityEdge.get_by_group_ids(driver, groups))
    episodes = await call(
        "EpisodicNode.get_by_group_ids", EpisodicNode.get_by_group_ids(driver, groups)
    )
    mentions = await call(
        "EpisodicEdge.get_by_group_ids", EpisodicEdge.get_by_group_ids(driver, groups)
    )
    center = next(node for node in nodes if node.uuid == given["center"])
    edge = edges[0]
    uuids = [node.uuid for node in nodes]

    # Nodes and edges by their ids, their names and each other.
    await call("EntityNode.get_by_uuid", EntityNode.get_by_uuid(driver, center.uuid))
    await call("EntityNode.get_by_uuids", EntityNode.get_by_uuids(driver, uuids))
    await call("EntityNode.get_by_names", EntityNode.get_by_names(driver, [center.name], groups))
    await call("EpisodicNode.get_by_uuid", EpisodicNode.get_by_uuid(driver, episodes[0].uuid))
    await call(
        "EpisodicNode.get_by_uuids", EpisodicNode.get_by_uuids(driver, [e.uuid for e in episodes])
    )
    await call(
        "EpisodicNode.get_by_entity_node_uuid",
        EpisodicNode.get_by_entity_node_uuid(driver, center.uuid),
    )
    await call("EntityEdge.get_by_uuid", EntityEdge.get_by_uuid(driver, edge.uuid))
    await call("EntityEdge.get_by_uuids", EntityEdge.get_by_uuids(driver, [e.uuid for e in edges]))
    await call("EntityEdge.get_by_node_uuid", EntityEdge.get_by_node_uuid(driver, center.uuid))
    await call(
        "EntityEdge.get_between_nodes",
        EntityEdge.get_between_nodes(driver, edge.source_node_uuid, edge.target_node_uuid),
    )
    await call("EpisodicEdge.get_by_uuid", EpisodicEdge.get_by_uuid(driver, mentions[0].uuid))
    await call(
        "EpisodicEdge.get_by_uuids", EpisodicEdge.get_by_uuids(driver, [m.uuid for m in mentions])
    )
    # Kinds that Aiden does not write.
    await call(
        "CommunityNode.get_by_group_ids", CommunityNode.get_by_group_ids(driver, groups)
    )
    await call(
        "CommunityEdge.get_by_group_ids", CommunityEdge.get_by_group_ids(driver, groups)
    )
    await call("SagaNode.get_by_group_ids", SagaNode.get_by_group_ids(driver, groups))
    await call("utils.get_communities_by_nodes", utils.get_communities_by_nodes(driver, nodes))
    await call(
        "utils.community_fulltext_search", utils.community_fulltext_search(driver, words, groups)
    )

    # Embeddings.
    await center.load_name_embedding(driver)
    await edge.load_fact_embedding(driver)
    answers["loaded"] = [len(center.name_embedding), len(edge.fact_embedding)]
    await call("utils.get_embeddings_for_nodes", utils.get_embeddings_for_nodes(driver, nodes))
    await call("utils.get_embeddings_for_edges", utils.get_embeddings_for_edges(driver, edges))

    # Episodes in time, and along mentions.
    await call("retrieve_episodes", graphiti.retrieve_episodes(NOW, 100, groups))
    await call(
        "retrieve_episodes of messages",
        graphiti.retrieve_episodes(NOW, 100, groups, EpisodeType.message),
    )
    await call("retrieve_episodes, the last", graphiti.retrieve_episodes(NOW, 1, groups))
    await call(
        "retrieve_episodes of long ago",
        graphiti.retrieve_episodes(datetime(2000, 1, 1, tzinfo=timezone.utc), 100, groups),
    )
    await call(
        "get_nodes_and_edges_by_episode",
        graphiti.get_nodes_and_edges_by_episode([e.uuid for e in episodes]),
    )
    await call("utils.get_mentioned_nodes", utils.get_mentioned_nodes(driver, episodes))
    await call(
        "utils.get_episodes_by_mentions",
        utils.get_episodes_by_mentions(driver, nodes, [edge]),
    )

    # Searches, one method each.
    await call(
        "utils.node_fulltext_search",
        utils.node_fulltext_search(driver, center.name, ANY, groups),
    )
    await call(
        "utils.node_similarity_search",
        utils.node_similarity_search(
            driver, await graphiti.embedder.create(center.name), ANY, groups
        ),
    )
    await call(
        "utils.node_bfs_search",
        utils.node_bfs_search(driver, [center.uuid], ANY, 2, groups),
    )
    await call(
        "utils.hybrid_node_search",
        utils.hybrid_node_search([center.name], [vector], driver, ANY, groups),
    )
    await call(
        "utils.edge_fulltext_search", utils.edge_fulltext_search(driver, edge.fact, ANY, groups)
    )
    await call(
        "utils.edge_similarity_search",
        utils.edge_similarity_search(
            driver, await graphiti.embedder.create(edge.fact), None, None, ANY, groups
        ),
    )
    await call(
        "utils.edge_bfs_search",
        utils.edge_bfs_search(driver, [center.uuid], 2, ANY, groups),
    )
    await call(
        "utils.episode_fulltext_search",
        # Its full text takes the last of several groups only.
        utils.episode_fulltext_search(driver, episodes[0].content[:60], ANY, groups[:1]),
    )
    await call("utils.get_relevant_nodes", utils.get_relevant_nodes(driver, [center], ANY))
    await call("utils.get_relevant_edges", utils.get_relevant_edges(driver, [edge], ANY))
    await call(
        "utils.get_edge_invalidation_candidates",
        utils.get_edge_invalidation_candidates(driver, [edge], ANY),
    )
    ranked, _ = await utils.node_distance_reranker(driver, uuids, center.uuid)
    answers["utils.node_distance_reranker"] = ranked
    ranked, _ = await utils.episode_mentions_reranker(driver, [uuids])
    answers["utils.episode_mentions_reranker"] = ranked

    # Searches as an application makes them.
    await call("search", graphiti.search(words, group_ids=groups))
    await call(
        "search around a node",
        graphiti.search(words, center_node_uuid=center.uuid, group_ids=groups),
    )
    for name in (
        "COMBINED_HYBRID_SEARCH_RRF",
        "COMBINED_HYBRID_SEARCH_MMR",
        "NODE_HYBRID_SEARCH_RRF",
        "NODE_HYBRID_SEARCH_EPISODE_MENTIONS",
        "EDGE_HYBRID_SEARCH_RRF",
        "EDGE_HYBRID_SEARCH_EPISODE_MENTIONS",
    ):
        await call(name, graphiti.search_(words, getattr(recipes, name), groups))
    await call(
        "Episodes of COMBINED_HYBRID_SEARCH_RRF",
        graphiti.search_(words, recipes.COMBINED_HYBRID_SEARCH_RRF, groups[:1]),
    )

    # Filters.
    def holds(operator):
        return [[DateFilter(date=NOW, comparison_operator=operator)]]

    filters = {
        "of its type": SearchFilters(edge_types=[edge.name]),
        "of another type": SearchFilters(edge_types=["NO_SUCH_TYPE"]),
        "between entities": SearchFilters(node_labels=["Entity"]),
        "created before now": SearchFilters(created_at=holds(ComparisonOperator.less_than)),
        "created after now": SearchFilters(created_at=holds(ComparisonOperator.greater_than)),
    }
    for name, search_filter in filters.items():
        await call(
            f"facts {name}", utils.edge_fulltext_search(driver, edge.fact, search_filter, groups)
        )
    # Another group has its own.
    await call("search in another group", graphiti.search(words, group_ids=strangers))
    await call(
        "COMBINED_HYBRID_SEARCH_RRF in another group",
        graphiti.search_(words, recipes.COMBINED_HYBRID_SEARCH_RRF, strangers),
    )
    await call("no such node", EntityNode.get_by_uuid(driver, "no such uuid"))

    answers["records"] = {
        "nodes": [node.model_dump(mode="json") for node in nodes],
        "edges": [one.model_dump(mode="json") for one in edges],
        "episodes": [episode.model_dump(mode="json") for episode in episodes],
        "mentions": [[m.source_node_uuid, m.target_node_uuid] for m in mentions],
        "edge": edge.uuid,
    }
    await graphiti.close()
    print(json.dumps(answers))


asyncio.run(main())
