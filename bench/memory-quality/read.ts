import { countTokens } from '../../src/common/token-budget.ts';
import type { TestClient } from '../../test/testkit/client.ts';
import type { Seen, SeenFact, SeenHit, SeenNode } from './grade.ts';
import type { Played } from './play.ts';
import type { Talk } from './talk.ts';

// Reads a memory over the public API, all that a reader can see of it.

const HITS = 10;
/** Characters of an entity's summary that a reader sees in a list of hits. */
const SUMMARY_CHARS = 200;

export async function readMemory(
  user: TestClient,
  name: string,
  talk: Talk,
  played: Played,
  /** Ids of the runs that the player asked for. */
  asked: readonly string[],
): Promise<Seen> {
  const [nodes, summaries, introspections, searches, background, events] = await Promise.all([
    readNodes(user),
    readSummaries(user, played.conversationId),
    readIntrospections(user),
    readSearches(user, talk),
    readBackground(user, asked),
    readEvents(user, talk),
  ]);
  const { entities, facts } = await readEntities(user);
  const tools = talk.turns.flatMap(({ calls }) => calls.map(({ tool }) => tool));
  return {
    speakers: [...new Set([name, 'Assistant', 'Agent', ...tools])],
    events,
    entities,
    facts,
    nodes,
    summaries,
    introspections,
    searches,
    tokens: { ...background, own: ownTokens(talk) },
  };
}

/** Tokens of all that was said and answered by Tools. */
export function ownTokens({ turns }: Talk): number {
  const texts = turns.flatMap(({ text, calls }) => [
    text,
    ...calls.map(({ answer }) => (typeof answer === 'string' ? answer : JSON.stringify(answer))),
  ]);
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}

interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
async function readAll<Node>(
  user: TestClient,
  field: (after: string) => string,
): Promise<readonly Node[]> {
  const all: Node[] = [];
  for (let after = ''; ; ) {
    const { page } = await user.query<{ page: Page<Node> }>(`{ page: ${field(after)} }`);
    all.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return all;
    after = `, after: ${JSON.stringify(page.pageInfo.endCursor)}`;
  }
}
const PAGE = 'pageInfo { hasNextPage endCursor }';

async function readEntities(user: TestClient): Promise<Pick<Seen, 'entities' | 'facts'>> {
  interface Fact extends Omit<SeenFact, 'source' | 'target' | 'relation' | 'text'> {
    readonly uuid: string;
    readonly name: string;
    readonly fact: string;
    readonly source: { readonly name: string };
    readonly target: { readonly name: string };
  }
  const entities = await readAll<{ name: string; summary: string; facts: Fact[] }>(
    user,
    (after) => `entities(first: 50${after}) { nodes { name summary
      facts { uuid name fact validAt invalidAt expiredAt source { name } target { name } } }
      ${PAGE} }`,
  );
  const facts = new Map(entities.flatMap((entity) => entity.facts.map((one) => [one.uuid, one])));
  return {
    entities: entities.map(({ name, summary }) => ({ name, summary })),
    facts: [...facts.values()].map(({ source, target, name, fact, ...dates }) => ({
      source: source.name,
      target: target.name,
      relation: name,
      text: fact,
      ...dates,
    })),
  };
}

const NODE = 'nodeId level childNodeIds bullets { text }';
interface Node {
  readonly nodeId: string;
  readonly level: string;
  readonly childNodeIds: readonly string[];
  readonly bullets: readonly { readonly text: string }[];
}
async function readNodes(user: TestClient): Promise<SeenNode[]> {
  const seen: SeenNode[] = [];
  const read = async ({ nodeId, level, childNodeIds, bullets }: Node): Promise<number> => {
    let segments = level === 'SEGMENT' ? 1 : 0;
    for (const id of childNodeIds) {
      const { tocNode } = await user.query<{ tocNode: Node | null }>(
        `query ($id: ID!) { tocNode(nodeId: $id) { ${NODE} } }`,
        { id },
      );
      if (tocNode !== null) segments += await read(tocNode);
    }
    seen.push({ nodeId, segments, bullets: bullets.map(({ text }) => text) });
    return segments;
  };
  const { tocRoot } = await user.query<{ tocRoot: Node[] }>(`{ tocRoot { ${NODE} } }`);
  for (const year of tocRoot) await read(year);
  return seen;
}

