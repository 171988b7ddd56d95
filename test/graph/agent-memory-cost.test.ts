import { afterAll, describe, expect, it } from 'vitest';
import { readTalk } from '../../bench/memory-quality/talk.ts';
import type { SummaryJobDeps } from '../../src/agent-memory/rollup/rollup.job.ts';
import { countTokens } from '../../src/common/token-budget.ts';
import { said } from '../testkit/recall-events.ts';
import { recallWorld } from '../testkit/recall-world.ts';
import { openShippedTools } from '../testkit/shipped-tools.ts';

const here = recallWorld();
const shipped = await openShippedTools();
afterAll(shipped.close);
let tokens = 0;
let calls = 0;
const summarise: SummaryJobDeps['summarise'] = async ({ text, before, sentences }) => {
  const inputs = { text, before, sentences };
  const { output, usage } = await shipped.calls('summarise talk', inputs);
  calls++;
  tokens += usage.inputTokens + usage.outputTokens;
  return String(output);
};

interface Node {
  readonly nodeId: string;
  readonly provisional: boolean;
  readonly childNodeIds: readonly string[];
  readonly bullets: readonly {
    readonly text: string;
    readonly support: number;
    readonly speakers: readonly string[];
    readonly grips: readonly { readonly gripId: string; readonly excerpt: string }[];
  }[];
  readonly children?: { readonly nodes: readonly Node[] };
}

describe('the table of contents of a talk of several days', () => {
  it('costs a model less than three times the tokens of the talk, with useful lines', async () => {
    const ada = await here.person();
    const { turns } = await readTalk('chat', 'somebody');
    const events = turns.map(({ speaker, saidAt, text }, index) => {
      const event = said(String(saidAt).slice(0, 16), text, { sessionId: 'days' });
      const timestamp = new Date(Date.parse(String(saidAt)) + index).toISOString();
      const role = { role: 'Assistant', eventType: 'AssistantMessage' };
      return { ...event, eventId: null, timestamp, ...(speaker === 'agent' ? role : {}) };
    });
    const own = turns.reduce((sum, { text }) => sum + countTokens(text), 0);
    // The talk arrives in four batches, and the jobs run in between, as they do all the time.
    const startedMs = Date.now();
    const arriving = { nowMs: () => startedMs };
    const clock = { nowMs: () => Date.now() + 60_000 };
    for (const batch of [0, 25, 50, 75]) {
      await here.ingest(ada, events.slice(batch, batch + 25));
      await here.settle({ summarise, clock: arriving }, false);
    }
    expect(calls).toBe(0);
    for (let turn = 0; turn < 3; turn++) await here.settle({ summarise, clock }, false);
    expect(tokens / own).toBeGreaterThan(0.5);
    expect(tokens / own).toBeLessThan(3);
    expect(calls).toBeLessThanOrEqual(12);
    const before = calls;
    await here.settle({ summarise, clock }, false);
    expect(calls).toBe(before);

    const below = (depth: number): string =>
      `nodeId provisional childNodeIds bullets { text support speakers grips { gripId excerpt } }
       ${depth === 0 ? '' : `children(first: 50) { nodes { ${below(depth - 1)} } }`}`;
    const { data, errors } = await here.ask(ada, `{ tocRoot { ${below(4)} } }`);
    expect(errors).toEqual([]);
    const nodes: Node[] = [];
    const walk = (node: Node): void => {
      nodes.push(node);
      node.children?.nodes.forEach(walk);
    };
    (data.tocRoot as Node[]).forEach(walk);
    expect(nodes.length).toBeGreaterThan(12);
    for (const { nodeId, provisional, bullets } of nodes) {
      expect(provisional, nodeId).toBe(false);
      expect(bullets.length, nodeId).toBeGreaterThanOrEqual(3);
      expect(bullets.length, nodeId).toBeLessThanOrEqual(7);
      expect(new Set(bullets.map(({ text }) => text)).size, nodeId).toBe(bullets.length);
      for (const { text, support, speakers, grips } of bullets) {
        expect(support, text).toBe(1);
        expect(['somebody', 'Assistant']).toContain(speakers[0]);
        expect(text).toMatch(/^(?:somebody|Assistant): "/);
        expect(text).not.toMatch(/[{}<>]|good morning|thank/i);
        const [grip] = grips;
        expect(text).toContain(grip?.excerpt);
      }
    }
    await here.passesAudit();
  });
});
