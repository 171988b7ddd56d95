import type { Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { calls } from '../testkit/agents.ts';
import { client, freshName } from '../testkit/client.ts';
import { openGate } from '../testkit/gate.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';
import { shipped } from '../testkit/shipped.ts';
import { talkWorld, tells } from '../testkit/talk-world.ts';
import { consoleUser, url } from './console-user.ts';
import { asking, settled, startRun } from './tour-data.ts';

const { api: eve, at } = consoleUser('eve');
let processId: string;
let toolId: string;

beforeAll(async () => {
  toolId = (await shipped(eve)).toolId('summarise text');
  const [draft] = asking(toolId).steps;
  processId = await eve.creates('process', {
    name: freshName('draft'),
    initialContext: ['letter'],
    steps: [draft],
    outputTemplate: 'Draft: {{draft}}',
  });
});

it('saves a view, compares two runs, and leads to Temporal', async () => {
  const letters = ['The parcel arrived broken.', 'The parcel arrived late.'];
  for (const letter of letters) await settled(eve, await startRun(eve, processId, { letter }));
  const { page, faults } = await at('/runs');
  await page.getByLabel('Process', { exact: true }).selectOption(processId);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await page.getByLabel('Name of the view').fill('Drafts');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.goto(`${url}/console/runs`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Drafts' }).click();
  await page.waitForURL(new RegExp(`process=${processId}`));

  await expect.poll(() => page.getByRole('checkbox', { name: /^Tick (?!all)/ }).count()).toBe(2);
  await page
    .getByRole('checkbox', { name: /^Tick (?!all)/ })
    .nth(1)
    .check();
  await page
    .getByRole('checkbox', { name: /^Tick (?!all)/ })
    .nth(0)
    .check();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  const context = page.getByLabel('Differences of the context');
  await expect
    .poll(() => context.locator('.removed').innerText())
    .toContain('"letter": "The parcel arrived broken."');
  expect(await context.locator('.added').innerText()).toContain('arrived late.');
  await page.getByRole('button', { name: 'inputs, output' }).click();
  await page.getByLabel('Differences of the inputs').waitFor();

  await page
    .getByRole('link', { name: /^draft/ })
    .first()
    .click();
  const temporal = page.getByRole('link', { name: 'Open in Temporal' });
  const { processRuns } = await eve.query<{ processRuns: { nodes: { temporalUrl: string }[] } }>(
    'query ($id: ID!) { processRuns(processId: $id, last: 1) { nodes { temporalUrl } } }',
    { id: processId },
  );
  expect(await temporal.getAttribute('href')).toBe(processRuns.nodes[0]?.temporalUrl);
  expect(faults).toEqual([]);
  await page.close();
});

it('shows a run as it changes without reading the list again', async () => {
  const askingId = await eve.creates('process', asking(toolId, freshName('asking')));
  const runId = await startRun(eve, askingId, { letter: 'The parcel arrived broken.' });
  expect(await settled(eve, runId)).toBe('WAITING');
  const { page } = await at('/404');
  const asks = (name: string, data: string | null) => data?.includes(`${name}(`) === true;
  const followed = page.waitForResponse((response) =>
    asks('subscription ListChanges', response.request().postData()),
  );
  // Readings of the list are answered while it opens only.
  let isHeld = false;
  await page.route('**/graphql', (route) =>
    isHeld && asks('query Runs', route.request().postData()) ? undefined : route.continue(),
  );
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await page.getByLabel('Process', { exact: true }).selectOption(askingId);
  const row = page.locator('tbody tr.clickable');
  await row.getByText('Needs approval').waitFor();
  await followed;
  isHeld = true;
  const { resolveStep } = await eve.query<{ resolveStep: { userErrors: object[] } }>(
    'mutation ($input: ResolveStepInput!) { resolveStep(input: $input) { ' +
      'userErrors { message } } }',
    { input: { runId, stepId: 'send', decision: 'APPROVE' } },
  );
  expect(resolveStep.userErrors).toEqual([]);
  await row.getByText('Completed').waitFor();
  await page.close();
});

it('shows changes of another window in a conversation without a new read of the list', async () => {
  const name = freshName('eve');
  const other = client(name, { role: 'admin' });
  const conversationId = await tells(other, 'The Danube is long.');
  const updates = (change: object) =>
    other.query(
      'mutation ($input: UpdateConversationInput!) { updateConversation(input: $input) { ' +
        'userErrors { code } } }',
      { input: { id: conversationId, ...change } },
    );
  const { page } = await at('/404', name);
  const asks = (text: string, data: string | null) => data?.includes(text) === true;
  const followed = page.waitForResponse((response) =>
    asks('subscription ConversationChanges', response.request().postData()),
  );
  // Readings of the list are answered, except while the test holds them.
  let isHeld = false;
  const held: Route[] = [];
  await page.route('**/graphql', (route) => {
    if (!isHeld || !asks('query Conversations(', route.request().postData()))
      return route.continue();
    held.push(route);
    return undefined;
  });
  const readings = page.waitForResponse((response) =>
    asks('query Conversations(', response.request().postData()),
  );
  await page.getByRole('link', { name: 'Conversations' }).first().click();
  const row = page.locator('tbody tr.clickable');
  await row.getByText('Untitled').waitFor();
  await Promise.all([followed, readings]);
  isHeld = true;
  await updates({ title: 'Rivers' });
  await row.getByText('Rivers').waitFor();
  // One that is new here is read with the list, and one that is archived leaves it.
  isHeld = false;
  for (const route of held) await route.continue();
  await tells(other, 'The Rhine is long, too.');
  await expect.poll(() => row.count()).toBe(2);
  await updates({ status: 'ARCHIVED' });
  await row.getByText('Rivers').waitFor({ state: 'detached' });
  expect(await row.count()).toBe(1);
  await page.close();
});

it('shows that a change takes longer than half a second', async () => {
  const askingId = await eve.creates('process', asking(toolId, freshName('asking')));
  const runId = await startRun(eve, askingId, { letter: 'The parcel arrived broken.' });
  expect(await settled(eve, runId)).toBe('WAITING');
  const { page } = await at(`/runs/${runId}`);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('cancelProcessRun') === true) await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  const cancel = page.getByRole('button', { name: 'Cancel the run' });
  await cancel.click();
  await page.getByRole('progressbar', { name: 'Working' }).waitFor();
  expect(await cancel.getAttribute('aria-busy')).toBe('true');
  release();
  await page.getByText('Cancelled').first().waitFor();
  expect(await page.getByRole('progressbar', { name: 'Working' }).count()).toBe(0);
  await page.close();
});

it('runs again only the items that failed, and shows how long the runs took', async () => {
  const rest = await openRestServer();
  try {
    const tool = (await runWorld(eve, rest, '/status/{{name}}')).toolId;
    const listId = await eve.creates('process', {
      name: freshName('list'),
      initialContext: ['list'],
      steps: [
        {
          stepId: 'every',
          calls: { toolId: tool },
          inputs: { name: '{item}' },
          output: { variable: 'every' },
          execution: {
            forEach: 'context.list',
            failedItemsMax: 2,
            retry: { maximumAttempts: 1 },
          },
        },
      ],
      outputTemplate: 'done',
    });
    const runId = await startRun(eve, listId, { list: ['200', '503', '201'] });
    expect(await settled(eve, runId)).toBe('COMPLETED');
    const { page, faults } = await at(`/runs/${runId}`);
    const lost = page.locator('.notice').filter({ hasText: '1 of 3 items of every failed.' });
    await lost.getByRole('button', { name: 'Show step every' }).click();
    await page.getByRole('button', { name: 'Run the 1 failed item again' }).click();
    await page.waitForURL((at) => !at.pathname.includes(runId));
    expect(await settled(eve, new URL(page.url()).pathname.split('/').at(-1) ?? '')).toBe(
      'COMPLETED',
    );
    // The Service is probed too.
    const called = rest.requests.map(({ path }) => path).filter((path) => path !== '/');
    expect(called.sort()).toEqual(['/status/200', '/status/201', '/status/503', '/status/503']);
    await page.goto(`${url}/console/processes/${listId}?view=runs`);
    const times = page.getByRole('region', { name: 'Times and cost' });
    await times.getByText('2 ended, 0 failed').waitFor();
    await times.getByRole('img', { name: 'Chart of Duration in seconds' }).waitFor();
    expect(faults).toEqual([]);
    await page.close();
  } finally {
    await rest.close();
  }
});

it('changes how many items run at once while a run is under way', async () => {
  const gate = await openGate();
  try {
    const rest = gate as unknown as RestServer;
    const tool = (await runWorld(eve, rest, '/{{name}}')).toolId;
    const list = ['one', 'two', 'three'];
    const release = list.map((name) => gate.hold(`/${name}`));
    const asked = () => list.filter((name) => gate.asks(`/${name}`) > 0).length;
    const listId = await eve.creates('process', {
      name: freshName('list'),
      initialContext: ['list'],
      steps: [
        {
          stepId: 'every',
          calls: { toolId: tool },
          inputs: { name: '{item}' },
          output: { variable: 'every' },
          execution: { forEach: 'context.list', maxConcurrency: 1 },
        },
      ],
      outputTemplate: 'done',
    });
    const runId = await startRun(eve, listId, { list });
    await expect.poll(asked).toBe(1);
    const { page, faults } = await at(`/runs/${runId}?step=every`);
    const panel = page.getByRole('complementary', { name: 'Step every' });
    const number = panel.getByLabel('Items at once');
    expect(await number.inputValue()).toBe('1');
    await number.fill('2000');
    await panel.getByRole('button', { name: 'Change', exact: true }).click();
    await panel.getByRole('alert').filter({ hasText: 'From 1 to 1000.' }).waitFor();
    expect(asked()).toBe(1);
    await number.fill('3');
    await number.press('Enter');
    await page.getByText('Up to 3 items of every run at once.').waitFor();
    await expect.poll(asked).toBe(3);
    await page.reload();
    await expect.poll(() => number.inputValue()).toBe('3');
    for (const end of release) end();
    expect(await settled(eve, runId)).toBe('COMPLETED');
    await number.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await page.close();
  } finally {
    await gate.close();
  }
});

it('opens the steps of a sub-run in place, nested and as they change', async () => {
  const reply = await eve.creates('process', asking(toolId, freshName('reply')));
  const calling = async (name: string, called: string) =>
    eve.creates('process', {
      name: freshName(name),
      initialContext: ['letter'],
      steps: [
        {
          stepId: `to-${name}`,
          calls: { processId: called },
          inputs: { letter: '{context.letter}' },
          output: { variable: 'answer' },
        },
      ],
      outputTemplate: '{{answer}}',
    });
  const outer = await calling('outer', await calling('inner', reply));
  const runId = await startRun(eve, outer, { letter: 'The parcel arrived broken.' });
  const { page, faults } = await at(`/runs/${runId}?step=to-outer`);
  const panel = page.getByRole('complementary', { name: 'Step to-outer' });
  const opens = (text: string | RegExp) =>
    panel.locator('summary').filter({ hasText: text }).click();
  await opens(/inner/);
  await opens('to-inner');
  await opens(/reply/);
  const send = panel.locator('summary').filter({ hasText: 'send' });
  await send.getByText('Needs approval').waitFor();
  await opens('draft');
  await panel.getByLabel('Value').getByText('The parcel arrived broken.').first().waitFor();

  await page.getByRole('button', { name: /^Approve/ }).click();
  await send.getByText('Completed').waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it("opens the rounds of an agent's step, with the call that a round made", async () => {
  const rest = await openRestServer();
  const talk = await talkWorld(eve);
  try {
    const [{ toolId: greetId }, speaker] = await Promise.all([runWorld(eve, rest), talk.speaker()]);
    speaker.says([
      { text: 'Let me greet.', ...calls(['greet', { name: 'Grace Hopper' }]) },
      { text: 'Greeted.' },
    ]);
    const agentId = await eve.creates('process', {
      name: freshName('greeter'),
      initialContext: ['messages'],
      steps: [
        {
          stepId: 'answer',
          calls: { toolId: speaker.toolId },
          inputs: { messages: '{context.messages}' },
          output: { variable: 'answer' },
          tools: [{ toolId: greetId, name: 'greet' }],
        },
      ],
      outputTemplate: '{{answer}}',
    });
    const messages = [{ role: 'user', content: 'Greet Grace.' }];
    const runId = await startRun(eve, agentId, { messages });
    expect(await settled(eve, runId)).toBe('COMPLETED');
    const { page, faults } = await at(`/runs/${runId}?step=answer`);
    await page.getByText('2 rounds').waitFor();
    await page.getByText('Let me greet.').waitFor();
    const call = page.locator('details').filter({ hasText: 'greet' });
    const inputs = call.getByText('Grace Hopper').first();
    expect(await inputs.isVisible()).toBe(false);
    await call.locator('summary').click();
    await inputs.waitFor();
    expect(faults).toEqual([]);
    await page.close();
  } finally {
    await Promise.all([rest.close(), talk.close()]);
  }
});
