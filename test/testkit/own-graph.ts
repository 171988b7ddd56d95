import { userGroupOf } from '../../src/memory-graph/group.ts';
import { LABELS, RELATIONSHIP_TYPES, viewOf } from '../../src/own-graph/graph-view.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import type { Viewer } from '../../src/users/user.ts';

/**
 * Writes for each viewer two nodes of every label, whose texts begin with the viewer's name, and
 * internal properties whose text is `internal`. Edges of every type join the two, and go through
 * the nodes of the next viewer: own, foreign, own.
 * @returns a function that deletes them
 */
export async function writeOwnGraphs(graph: Graph, viewers: readonly Viewer[]) {
  const mark = `own-graph-${Date.now()}-${Math.random()}`;
  const nodes = viewers.flatMap((viewer) =>
    LABELS.flatMap((label) => [0, 1].map((index) => nodeOf(viewer, label, index, mark))),
  );
  const at = (viewer: number, index: number) => `${mark}/${viewers[viewer]?.name}/Entity/${index}`;
  const ends = viewers.flatMap((_, viewer) => {
    const next = (viewer + 1) % viewers.length;
    return [
      [at(viewer, 0), at(viewer, 1)],
      [at(viewer, 0), at(next, 0)],
      [at(next, 0), at(viewer, 1)],
    ];
  });
  const edges = ends.flatMap(([from, to]) =>
    LABELS.flatMap((label) =>
      RELATIONSHIP_TYPES.map((type) => ({
        from: from?.replace('/Entity/', `/${label}/`),
        to: to?.replace('/Entity/', `/${label}/`),
        type,
        // The fact of an edge belongs to the users of both of its ends.
        fact: `${from?.split('/')[1]} ${to?.split('/')[1]}`,
      })),
    ),
  );
  await graph.write(async (tx) => {
    await tx.run(
      `// testNodes
      UNWIND $nodes AS row CREATE (n:OwnGraphTest) SET n = row.properties, n:$(row.labels)`,
      { nodes },
    );
    await tx.run(
      `// testEdges
      UNWIND $edges AS row
      MATCH (a:OwnGraphTest {testKey: row.from}), (b:OwnGraphTest {testKey: row.to})
      CREATE (a)-[r:$(row.type)]->(b)
      SET r.fact = row.fact, r.name = row.fact, r.fact_embedding = 'internal'`,
      { edges },
    );
    await tx.run(
      `// testOwners
      UNWIND $owners AS owner
      MATCH (u:User {id: owner}), (n:OwnGraphTest {ownerId: owner})
      WHERE n:Introspection|Process|Tool|Service
      CREATE (n)-[:OWNED_BY]->(u)`,
      { owners: viewers.map(({ userId }) => userId) },
    );
    await tx.run(
      `// testSummaries
      UNWIND $owners AS owner
      MATCH (c:Conversation:OwnGraphTest {ownerId: owner}), (s:Summary:OwnGraphTest
        {ownerId: owner})
      MERGE (c)-[:HAS_SUMMARY]->(s)`,
      { owners: viewers.map(({ userId }) => userId) },
    );
    await tx.run(
      `// testSteps
      UNWIND $owners AS owner
      MATCH (p:Process:OwnGraphTest {ownerId: owner}), (s:ProcessStep:OwnGraphTest {ownerId: owner})
      MERGE (p)-[:DEFINES_STEP]->(s)`,
      { owners: viewers.map(({ userId }) => userId) },
    );
  });
  return () =>
    graph.write(async (tx) => {
      await tx.run('// testGone\nMATCH (n:OwnGraphTest {mark: $mark}) DETACH DELETE n', { mark });
    });
}

function nodeOf(viewer: Viewer, label: string, index: number, mark: string) {
  const view = viewOf(label);
  const texts = Object.fromEntries(
    (view?.properties ?? []).map((key) => [
      view?.stored[key] ?? key,
      `${viewer.name} ${label} ${key} ${index} ${mark}`,
    ]),
  );
  return {
    labels: (view?.label ?? '').split('&'),
    properties: {
      ...texts,
      ...{ ownerId: viewer.userId, owner_id: viewer.userId },
      [view?.stored['workspace'] ?? 'workspace']: viewer.workspace,
      ...{ group_id: userGroupOf(viewer.userId), owner: userGroupOf(viewer.userId) },
      ...{ store: `${viewer.userId}/${viewer.workspace}#agent`, realm: viewer.userId },
      ...{ name_embedding: 'internal', content_embedding: 'internal', ciphertext: 'internal' },
      ...{ mark, testKey: `${mark}/${viewer.name}/${label}/${index}` },
    },
  };
}
