import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshName } from '../testkit/client.ts';
import { closing, listening } from '../testkit/listen.ts';
import { restService } from '../testkit/run-world.ts';
import { shipped } from '../testkit/shipped.ts';
import { beyondTheEdge, PHONE } from './chromium.ts';
import { consoleUser, url } from './console-user.ts';
import { asking, settled, startRun } from './tour-data.ts';

const { user, api: noa, at } = consoleUser('noa');
let towns: Server;
let address: string;
let summarise: string;

beforeAll(async () => {
  summarise = (await shipped(noa)).toolId('summarise text');
  towns = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'No such town.', code: 7 } }));
  });
  address = await listening(towns);
});
afterAll(async () => {
  await closing(towns);
});

/** A Process whose one step asks a server for a town that it does not have. */
async function lookingFor(name: string): Promise<string> {
  const toolId = await noa.creates('tool', {
    serviceId: await noa.creates('service', restService()),
    connectionParams: { endpoint: `http://${address}` },
    operation: { restCall: { method: 'GET', path: '/{{town}}' } },
    inputSchema: { type: 'object', properties: { town: { type: 'string' } } },
    outputSchema: {},
  });
  return noa.creates('process', {
    name,
    initialContext: ['town'],
    steps: [
      {
        stepId: 'look',
        calls: { toolId },
        inputs: { town: '{context.town}' },
        output: { variable: 'found' },
      },
    ],
    outputTemplate: '{{found}}',
  });
}

