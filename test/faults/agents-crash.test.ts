import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls, toolResultsIn } from '../testkit/agents.ts';
import { openEngine } from '../testkit/engine.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { echoTool, speakerTool, step } from '../testkit/run-steps.ts';
import { openScriptedLlm, type ScriptedLlm } from '../testkit/scripted-llm.ts';
import { spawnWorker } from '../testkit/spawn-worker.ts';
import { type Person, world } from '../testkit/world.ts';

// docs/decisions/0065: a worker may die anywhere in a loop of rounds.

let rest: RestServer;
let llm: ScriptedLlm;
let ada: Person;
beforeAll(async () => {
  [rest, llm] = await Promise.all([openRestServer(), openScriptedLlm()]);
  ({ ada } = await world());
});
afterAll(() => Promise.all([rest.close(), llm.close()]));

const ROUNDS = 6;
const KILLS = 2;
/** AIDEN_AGENT_SEEDS=50 tries 50 places of the kills. */
const SEEDS = Array.from(
  { length: Number(process.env['AIDEN_AGENT_SEEDS'] ?? 3) },
  (_, n) => n + 1,
);

/** A number from 0 to 1, the same for a seed and a place. */
function chance(seed: number, place: number): number {
  const x = Math.sin(seed * 12.9898 + place * 78.233) * 43758.5453;
  return x - Math.floor(x);
}

describe('an agent whose worker is killed', () => {
  it.concurrent.each(SEEDS)(
    'repeats no finished call and no finished question (seed %i)',
    async (seed) => {
      const engine = await openEngine({ workers: 'none' });
      const echo = await echoTool(ada, rest.origin);
      const model = `killed-${seed}`;
      const speaker = await speakerTool(ada, llm.openai, model);
      // Two calls per round; the answer of the model depends on its messages only.
      llm.answers(model, (request) => {
        const round = toolResultsIn(request).length / 2 + 1;
        return round > ROUNDS
          ? { text: `${ROUNDS} rounds.` }
          : {
              ...calls(['Echo', { q: `${seed}-${round}a` }], ['Echo', { q: `${seed}-${round}b` }]),
              delayMs: 50,
            };
      });
      const asked = step(
        'answer',
        speaker.id,
        { say: 'Go' },
        {},
        {},
        {
          tools: [{ toolId: echo.id }],
        },
      );
      const killed = await engine.createProcess(ada.viewer, {
        steps: [asked],
        outputTemplate: '{{answer}}',
      });
      const { id } = await engine.start(ada.viewer, { processId: killed.id, context: {} });
      for (let kill = 0; kill < KILLS; kill++) {
        const worker = await spawnWorker(engine);
        // From the moment at which it is ready, somewhere within a few rounds.
        await sleep(100 + chance(seed, kill) * 1_200);
        worker.kill('SIGKILL');
      }
      const worker = await spawnWorker(engine);
      const run = await engine.wait(ada.viewer, id);
      worker.kill('SIGKILL');

      expect(run).toMatchObject({ status: 'completed', output: `${ROUNDS} rounds.` });
      const steps = await engine.steps(ada.viewer, id);
      // The step, its rounds and its calls, each with one record.
      expect(steps).toHaveLength(1 + (ROUNDS + 1) + ROUNDS * 2);
      for (const { status } of steps) expect(status).toBe('completed');
      const entries = await engine.entries(id);
      const ended = entries
        .filter(({ kind, payload }) => kind === 'step.ended' && payload['status'] === 'completed')
        .map(({ payload }) => String(payload['stepId']));
      expect(ended.length).toBe(new Set(ended).size);
      expect(run.usage).toMatchObject({ llmCalls: ROUNDS + 1, toolCalls: ROUNDS * 2 });
      // Each kill loses at most the question or the calls that were in progress.
      expect(llm.requestsOf(model).length).toBeLessThanOrEqual(ROUNDS + 1 + KILLS);
      const echoed = rest.requests.filter(({ query }) => query.get('q')?.startsWith(`${seed}-`));
      expect(echoed.length).toBeLessThanOrEqual((ROUNDS + KILLS) * 2);
      expect(engine.defects).toEqual([]);
      await engine.close();
    },
  );
});
