import { readdir, rm, writeFile } from 'node:fs/promises';
import proto from '@temporalio/proto';
import { createIdSource } from '../../src/common/id.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { VERSION } from '../../src/main/runtime.ts';
import { newKeyRingEntry, openVault, parseKeyRing } from '../../src/platform/vault/vault.ts';
import { updateProcess } from '../../src/processes/process.mutations.ts';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import {
  cancelProcessRun,
  pauseProcessRun,
  raiseRunBudget,
  resolveStep,
  resumeProcessRun,
} from '../../src/runs/control/run-control.mutations.ts';
import type { StartProcessRun } from '../../src/runs/start/run-checks.ts';
import { calls as requests } from '../testkit/agents.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { testGraph } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { echoTool, speakerTool, step, subStep } from '../testkit/run-steps.ts';
import { openScriptedLlm, type ScriptedReply } from '../testkit/scripted-llm.ts';
import { answering, newViewer, personOf } from '../testkit/world.ts';

// Writes the histories that every later version has to replay: one of each thing a run can go
// through, all generations and sub-runs included. Run by hand against a stack, before a release:
// `node test/replay/record.ts`. Histories of other forms stay; those of this form are replaced.
// Names as arguments record these scenarios only: `node test/replay/record.ts agent agent-asks`.

const { History } = proto.temporal.api.history.v1;
const FOLDER = new URL('./histories/', import.meta.url);
/**
 * Count it up where runs write other events than before, so that the histories recorded before
 * stay.
 */
const FORM = `${VERSION}-2`;
const rest = await openRestServer();
const llm = await openScriptedLlm();
const graph = testGraph();
const clock = { nowMs: () => Date.now(), random: () => Math.random() };
const deps = {
  graph,
  clock,
  newId: createIdSource(clock),
  wake: () => {},
  toolCalls: answering,
  mcpServers: {},
  vault: openVault(parseKeyRing(newKeyRingEntry())),
};
const ada = personOf(deps, await newViewer(deps, 'ada'));
const { viewer } = ada;

const echo = await echoTool(ada, rest.origin);
const bad = await echoTool(ada, rest.origin, '/status/400');
const never = await echoTool(ada, rest.origin, '/never');
const flaky = await echoTool(ada, rest.origin, '/flaky?key=record&fails=1');
const post = await ada.createsTool({
  name: 'Post',
  connectionParams: { endpoint: rest.origin },
  operation: {
    type: 'rest_call',
    method: 'POST',
    path: '/echo',
    body: { rows: '{{rows}}' },
  } as never,
  inputSchema: { type: 'object', required: ['rows'], properties: { rows: {} } },
  outputSchema: {},
});
const speaker = await speakerTool(ada, llm.openai, 'm');

interface Scenario {
  readonly steps: object[];
  readonly template?: string;
  readonly context?: JsonObject;
  readonly start?: Partial<StartProcessRun>;
  /** Answers of the model `m`. */
  readonly says?: readonly ScriptedReply[];
  readonly meanwhile?: (engine: Engine, runId: string) => Promise<void>;
  /** Records the retry of the run, with the rounds of its agents. */
  readonly isRetried?: boolean;
}
const waiting = (engine: Engine, runId: string) => engine.wait(viewer, runId, ['waiting']);
const decide =
  (decision: 'approve' | 'reject' | 'substitute', more: object = {}) =>
  async (engine: Engine, runId: string) => {
    await waiting(engine, runId);
    await resolveStep(engine.deps, viewer, { runId, stepId: 'a', decision, ...more });
  };
const manual = [
  step('a', echo.id, { q: 'x' }, { interactionMode: 'manual' }),
  step('b', echo.id, { q: '1' }),
];
const soon = (ms = 600) => new Promise((resolve) => setTimeout(resolve, ms));