async function readSummaries(user: TestClient, id: string): Promise<string[]> {
  const { conversation } = await user.query<{ conversation: { summaries: { content: string }[] } }>(
    'query ($id: ID!) { conversation(id: $id) { summaries { content } } }',
    { id },
  );
  return conversation.summaries.map(({ content }) => content);
}

/** The notes of the carousel; an archived note is an earlier version of another. */
async function readIntrospections(user: TestClient): Promise<string[]> {
  const { introspections } = await user.query<{ introspections: { content: string }[] }>(
    '{ introspections { content } }',
  );
  return introspections.map(({ content }) => content);
}

interface Hit {
  readonly kind: string;
  readonly episode: { readonly content: string; readonly source: string } | null;
  readonly event: { readonly text: string; readonly eventType: string } | null;
  readonly fact: { readonly fact: string } | null;
  readonly entity: { readonly name: string; readonly summary: string } | null;
  readonly tocNode: { readonly bullets: readonly { readonly text: string }[] } | null;
}
async function readSearches(user: TestClient, talk: Talk): Promise<Seen['searches']> {
  const searches: { ask: string; hits: SeenHit[] }[] = [];
  for (const { ask } of talk.key.questions) {
    const { search } = await user.query<{ search: Hit[] }>(
      `query ($input: SearchInput!) { search(input: $input) { kind episode { content source }
        event { text eventType } fact { fact } entity { name summary } tocNode { bullets { text
        } } } }`,
      { input: { query: ask, limit: HITS } },
    );
    searches.push({ ask, hits: search.map((hit) => seenHit(hit, talk)) });
  }
  return searches;
}

function seenHit({ kind, episode, event, fact, entity, tocNode }: Hit, { turns }: Talk): SeenHit {
  const said = episode?.content ?? event?.text;
  if (said !== undefined) {
    // A turn's text may stand behind the name of its speaker.
    const turn = turns.find(({ text }) => said === text || said.endsWith(`: ${text}`));
    return { kind, text: said, turnId: turn?.id ?? null };
  }
  const bullets = tocNode?.bullets.map(({ text }) => text) ?? [];
  const described = `${entity?.name}: ${entity?.summary.slice(0, SUMMARY_CHARS)}`;
  const text = fact?.fact ?? (entity ? described : bullets.join('\n'));
  return { kind, text, turnId: null };
}

/** Tokens of the background runs, by Process, and of those that the player asked for. */
async function readBackground(
  user: TestClient,
  asked: readonly string[],
): Promise<Omit<Seen['tokens'], 'own'>> {
  const runs = await readAll<{
    id: string;
    processName: string;
    depth: number;
    origin: string;
    usage: { inputTokens: number; outputTokens: number };
  }>(
    user,
    (after) =>
      `processRuns(first: 200, includeSystem: true${after}) { nodes { id processName depth ` +
      `origin usage { inputTokens outputTokens } } ${PAGE} }`,
  );
  const byProcess = new Map<string, number>();
  for (const { id, processName, depth, origin, usage } of runs) {
    if (depth > 0 || origin !== 'SYSTEM') continue;
    const name = asked.includes(id) ? ASKED : processName;
    byProcess.set(name, (byProcess.get(name) ?? 0) + usage.inputTokens + usage.outputTokens);
  }
  const { [ASKED]: ofAsked = 0, ...background } = Object.fromEntries(byProcess);
  return { background, asked: ofAsked };
}
const ASKED = 'asked for';

/** The events of the agent memory, each with whether it comes from the talk or its Tools. */
async function readEvents(user: TestClient, { turns }: Talk): Promise<Seen['events']> {
  const tools = turns.flatMap(({ calls }) => calls.map(({ tool }) => tool));
  const texts = new Set(turns.map(({ text }) => text));
  const events = await readAll<{ eventType: string; text: string }>(
    user,
    (after) =>
      'memoryEvents(from: "2000-01-01T00:00:00Z", to: "2999-01-01T00:00:00Z", first: ' +
      `200${after}) { nodes { eventType text } ${PAGE} }`,
  );
  return events.map(({ eventType, text }) => ({
    text: `${eventType} ${text}`,
    isTheirs:
      text === '' ||
      texts.has(text) ||
      (eventType === 'TOOL_RESULT' && tools.some((tool) => text.startsWith(`${tool}: `))),
  }));
}
