import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { afterAll, describe, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { grpcurl, grpcurlMissing } from '../testkit/grpcurl.ts';
import { type Loaded, openMemoryRpc } from '../testkit/memory-rpc.ts';
import { askFromPython, pythonGrpcMissing } from '../testkit/python-grpc.ts';
import { said } from '../testkit/recall-events.ts';

const address = process.env['AIDEN_TEST_GRPC'] ?? '';
const { memory, call, close } = openMemoryRpc();
const health = loadSync(
  fileURLToPath(import.meta.resolve('grpc-health-check/proto/health/v1/health.proto')),
  { enums: String },
);
const healthClient = new (loadPackageDefinition(health) as Loaded).grpc.health.v1.Health(
  address,
  credentials.createInsecure(),
);
afterAll(() => {
  close();
  healthClient.close();
});

const wire = (minute: number, type: string, role: string, text: string) => {
  const { eventId, timestamp } = said(`2024-01-15T09:0${minute}`, text);
  return {
    event_id: eventId,
    session_id: 'config',
    timestamp_ms: String(Date.parse(timestamp)),
    event_type: `EVENT_TYPE_${type}`,
    role: `EVENT_ROLE_${role}`,
    text,
    metadata: { project: 'aiden' },
  };
};
const runState = () => [
  wire(0, 'SESSION_START', 'SYSTEM', ''),
  wire(1, 'USER_MESSAGE', 'USER', 'Read the config file'),
  wire(2, 'TOOL_RESULT', 'TOOL', 'Read(path="/app/config.toml")'),
  wire(3, 'ASSISTANT_MESSAGE', 'ASSISTANT', "Here's the config..."),
  wire(4, 'ASSISTANT_STOP', 'ASSISTANT', ''),
  wire(5, 'SESSION_END', 'SYSTEM', ''),
];

const SERVICES = [
  'grpc.health.v1.Health',
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
  'memory.MemoryService',
];

describe('the memory over gRPC', () => {
  it('keeps the events that GraphQL shows, by the same rules (S2-API-01, S2-API-03)', async () => {
    const ada = client(freshName('ada'));
    const [, event] = runState();
    expect(await call(ada, 'IngestEvent', { event })).toEqual({
      event_id: event?.event_id,
      created: true,
    });
    const shown = await ada.query<{ memoryEvents: { nodes: unknown[] } }>(
      `{ memoryEvents(from: "2024-01-15T00:00:00Z", to: "2024-01-16T00:00:00Z") {
        nodes { eventId sessionId occurredAt eventType role text metadata } } }`,
    );
    expect(shown.memoryEvents.nodes).toEqual([
      {
        eventId: event?.event_id,
        ...{ sessionId: 'config', occurredAt: '2024-01-15T09:01:00.000Z' },
        ...{ eventType: 'USER_MESSAGE', role: 'USER', text: 'Read the config file' },
        metadata: { project: 'aiden' },
      },
    ]);
    const bob = client(freshName('bob'));
    const span = { from_timestamp_ms: '0', to_timestamp_ms: String(Date.now()) };
    expect((await call(bob, 'GetEvents', span)).events ?? []).toEqual([]);
    const wrong = { ...event, event_type: 'EVENT_TYPE_UNSPECIFIED', session_id: '' };
    const refusal = await call(ada, 'IngestEvent', { event: wrong }).catch((error) => error);
    expect(refusal.code).toBe(3);
    const problems = JSON.parse(String(refusal.metadata.get('problems-bin')[0]));
    expect(problems.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
      'sessionId',
      'eventType',
    ]);
  });

  it('says that it is well', async () => {
    const status = await new Promise((resolve, reject) =>
      healthClient.check({ service: 'memory.MemoryService' }, (error: unknown, answer: unknown) =>
        error === null ? resolve(answer) : reject(error),
      ),
    );
    expect(status).toEqual({ status: 'SERVING' });
  });

  it('shows admins the jobs, pauses and resumes them (S2-API-02)', async () => {
    const root = client(freshName('root'), { role: 'admin' });
    const job_name = 'memory-audit';
    const { jobs } = await call(root, 'GetSchedulerStatus', {});
    expect(jobs.map(({ job_name: name }: Loaded) => name)).toEqual(
      expect.arrayContaining(['segmenter', 'segment-summarizer', 'day-rollup', 'year-rollup']),
    );
    expect((await call(root, 'PauseJob', { job_name })).job).toMatchObject({ paused: true });
    const named = async () =>
      (await call(root, 'GetSchedulerStatus', {})).jobs.find(
        ({ job_name: name }: Loaded) => name === job_name,
      );
    expect(await named()).toMatchObject({ paused: true });
    expect((await call(root, 'ResumeJob', { job_name })).job).toMatchObject({ paused: false });
    expect(await named()).toMatchObject({ paused: false });
    await expect(call(root, 'PauseJob', { job_name: 'none' })).rejects.toMatchObject({ code: 5 });
  });

  it('takes pages of at most 200, and all agents where none is named', async () => {
    const ada = client(freshName('ada'));
    const [start, message] = runState();
    await call(ada, 'IngestEvent', { event: start });
    await call(ada, 'IngestEvent', { event: { ...message, agent_id: 'coder' } });
    const span = { from_timestamp_ms: '0', to_timestamp_ms: String(Date.now()) };
    const idsOf = async (more: object) =>
      (await call(ada, 'GetEvents', { ...span, ...more })).events?.map(
        ({ event_id }: Loaded) => event_id,
      );
    expect(await idsOf({ limit: 200 })).toEqual([start?.event_id, message?.event_id]);
    expect(await idsOf({ agent_id: 'coder' })).toEqual([message?.event_id]);
    for (const limit of [201, 1_000, -1])
      await expect(idsOf({ limit })).rejects.toMatchObject({ code: 3 });
  });

  it('refuses enums that the proto has not, as a newer or older client may send them', async () => {
    const ada = client(freshName('ada'));
    const [event] = runState();
    for (const wrong of [{ event_type: 99 }, { role: 99 }, { event_type: 0 }, { role: 0 }]) {
      const refusal = call(ada, 'IngestEvent', { event: { ...event, ...wrong } });
      await expect(refusal).rejects.toMatchObject({ code: 3 });
    }
  });

  it('takes no token for the user dev, without admin, and refuses a wrong one', async () => {
    const anonymous = { authorization: '' };
    const asked = (name: string, metadata: Metadata) =>
      new Promise((resolve) =>
        memory[name]({}, metadata, (error: { code: number } | null) => resolve(error?.code ?? 0)),
      );
    expect(await asked('GetTocRoot', new Metadata())).toBe(0);
    expect(await asked('GetSchedulerStatus', new Metadata())).toBe(7);
    await expect(call(anonymous, 'GetTocRoot', {})).rejects.toMatchObject({ code: 16 });
    const wrong = { authorization: 'Bearer somebody' };
    await expect(call(wrong, 'GetTocRoot', {})).rejects.toMatchObject({ code: 16 });
  });

  const noGrpcurl = grpcurlMissing();
  const because = (why: string | null) => (why === null ? '' : `: ${why}`);
  it.skipIf(noGrpcurl !== null)(
    `is spoken by grpcurl, from reflection alone${because(noGrpcurl)} (S2-API-01)`,
    async () => {
      const { authorization } = client(freshName('ada'));
      expect((await grpcurl(address, 'list')).stdout.trim().split('\n').sort()).toEqual(SERVICES);
      const methods = await grpcurl(address, 'list', 'memory.MemoryService');
      expect(methods.stdout.trim().split('\n')).toHaveLength(9);
      const described = await grpcurl(address, 'describe', 'memory.Event');
      expect(described.stdout).toContain('map<string, string> metadata = 7;');
      expect(described.stdout).toContain('optional string agent_id = 8;');

      const say = (name: string, request: object) => {
        const sent = ['-H', `authorization: ${authorization}`, '-d', JSON.stringify(request)];
        return grpcurl(...sent, address, `memory.MemoryService/${name}`);
      };
      const [event] = runState();
      expect(JSON.parse((await say('IngestEvent', { event })).stdout)).toEqual({
        eventId: event?.event_id,
        created: true,
      });
      const span = { from_timestamp_ms: 0, to_timestamp_ms: Date.now() };
      const { events } = JSON.parse((await say('GetEvents', span)).stdout);
      expect(events).toMatchObject([{ eventId: event?.event_id, metadata: { project: 'aiden' } }]);
      const refused = await say('GetEvents', { ...span, limit: 201 });
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('InvalidArgument');
      const healthy = await grpcurl(address, 'grpc.health.v1.Health/Check');
      expect(JSON.parse(healthy.stdout)).toEqual({ status: 'SERVING' });
    },
    900_000,
  );

  const missing = pythonGrpcMissing();
  it.skipIf(missing !== null)(
    `is spoken by another language${because(missing)} (S2-API-01, S2-API-03, S2-GRIP-05)`,
    async () => {
      const ada = client(freshName('ada'));
      const events = runState();
      const answers: Loaded = await askFromPython(address, ada.authorization, events);
      expect(answers.services).toEqual(SERVICES);
      expect(answers.ingested.map(({ event_id }: Loaded) => event_id)).toEqual(
        events.map(({ event_id }) => event_id),
      );
      // proto3 leaves false out.
      expect(answers.again).toEqual({ event_id: events[0]?.event_id });
      expect(answers.events.map(({ text = '' }: Loaded) => text)).toEqual(
        events.map(({ text }) => text),
      );
      expect(answers.trail.slice(0, 4)).toEqual([
        ['TOC_LEVEL_YEAR', 'toc:year:2024', '2024'],
        ['TOC_LEVEL_MONTH', 'toc:month:2024-01', 'January 2024'],
        ['TOC_LEVEL_WEEK', 'toc:week:2024-W03', 'Jan 15-21'],
        ['TOC_LEVEL_DAY', 'toc:day:2024-01-15', 'Monday, January 15, 2024'],
      ]);
      expect(answers.node).toBe('toc:day:2024-01-15');
      const said = answers.grip.excerpt_events.map(({ text }: Loaded) => text).join('\n');
      expect(said).toContain(answers.grip.grip.excerpt);
      expect(answers.unknown).toEqual([{}, {}]);
      expect(answers.refused).toEqual({
        unspecified: 'INVALID_ARGUMENT',
        conflict: 'ALREADY_EXISTS',
        'bad id': 'INVALID_ARGUMENT',
        nothing: 'INVALID_ARGUMENT',
        'unknown parent': 'NOT_FOUND',
        'foreign token': 'INVALID_ARGUMENT',
        'too large': 'RESOURCE_EXHAUSTED',
        jobs: 'PERMISSION_DENIED',
        'a stranger': 'UNAUTHENTICATED',
      });
    },
    900_000,
  );
});
