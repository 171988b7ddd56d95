import { describe, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';

interface Job {
  readonly name: string;
  readonly cron: string;
  readonly paused: boolean;
  readonly lastRunAt: string | null;
  readonly nextRunAt: string | null;
  readonly lastError: string | null;
  readonly backlog: number;
}
const JOBS = '{ jobs { name cron paused lastRunAt nextRunAt lastError checkpoint backlog } }';
const root = client(freshName('root'), { role: 'admin' });
const ada = client(freshName('ada'));

describe('the jobs of the product, over the API', () => {
  it('are shown to admins, and run by themselves (S2-API-02, SX-07)', async () => {
    await eventually('tool-health has run', async () => {
      const jobs = await root.one<Job[]>(JOBS);
      const health = jobs.find(({ name }) => name === 'tool-health');
      expect(health).toMatchObject({ cron: '@hourly', paused: false });
      return health?.lastRunAt != null && health.nextRunAt !== null;
    });
  });

  it('are paused, resumed and run by admins, and subscribers see it (S2-API-02)', async () => {
    const name = 'worker-cleanup';
    const seen = root.subscribeSse<{ jobEvents: Job }>(
      'subscription { jobEvents { name paused nextRunAt } }',
    );
    let told: Job | null = null;
    const first = (async () => {
      for await (const { jobEvents } of seen) {
        // In place early, a subscriber sees the pause too.
        if (jobEvents.name !== name || jobEvents.paused) continue;
        told = jobEvents;
        return;
      }
    })();
    const job = (mutation: string, of = name) =>
      root.mutate(mutation, { name: of }, 'job { name paused nextRunAt }');
    const paused = { job: { name, paused: true, nextRunAt: null }, userErrors: [] };
    expect(await job('pauseJob')).toEqual(paused);
    const refused = (code: string) => ({
      job: null,
      userErrors: [{ code, path: ['input', 'name'] }],
    });
    expect(await job('runJob')).toMatchObject(refused('STATE'));
    expect(await job('resumeJob')).toMatchObject({ job: { paused: false }, userErrors: [] });
    expect(await job('runJob')).toMatchObject({ job: { name } });
    // A subscriber gets events from the time it is in place, so events go on until it is.
    const until = Date.now() + 150_000;
    while (told === null && Date.now() < until) {
      await job('runJob');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await first;
    expect(told).toMatchObject({ name, paused: false });
    expect(await job('runJob', 'nobody')).toMatchObject(refused('NOT_FOUND'));
  });

  it('are closed to other users', async () => {
    const { errors, data } = await ada.ask(JOBS);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
    expect(data).toEqual({ jobs: null });
    for (const mutation of ['pauseJob', 'resumeJob', 'runJob'])
      expect(await ada.mutate(mutation, { name: 'tool-health' }, 'job { name }')).toMatchObject({
        job: null,
        userErrors: [{ code: 'FORBIDDEN' }],
      });
    const watching = ada.subscribeSse('subscription { jobEvents { name } }');
    await expect(watching.next()).rejects.toThrow(/FORBIDDEN/);
  });
});
