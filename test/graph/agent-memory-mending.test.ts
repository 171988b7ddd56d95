import { expect, it } from 'vitest';
import { settleEvents } from '../../src/agent-memory/mending/withdrawn-events.mutations.ts';
import { storeOf } from '../../src/agent-memory/store.ts';
import type { Viewer } from '../../src/users/user.ts';
import { runCypher, writeCypher } from '../testkit/graph.ts';
import { fixedSettings } from '../testkit/memory.ts';
import { migrator } from '../testkit/migrations.ts';
import { newId } from '../testkit/outbox.ts';
import { said } from '../testkit/recall-events.ts';
import { recallWorld } from '../testkit/recall-world.ts';
import { worldGraph } from '../testkit/world.ts';

// docs/decisions/0024: older versions took the product's own runs for a part of the talk.

const here = recallWorld();
const again = migrator();
const graph = worldGraph();

const agent = { role: 'Assistant', eventType: 'AssistantMessage' } as const;
const TALK = [
  said('2025-03-03T09:00', 'Ada moved to Rome in May.'),
  said('2025-03-03T09:02', 'Rome is warm in May.', agent),
  said('2025-03-03T09:04', 'Her dog Daisy stayed in Turin.'),
  said('2025-03-03T09:06', 'Turin has a park for dogs.', agent),
  said('2025-03-05T10:00', 'The move cost nine hundred euros.'),
];
/** The same, as events of another user. */
const ofAnother = () => TALK.map(({ eventId: _id, ...event }) => event);
/** Results of a background run and of its sub-run; one begins the talk, one is alone on its day. */
const ownRuns = (rootId: string, subId: string) =>
  [
    ['2025-03-03T08:59', rootId],
    ['2025-03-03T09:01', rootId],
    ['2025-03-03T09:05', subId],
    ['2025-03-04T12:00', rootId],
  ].map(([at = '', runId = '']) =>
    said(at, `The ferry to Grindelwald carries ${at.slice(-2)} lanterns.`, {
      role: 'Tool',
      eventType: 'ToolResult',
      metadata: { runId, tool: 'extract entities' },
    }),
  );

const OLD_RUNS = /* cypher */ `
  // oldRuns
  UNWIND [[$root, 0, true], [$sub, 1, null]] AS of
  CREATE (:ProcessRun {id: of[0], rootRunId: $root, depth: of[1], asksOwnersModel: of[2],
    ownerId: $ownerId})
`;

/** Title and lines of every node of the tree, from the years down. */
async function lines(viewer: Viewer): Promise<string[]> {
  const below = (depth: number): string =>
    `title bullets { text }
     ${depth === 0 ? '' : `children(first: 50) { nodes { ${below(depth - 1)} } }`}`;
  const { data, errors } = await here.ask(viewer, `{ tocRoot { ${below(4)} } }`);
  expect(errors).toEqual([]);
  interface Node {
    readonly title: string;
    readonly bullets: readonly { readonly text: string }[];
    readonly children?: { readonly nodes: readonly Node[] };
  }
  const told = ({ title, bullets, children }: Node): string[] => [
    `${title}: ${bullets.map(({ text }) => text).join(' | ')}`,
    ...(children?.nodes ?? []).flatMap(told),
  ];
  return (data.tocRoot as Node[]).flatMap(told);
}

/** Everything that is stored of the table of contents of a viewer, old versions included. */
async function stored(viewer: Viewer): Promise<string> {
  const { key: store } = storeOf(viewer, { mode: 'separate', agentId: null }, null);
  const rows = await runCypher(
    graph,
    `MATCH (n:TocNode {store: $store}) RETURN n.bullets AS text
      UNION ALL MATCH (l:TocLatest {store: $store}) RETURN l.words AS text
      UNION ALL MATCH (g:Grip {store: $store}) RETURN g.excerpt AS text`,
    { store },
  );
  return rows.map(({ text }) => String(text)).join('\n');
}

it('removes events of background runs, and their lines, from old memories, once', async () => {
  const [ada, bob] = [await here.person(), await here.person()];
  const [root, sub] = [newId(), newId()];
  await writeCypher(graph, OLD_RUNS, { root, sub, ownerId: ada.userId });
  await here.ingest(ada, [...TALK, ...ownRuns(root, sub)]);
  await here.ingest(bob, ofAnother());
  await here.settle();
  expect(await stored(ada)).toContain('Grindelwald');

  await again('140', '142');
  expect(await here.turn('memory-mending')).toBe('done');
  expect(await stored(ada)).not.toContain('Grindelwald');
  await here.settle();

  expect(await lines(ada)).toEqual(await lines(bob));
  expect(await stored(ada)).not.toContain('Grindelwald');
  const { data } = await here.ask(
    ada,
    `{ memoryEvents(from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z") { nodes { text } } }`,
  );
  expect(data.memoryEvents.nodes.map(({ text }: { text: string }) => text)).toEqual(
    TALK.map(({ text }) => text),
  );
  await here.passesAudit();

  const before = await stored(ada);
  await again('142');
  expect(await here.turn('memory-mending')).toBe('done');
  await here.settle();
  expect(await stored(ada)).toBe(before);
});

it('takes out a version of a turn that left the screen, and takes it back', async () => {
  const [ada, bob] = [await here.person(), await here.person()];
  const alternativeId = newId();
  const edited = said('2025-03-03T09:03', 'The ferry to Grindelwald is painted red.', {
    metadata: { alternativeId },
  });
  const [first] = TALK;
  await here.ingest(ada, [...TALK, edited]);
  await here.ingest(bob, ofAnother());
  await here.settle();
  const before = await lines(ada);
  expect(before.join()).toContain('Grindelwald');
  const of = { ownerId: ada.userId, conversationId: first?.sessionId ?? '' };
  const settles = (versions: { readonly gone: string[]; readonly back: string[] }) =>
    graph.write((tx) =>
      settleEvents({ ...here.deps, settings: fixedSettings({}) }, tx, of, versions),
    );

  await settles({ gone: [alternativeId], back: [] });
  expect(await here.turn('memory-mending')).toBe('done');
  await here.settle();
  expect(await lines(ada)).toEqual(await lines(bob));
  expect(await stored(ada)).not.toContain('Grindelwald');

  await settles({ gone: [], back: [alternativeId] });
  await here.settle();
  expect(await lines(ada)).toEqual(before);
});
