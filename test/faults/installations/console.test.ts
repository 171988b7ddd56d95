import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../src/host/ports.ts';
import { installChromium, launch, openScreen } from '../../browser/chromium.ts';
import { client, freshName } from '../../testkit/client.ts';
import { openRestServer } from '../../testkit/rest-server.ts';
import { runWorld } from '../../testkit/run-world.ts';
import { isStackCached, nativeEnv, start } from '../../testkit/started.ts';

describe.skipIf(!isStackCached)('the console (needs java and a filled cache)', () => {
  it('keeps the page when all is killed, and follows the run again when it is back', async () => {
    installChromium();
    const data = await mkdtemp(join(tmpdir(), 'aiden-console-'));
    const port = await freePort(0, new Set());
    const url = `http://127.0.0.1:${port}`;
    const starts = async () => {
      const started = start(['--no-tour'], { ...nativeEnv(data), AIDEN_PORT: String(port) });
      await started.until('Ctrl-C stops everything');
      return started;
    };
    let started = await starts();
    const [browser, rest] = await Promise.all([launch(), openRestServer()]);
    try {
      const user = freshName('eve');
      const world = await runWorld(client(user, { url, role: 'admin' }), rest);
      const processId = await world.createsProcess(
        [{ stepId: 'draft' }, { stepId: 'send', execution: { interactionMode: 'MANUAL' } }],
        { outputTemplate: 'Sent: {{json send}}' },
      );
      const runId = await world.starts(processId);
      await world.awaits(runId, 'WAITING');
      const { page } = await openScreen(browser, { url, user, path: `/runs/${runId}` });
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await expect.poll(() => page.locator('.step-node').count()).toBe(2);

      started.child.kill('SIGKILL');
      await page.getByText('The API does not answer.').waitFor();
      expect(await page.locator('.step-node').count()).toBe(2);

      await started.exit;
      started = await starts();
      expect(started.output()).not.toMatch(/Generated a key|Loaded examples|Migrated/);
      await page.getByText('The API does not answer.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Approve' }).click();
      await expect.poll(() => page.locator('.output').innerText()).toContain('Sent:');
      await page.getByRole('tab', { name: /Events/ }).click();
      await page.getByText('harness_end').waitFor();
      expect(await page.getByText('harness_start', { exact: true }).count()).toBe(1);
    } finally {
      await Promise.all([browser.close(), rest.close()]);
      started.child.kill('SIGINT');
      await started.exit;
      await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    }
  });
});