it('tries a text that is not saved, asks before leaving it, and drops it', async () => {
  const [draft] = asking(summarise).steps;
  const name = freshName('gist');
  const definition = { name, initialContext: ['letter'], steps: [draft] };
  const id = await noa.creates('process', { ...definition, outputTemplate: 'Gist: {{draft}}' });
  const { page, faults } = await at(`/processes/${id}`);
  await page.getByText('Valid', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const settings = page.getByRole('region', { name: 'Settings of the Process' });
  await settings.getByLabel('Output', { exact: true }).fill('In short: {{draft}}');
  await settings.getByRole('button', { name: 'Close the settings' }).click();
  await page.getByText('Not saved').waitFor();
  await page.getByRole('button', { name: 'Try it' }).click();
  const form = page.getByRole('dialog', { name: `Start ${name} (draft)` });
  await form.getByLabel('letter').fill('The parcel arrived broken.');
  await form.getByRole('button', { name: 'Start', exact: true }).click();
  // A way out of the page asks first.
  const question = page.getByRole('dialog', { name: 'Leave unsaved changes?' });
  await question.getByRole('button', { name: 'Keep the draft' }).click();
  await page.getByText('In short: The parcel arrived broken.').waitFor();

  // One step alone takes the values of that run.
  await page.goto(`${url}/console/processes/${id}?run=${page.url().split('/').at(-1)}&step=draft`);
  await page.getByText('Your unsaved changes are back.').waitFor();
  await page.getByRole('button', { name: 'Try this step' }).click();
  await question.getByRole('button', { name: 'Keep the draft' }).click();
  await page.getByText('Retry of').waitFor();
  await page.getByText('"The parcel arrived broken."').first().waitFor();

  await page.goto(`${url}/console/processes/${id}`);
  await page.getByText('Your unsaved changes are back.').waitFor();
  await page.getByRole('link', { name: 'Runs' }).click();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await page.locator('.cm-line').getByText('In short').waitFor();
  await page.getByRole('link', { name: 'Runs' }).click();
  await question.getByRole('button', { name: 'Drop the changes' }).click();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  await page.getByRole('link', { name: 'Processes' }).click();
  await page.getByRole('link', { name, exact: true }).click();
  await page.locator('.cm-line').getByText('Gist: {{draft}}').waitFor();
  const { process } = await noa.query<{ process: { version: number } }>(
    'query ($id: ID!) { process(id: $id) { version } }',
    { id },
  );
  expect(process.version).toBe(1);
  expect(faults).toEqual([]);
  await page.close();
});

it('says an error in words and opens the failed run in the editor with its values', async () => {
  const id = await lookingFor(freshName('atlas'));
  const runId = await startRun(noa, id, { town: 'Vineta' });
  await settled(noa, runId);
  const { page, faults } = await at(`/runs/${runId}`);
  await page.getByText(/answered 404: No such town\.$/).waitFor();
  await page.getByRole('link', { name: 'Open in the editor' }).click();
  const step = page.getByRole('region', { name: 'Step look' });
  await step.getByRole('heading', { name: 'In the run' }).waitFor();
  await step.getByText('"Vineta"').waitFor();
  await page.getByText('With the values of the run of').waitFor();
  await page.getByRole('button', { name: 'Hide the run' }).click();
  await step.getByRole('heading', { name: 'In the run' }).waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await page.close();
});

it('searches runs, and cancels and retries a selection after a preview', async () => {
  const askingId = await noa.creates('process', asking(summarise, freshName('letters')));
  const failingId = await lookingFor(freshName('map'));
  const word = freshName('zug');
  const waiting = await startRun(noa, askingId, { letter: `A ${word} came late.` });
  const failed = await startRun(noa, failingId, { town: word });
  await Promise.all([settled(noa, waiting), settled(noa, failed)]);
  const { page, faults } = await at('/runs');
  await page.getByLabel('Search runs').fill(word.toUpperCase());
  await page.waitForURL(/q=/);
  const ticks = page.getByRole('checkbox', { name: /^Tick (?!all)/ });
  await expect.poll(() => ticks.count()).toBe(2);
  await page.getByLabel('Time').selectOption({ label: 'The last hour' });
  await expect.poll(() => ticks.count()).toBe(2);
  await page.getByLabel('Tick all shown').check();
  await page.getByRole('button', { name: 'Cancel 1' }).click();
  const preview = page.getByRole('dialog', { name: 'Cancel these runs?' });
  await preview.getByText('It is over, and stays as it is.').waitFor();
  await preview.getByRole('button', { name: 'Cancel 1 run' }).click();
  await preview.getByText('Cancelled.').waitFor();
  await preview.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByLabel('Tick all shown').check();
  await page.getByRole('button', { name: /^Retry/ }).click();
  const again = page.getByRole('dialog', { name: 'Retry these runs?' });
  await again.getByText('from look').waitFor();
  await again.getByRole('button', { name: /^Retry \d run/ }).click();
  await again.getByText('Started again.').first().waitFor();
  // The page of the cancelled run tells that its prompt went to nobody.
  await page.goto(`${url}/console/runs/${waiting}?step=send`);
  await page.getByRole('heading', { name: 'Prompt as it would be sent' }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('starts the tour from Home and opens it live', async () => {
  const { page, faults } = await at('/', freshName('new'));
  await page.getByRole('button', { name: 'Skip the first steps' }).click();
  await page.getByRole('button', { name: 'First steps' }).click();
  await page.getByRole('button', { name: 'Start the tour' }).click();
  await page.waitForURL(/\/console\/runs\/[0-9a-f-]{36}/);
  await page.locator('.step-node').first().waitFor();
  await page.getByText('Completed', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Processes' }).click();
  await page.getByRole('link', { name: 'tour', exact: true }).first().waitFor();
  expect(await page.getByRole('link', { name: 'enrich entity' }).count()).toBe(0);
  await page.getByRole('button', { name: /internal Processes/ }).click();
  // Other tests make Processes, too: the list is a page.
  await page.getByRole('searchbox', { name: 'Search Processes' }).fill('enrich entity');
  await page.getByRole('link', { name: 'enrich entity' }).first().waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('says on a phone why a run failed, and has filters and menus', async () => {
  const id = await lookingFor(freshName('plan'));
  const runId = await startRun(noa, id, { town: 'Atlantis' });
  await settled(noa, runId);
  const { page, faults } = await at(`/runs/${runId}`);
  await page.setViewportSize(PHONE);
  await page.locator('.notice.tone-bad').first().waitFor();
  expect(await beyondTheEdge(page)).toEqual([]);
  // The reason of a failed run is on the first screen.
  const reason = await page.getByText(/answered 404: No such town\.$/).boundingBox();
  expect(reason?.y).toBeLessThan(PHONE.height / 2);
  await page.goto(`${url}/console/runs`);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('dialog', { name: 'Filters' }).getByLabel('Sub-runs').check();
  await page.getByRole('button', { name: 'Show the runs' }).click();
  await page.waitForURL(/subs=yes/);
  await page.getByRole('button', { name: 'Search or go to' }).click();
  await page.getByRole('dialog', { name: 'Search or go to' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: new RegExp(`^${user}`) }).click();
  await page.getByRole('menuitem', { name: 'Sign in as another user' }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('keeps odd names whole, and tells one of two savers of the conflict', async () => {
  const [draft] = asking(summarise).steps;
  const name = `${freshName('odd')} ${'תהליך ארוך '.repeat(14)}`.trim();
  const definition = { initialContext: ['letter'], steps: [draft], outputTemplate: '{{draft}}' };
  const id = await noa.creates('process', { ...definition, name });
  const { page } = await at(`/processes/${id}`);
  const other = await at(`/processes/${id}`);
  for (const [one, output] of [
    [page, 'First: {{draft}}'],
    [other.page, 'Second: {{draft}}'],
  ] as const) {
    await one.getByText('Valid', { exact: true }).waitFor();
    await one.getByRole('button', { name: 'Settings', exact: true }).click();
    const settings = one.getByRole('region', { name: 'Settings of the Process' });
    await settings.getByLabel('Output', { exact: true }).fill(output);
    await settings.getByLabel('Name', { exact: true }).focus();
    await one.getByText('Not saved').waitFor();
    await one.getByRole('button', { name: 'Save', exact: true }).click();
    if (one === page) await one.getByText('Saved version 2.').waitFor();
  }
  await other.page.getByText(/Version 2 was saved meanwhile/).waitFor();
  await other.page.locator('.cm-line').getByText('Second').waitFor();
  await other.page.getByRole('button', { name: 'Differences' }).click();
  const differences = other.page.getByLabel('Version 2 and your text');
  await differences.locator('.removed').getByText('First: {{draft}}').waitFor();
  await other.page.getByRole('button', { name: 'Save mine over it' }).click();
  await other.page.getByText('Saved version 3.').waitFor();

  // A name of 500 signs is refused in words, and stays in its field.
  await page.goto(`${url}/console/processes/new`);
  await page.getByLabel('Name', { exact: true }).fill('x'.repeat(500));
  await page.getByRole('button', { name: 'Go on' }).click();
  await page
    .getByText(/A name has at most 200 characters/)
    .first()
    .waitFor();
  expect(await beyondTheEdge(page)).toEqual([]);
  await page.close();
  await other.page.close();
});

it('keeps what is typed while the API is away and over a new sign-in', async () => {
  const { page } = await at('/catalog/tools/new');
  const tool = freshName('kept');
  await page.getByLabel('Service', { exact: true }).selectOption({ label: 'local-llm http' });
  await page.getByLabel('Name', { exact: true }).fill(tool);
  await page.getByLabel('endpoint').fill('http://127.0.0.1:9');
  await page.getByLabel(/^Path/).fill('/kept/{{town}}');
  await page.route('**/graphql', (route) => route.abort());
  await page.getByRole('button', { name: 'Make the Tool' }).click();
  await page.getByText(/nothing was sent/).waitFor();
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: new RegExp(`^${user}`) }).click();
  await page.getByRole('menuitem', { name: 'Sign in as another user' }).click();
  await page.getByLabel('Name, on an installation in dev').fill(user);
  await page.getByLabel(/^As an admin/).check();
  await page.getByRole('button', { name: `Continue as ${user}` }).click();
  await page.getByText('What you typed before is back.').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(tool);
  await page.getByLabel('Name of input 1').waitFor();
  await page.getByRole('button', { name: 'Make the Tool' }).click();
  await page.getByRole('heading', { name: tool }).waitFor();

  // Forms in dialogs and messages stay over a reload; the value of a Secret is kept nowhere.
  await page.goto(`${url}/console/catalog?view=secrets`);
  const newSecret = page.getByRole('button', { name: 'New Secret' }).first();
  await newSecret.click();
  await page.getByLabel('Name', { exact: true }).fill('half a key');
  await page.getByLabel('Value', { exact: true }).fill('sesame-and-more');
  await page.reload();
  await newSecret.click();
  await page.getByText('What you typed before is back.').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('half a key');
  expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('sesame');
  await page.getByRole('button', { name: 'Begin anew' }).click();
  await page.goto(`${url}/console/conversations`);
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  const box = page.getByLabel('Message', { exact: true });
  await box.fill('A letter that is not fini');
  await page.reload();
  await box.waitFor();
  expect(await box.inputValue()).toBe('A letter that is not fini');
  await page.close();
});

it('saves everything of the user as a file', async () => {
  const [draft] = asking(summarise).steps;
  const name = freshName('kept');
  const definition = { name, initialContext: ['letter'], steps: [draft], outputTemplate: 'x' };
  const id = await noa.creates('process', definition);
  const { page, faults } = await at('/memory?view=data');
  await page.getByRole('button', { name: 'Make an archive' }).click();
  const saved = page.waitForEvent('download', { timeout: 150_000 });
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^aiden-\d{4}-\d{2}-\d{2}\.jsonl\.gz$/);
  const lines = gunzipSync(await readFile(await file.path()))
    .toString()
    .trim()
    .split('\n');
  const own = lines
    .map((line): { kind: string; record: object } => JSON.parse(line))
    .filter(({ kind }) => kind === 'processes');
  expect(own.map(({ record }) => record)).toContainEqual(expect.objectContaining({ id, name }));
  expect(faults).toEqual([]);
  await page.close();
});