async function scenarios(engine: Engine): Promise<Record<string, Scenario>> {
  const inner = await engine.createProcess(viewer, {
    name: 'Inner',
    initialContext: ['x'],
    outputTemplate: '{{b.query.q}}',
    steps: [
      step('a', echo.id, { q: '{context.x}' }),
      step('b', echo.id, { q: '{step.a.query.q}' }),
    ],
  });
  const failing = await engine.createProcess(viewer, {
    name: 'Failing',
    steps: [step('a', bad.id, { q: '1' })],
  });
  const flakyOne = await engine.createProcess(viewer, {
    name: 'Flaky',
    steps: [step('a', flaky.id, { q: '1' }, { retry: { maximumAttempts: 1 } })],
  });
  const hanging = await engine.createProcess(viewer, {
    name: 'Hanging',
    steps: [step('a', never.id, { q: '1' })],
  });
  const asking = await engine.createProcess(viewer, { name: 'Asking', steps: manual });
  const self = await engine.createProcess(viewer, {
    name: 'Self',
    initialContext: ['n'],
    maxRecursionDepth: 2,
    steps: [step('w', echo.id, { q: '1' })],
  });
  await updateProcess(engine.deps, viewer, {
    id: self.id,
    steps: [subStep('again', self.id, { n: '{context.n}' })],
  });
  const list = Array.from({ length: 12 }, (_, n) => n);
  const rows = Array.from({ length: 4 }, (_, n) => ({ n, text: 'x'.repeat(100_000) }));
  return {
    sequence: {
      steps: [step('a', echo.id, { q: '1' }), step('b', echo.id, { q: '{step.a.query.q}' })],
      template: '{{b.query.q}}',
    },
    parallel: {
      steps: ['a', 'b', 'c'].map((id) => step(id, echo.id, { q: id }, { mode: 'parallel' })),
    },
    condition: {
      steps: [
        step('a', echo.id, { q: '1' }),
        step('b', echo.id, { q: '2' }, { condition: 'step.a.query.q == "2"' }),
        step('c', echo.id, { q: '3' }, { condition: 'step.b == null' }),
      ],
    },
    'condition-failed': {
      steps: [
        step('a', echo.id, { q: '1' }),
        step('b', echo.id, { q: '2' }, { condition: 'step.a.query.q + 1 == 2' }),
      ],
    },
    'for-each': {
      steps: [step('a', echo.id, { q: '{item}' }, { forEach: 'context.list', maxConcurrency: 3 })],
      context: { list },
    },
    'for-each-empty': {
      steps: [step('a', echo.id, { q: '{item}' }, { forEach: 'context.list' })],
      context: { list: [] },
    },
    'for-each-failed': {
      steps: [step('a', bad.id, { q: '{item}' }, { forEach: 'context.list' })],
      context: { list },
    },
    retried: {
      steps: [
        step('a', flaky.id, { q: '1' }, { retry: { maximumAttempts: 3, initialInterval: 0.05 } }),
      ],
    },
    failed: { steps: [step('a', bad.id, { q: '1' }), step('b', echo.id, { q: '1' })] },
    'failed-beside': {
      steps: [
        step('a', never.id, { q: '1' }, { mode: 'parallel' }),
        step('b', bad.id, { q: '1' }, { mode: 'parallel' }),
      ],
    },
    'went-on': {
      steps: [
        step('a', bad.id, { q: '1' }, {}, { required: false }),
        step('b', bad.id, { q: '1' }, { onFailure: 'fallback', fallback: 1 }),
        step('c', echo.id, { q: '1' }, {}, { required: false }, { dependsOn: ['a'] }),
      ],
    },
    'dependency-failed': {
      steps: [
        step('a', bad.id, { q: '1' }, {}, { required: false }),
        step('b', echo.id, { q: '1' }, {}, {}, { dependsOn: ['a'] }),
      ],
    },
    'step-timeout': {
      steps: [step('a', never.id, { q: '1' }, { timeout: 0.2, retry: { maximumAttempts: 1 } })],
    },
    'run-timeout': { steps: [step('a', never.id, { q: '1' })], start: { timeout: 0.5 } },
    'bad-template': { steps: [step('a', echo.id, { q: '1' })], template: '{{a.nothing.here}}' },
    large: {
      steps: [
        step('a', post.id, { rows: '{context.rows}' }),
        step(
          'b',
          echo.id,
          { q: '{item.n}' },
          { forEach: 'step.a.body.rows', condition: 'size(step.a.body.rows) > 0' },
        ),
      ],
      context: { rows },
    },
    cancelled: {
      steps: [step('a', never.id, { q: '1' }), step('b', echo.id, { q: '1' })],
      meanwhile: async (e, id) => {
        await soon();
        await cancelProcessRun(e.deps, viewer, { id });
      },
    },
    approved: { steps: manual, meanwhile: decide('approve') },
    'approved-otherwise': {
      steps: manual,
      meanwhile: decide('approve', { inputs: { q: 'other' } }),
    },
    rejected: { steps: manual, meanwhile: decide('reject', { note: 'no' }) },
    substituted: { steps: manual, meanwhile: decide('substitute', { output: { by: 'hand' } }) },
    'cancelled-waiting': {
      steps: manual,
      meanwhile: async (e, id) => {
        await waiting(e, id);
        await cancelProcessRun(e.deps, viewer, { id });
      },
    },
    paused: {
      steps: [
        step('a', echo.id, { q: '1' }, { interactionMode: 'manual' }),
        step('b', echo.id, { q: '2' }),
      ],
      async meanwhile(e, id) {
        await waiting(e, id);
        await pauseProcessRun(e.deps, viewer, { id });
        await resolveStep(e.deps, viewer, { runId: id, stepId: 'a', decision: 'approve' });
        await soon();
        await resumeProcessRun(e.deps, viewer, { id });
      },
    },
    'sub-process': {
      steps: [subStep('s', inner.id, { x: '{context.w}' }), step('t', echo.id, { q: '{step.s}' })],
      context: { w: 'hi' },
    },
    'sub-processes': {
      steps: [subStep('s', inner.id, { x: '{item}' }, { forEach: '["p", "q"]' })],
    },
    'sub-process-items': {
      steps: [subStep('s', inner.id, { x: '{item}' }, { forEach: '["p", "q"]' })],
    },
    'sub-process-failed': { steps: [subStep('s', failing.id, {})] },
    'sub-process-went-on': { steps: [subStep('s', failing.id, {}, {}, { required: false })] },
    'sub-process-retried': {
      steps: [
        subStep('s', flakyOne.id, {}, { retry: { maximumAttempts: 2, initialInterval: 0.05 } }),
      ],
    },
    'sub-process-timeout': { steps: [subStep('s', hanging.id, {}, { timeout: 0.5 })] },
    'sub-process-cancelled': {
      steps: [subStep('s', hanging.id, {})],
      meanwhile: async (e, id) => {
        await soon(1_500);
        await cancelProcessRun(e.deps, viewer, { id });
      },
    },
    'sub-process-asks': {
      steps: [subStep('s', asking.id, {})],
      async meanwhile(e, id) {
        let found: { id: string } | undefined;
        while (found === undefined) {
          await soon(100);
          const rows = await e.graph.read((tx) =>
            tx.run(
              '// recordApproval\n MATCH (a:OpenApproval {rootRunId: $id}) RETURN a.runId AS id',
              { id },
            ),
          );
          found = rows[0] as { id: string } | undefined;
        }
        await resolveStep(e.deps, viewer, { runId: found.id, stepId: 'a', decision: 'approve' });
      },
    },
    recursion: { steps: [subStep('s', self.id, { n: 1 })] },
    budget: {
      steps: [step('a', speaker.id, { say: '1' }), step('b', speaker.id, { say: '2' })],
      start: { budget: { tokens: 220 } },
      async meanwhile(e, id) {
        const { status } = await e.wait(viewer, id, ['waiting', 'completed', 'failed']);
        if (status === 'waiting')
          await raiseRunBudget(e.deps, viewer, { runId: id, budget: { tokens: 5_000 } });
      },
    },
    agent: {
      steps: [
        step('a', speaker.id, { say: '1' }, { timeout: 50 }, {}, { tools: [{ toolId: echo.id }] }),
      ],
      template: '{{a}}',
      says: [
        requests(['Echo', { q: '1' }], ['Echo', { q: '2' }], ['Unknown', {}]),
        requests(['Echo', { q: '3' }]),
        { text: 'done' },
      ],
    },
    'agent-asks': {
      steps: [
        step(
          'a',
          speaker.id,
          { say: '1' },
          {},
          {},
          {
            tools: [{ toolId: post.id }, { processId: inner.id }],
            agent: { approvalTimeout: 2 },
          },
        ),
      ],
      says: [
        requests(['Post', { rows: 1 }], ['Inner', { x: 'w' }]),
        requests(['Post', { rows: 2 }]),
        requests(['Post', { rows: 3 }]),
        { text: 'done' },
      ],
      async meanwhile(e, runId) {
        // The first request is rejected by time; the second one allows the third.
        await eventually('the second request', async () =>
          (await e.steps(viewer, runId)).some(
            ({ stepId, status }) => stepId === 'a~2.0.Post' && status === 'waiting',
          ),
        );
        const decided = { runId, stepId: 'a~2.0.Post', decision: 'approve', allowForRun: true };
        await resolveStep(e.deps, viewer, decided as Parameters<typeof resolveStep>[2]);
      },
    },
    // The provider refuses the third question; the retry keeps the two rounds before it.
    'agent-kept': {
      steps: [step('a', speaker.id, { say: '1' }, {}, {}, { tools: [{ toolId: echo.id }] })],
      template: '{{a}}',
      says: [
        requests(['Echo', { q: '1' }]),
        requests(['Echo', { q: '2' }]),
        { status: 401, errorMessage: 'No such key.' },
        { text: 'done' },
      ],
      isRetried: true,
    },
    'agent-stopped': {
      steps: [
        step(
          'a',
          speaker.id,
          { say: '1' },
          {},
          {},
          {
            tools: [{ toolId: echo.id }],
            agent: { maxRounds: 2 },
          },
        ),
      ],
      says: [requests(['Echo', { q: '1' }]), requests(['Echo', { q: '2' }])],
    },
  };
}

