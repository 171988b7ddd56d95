import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { freePort } from '../../src/host/ports.ts';
import { client, freshName } from '../testkit/client.ts';
import { shipped } from '../testkit/shipped.ts';
import { launch, openScreen } from './chromium.ts';
import { asking, createProcess, settled, startRun } from './tour-data.ts';

const API = fileURLToPath(new URL('../testkit/api-process.ts', import.meta.url));

function startApi(port: number): Promise<ChildProcess> {
  const child = fork(API, {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, AIDEN_API_PORT: String(port), MEMORY_GRPC_PORT: '0' },
  });
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`The API ended with ${code}.`)));
  });
}

it('keeps the page when the API is killed, and follows the run again when it is back', async () => {
  const port = await freePort(0, new Set());
  const url = `http://127.0.0.1:${port}`;
  const user = freshName('eve');
  let api = await startApi(port);
  const browser = await launch();
  try {
    const eve = client(user, { role: 'admin' });
    const { toolId } = await shipped(eve);
    const processId = await createProcess(eve, asking(toolId('summarise text'), freshName('ask')));
    const runId = await startRun(eve, processId, { letter: 'The parcel arrived broken.' });
    expect(await settled(eve, runId)).toBe('WAITING');
    const { page } = await openScreen(browser, { url, user, path: `/runs/${runId}` });
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await expect.poll(() => page.locator('.step-node').count()).toBe(2);

    api.kill('SIGKILL');
    await page.getByText('The API does not answer.').waitFor();
    expect(await page.locator('.step-node').count()).toBe(2);

    api = await startApi(port);
    await page.getByText('The API does not answer.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => page.locator('.output').innerText()).toContain('Sent:');
    await page.getByRole('tab', { name: /Events/ }).click();
    await page.getByText('harness_end').waitFor();
    expect(await page.getByText('harness_start', { exact: true }).count()).toBe(1);
  } finally {
    await browser.close();
    if (api.connected) {
      const ended = new Promise((resolve) => api.once('exit', resolve));
      api.disconnect();
      await ended;
    }
  }
});