const LONG = [
  'sequence',
  'for-each',
  'parallel',
  'approved',
  'sub-processes',
  'sub-process',
  'sub-process-items',
  'large',
  'went-on',
  'agent',
  'agent-asks',
];

/** The retry of a failed run, which keeps the rounds of its agents. @returns its id */
async function retry(engine: Engine, runId: string): Promise<string> {
  const { id } = await retryProcessRun(engine.deps, viewer, { runId, keepRounds: true });
  await engine.launch(id);
  await engine.wait(viewer, id);
  return id;
}

/** The name of a worker, or of its own queue: `<process id>@<host>…`. */
const isWorker = (value: unknown) => typeof value === 'string' && /^\d+@\S+$/.test(value);

async function record(engine: Engine, name: string, scenario: Scenario): Promise<number> {
  llm.script(
    scenario.says ?? [
      { text: 'one', usage: { input: 60, output: 60 } },
      { text: 'two', usage: { input: 60, output: 60 } },
    ],
    'm',
  );
  const { steps, template = '', context = {}, start = {}, meanwhile, isRetried } = scenario;
  const process = await engine.createProcess(viewer, {
    name,
    initialContext: Object.keys(context),
    steps,
    outputTemplate: template,
  });
  const started = await engine.start(viewer, { processId: process.id, context, ...start });
  await meanwhile?.(engine, started.id);
  await engine.wait(viewer, started.id);
  const id = isRetried ? await retry(engine, started.id) : started.id;
  await soon();
  const rows = await engine.graph.read((tx) =>
    tx.run('// recordTree\n MATCH (r:ProcessRun {rootRunId: $id}) RETURN r.id AS id ORDER BY id', {
      id,
    }),
  );
  let count = 0;
  const { workflow } = engine.temporal.client;
  for (const { id: runId } of rows) {
    for await (const { workflowId, runId: generation } of workflow.list({
      query: `WorkflowId STARTS_WITH "${String(runId)}"`,
    })) {
      const history = await workflow.getHandle(workflowId, generation).fetchHistory();
      // The SDK's own historyToJSON needs one copy of protobufjs; this form needs none, and
      // fromObject reads it.
      const plain = History.toObject(History.fromObject(history), { longs: String, bytes: String });
      // Names of users and machines, and paths in stack traces, are removed.
      const text = JSON.stringify(plain, (key, value: unknown) =>
        key === 'stackTrace' ? '' : key === 'identity' || isWorker(value) ? 'worker' : value,
      );
      await writeFile(new URL(`${FORM}-${name}-${count}.json`, FOLDER), text);
      count++;
    }
  }
  return count;
}

const only = process.argv.slice(2);
const isWanted = (name: string) => only.length === 0 || only.includes(name);
const old = (await readdir(FOLDER)).filter((file) => {
  const [, name = ''] = file.startsWith(`${FORM}-`)
    ? (/^(.*)-\d+\.json$/.exec(file.slice(FORM.length + 1)) ?? [])
    : [];
  return name !== '' && isWanted(name.replace(/-continued$/, ''));
});
await Promise.all(old.map((file) => rm(new URL(file, FOLDER))));
let total = 0;
for (const [suffix, options] of [
  ['', {}],
  ['-continued', { continueAfterEvents: 10 }],
] as const) {
  const engine = await openEngine(options);
  for (const [name, scenario] of Object.entries(await scenarios(engine))) {
    if (!isWanted(name) || (suffix !== '' && !LONG.includes(name))) continue;
    const count = await record(engine, `${name}${suffix}`, scenario);
    console.log(`${name}${suffix}: ${count}`);
    total += count;
  }
  await engine.close();
}
console.log(`${total} histories`);
process.exit(0);
