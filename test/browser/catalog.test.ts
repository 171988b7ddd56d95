import { expect, it } from 'vitest';
import { PAGE_MAX } from '../../src/common/limits.ts';
import { client, freshName } from '../testkit/client.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { restService, runWorld } from '../testkit/run-world.ts';
import { shipped } from '../testkit/shipped.ts';
import { seriousFaultsInBothThemes } from './chromium.ts';
import { consoleUser, url } from './console-user.ts';
import { settled, startRun, TOUR_CONTEXT } from './tour-data.ts';

const { api: eve, at } = consoleUser('eve');

const DOCUMENT = `openapi: 3.0.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: { operationId: listPets, summary: All pets, responses: { '200': { description: ok } } }
  /pets/{id}:
    delete:
      operationId: deletePet
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: gone } }
`;

it('makes a Service from a template, and Tools from OpenAPI and from an MCP server', async () => {
  const name = freshName('pets');
  await eve.query(
    'mutation ($input: CreateServiceTemplateInput!) { createServiceTemplate(input: $input) { ' +
      'userErrors { message } } }',
    {
      input: {
        name: `${name} template`,
        type: 'REST_API',
        protocol: 'HTTP',
        requiresSecret: false,
        connectionSchema: {
          type: 'object',
          required: ['endpoint'],
          properties: { endpoint: { type: 'string', format: 'uri' } },
        },
      },
    },
  );
  const { page, faults } = await at('/catalog?view=templates');
  await page.getByRole('button', { name: `Use ${name} template` }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('tab', { name: /Services/ }).click();

  await page.getByRole('button', { name: `Import Tools of ${name}` }).click();
  await page.getByLabel('OpenAPI document').fill(DOCUMENT);
  await page.getByLabel('endpoint').fill('https://pets.example.org');
  await page.getByRole('checkbox', { name: /deletePet/ }).uncheck();
  await page.getByRole('button', { name: 'Compare with your Tools' }).click();
  const choices = page.getByRole('list', { name: 'Tools to import' });
  await choices.getByText('new', { exact: true }).waitFor();
  expect(await seriousFaultsInBothThemes(page, '.choices')).toEqual([]);
  await page.getByRole('button', { name: 'Import 1 Tool' }).click();
  await page.getByRole('link', { name: 'All pets' }).waitFor();

  await page.getByRole('button', { name: 'Import Tools of clock' }).click();
  await page.getByLabel('server').fill('clock');
  await page.getByRole('button', { name: 'Ask the server' }).click();
  await choices.getByText('new', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: /^Import \d Tool/ }).click();
  await page
    .getByText(/^Imported \d Tool/)
    .last()
    .waitFor();
  const { tools } = await eve.query<{ tools: { nodes: { name: string }[] } }>(
    '{ tools(first: 100, includeShared: false) { nodes { name } } }',
  );
  expect(tools.nodes.map((tool) => tool.name)).toContain('All pets');
  expect(tools.nodes.map((tool) => tool.name)).not.toContain('deletePet');
  expect(tools.nodes.length).toBeGreaterThan(1);
  expect(faults).toEqual([]);
  await page.close();
});

it('shows whom a change of a Tool touches before it is saved, and at a refusal', async () => {
  const rest = await openRestServer();
  const own = await runWorld(eve, rest);
  const { toolId } = own;
  const text = { type: 'string' };
  await eve.mutate('updateTool', {
    id: toolId,
    shared: true,
    outputSchema: { type: 'object', properties: { note: text, greeting: text } },
  });
  const reading = (field: string) => [
    { stepId: 'look', calls: { toolId } },
    {
      stepId: 'again',
      calls: { toolId },
      inputs: { name: `{step.look.${field}}` },
      dependsOn: ['look'],
    },
  ];
  const [reader, late, ofBob] = [freshName('reader'), freshName('late'), freshName('trip')];
  await own.createsProcess(reading('greeting'), { name: reader });
  const bob = await runWorld(client(freshName('bob')), rest);
  await bob.createsProcess(reading('greeting'), { name: ofBob });

  const { page, faults } = await at(`/catalog/tools/${toolId}/edit`);
  const callers = page.getByRole('heading', { name: 'Processes that call it' });
  const list = page.locator('section', { has: callers });
  const type = page.getByLabel('Type of greeting');
  await type.waitFor();
  expect(await callers.count()).toBe(0);
  await type.selectOption({ label: 'List' });
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name });
  await row(reader).getByText('would not fit', { exact: true }).waitFor();
  await list.getByText('1 Process of other users, of which 1 would not fit any more').waitFor();
  await list.getByText('This change cannot be saved.').waitFor();
  expect(await page.content()).not.toContain(ofBob);
  expect(await seriousFaultsInBothThemes(page, '.form-page')).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const refused = page.getByRole('alert');
  await refused.getByText(`"${reader}", 1 of other users`).waitFor();
  await list.getByText('This change cannot be saved.').waitFor({ state: 'hidden' });
  await row(reader).getByText('would not fit', { exact: true }).waitFor();

  // As it was, it touches no one.
  await type.selectOption({ label: 'Text' });
  await callers.waitFor({ state: 'hidden' });
  await page.getByLabel('Type of note').selectOption({ label: 'List' });
  await row(reader).getByText('still fits').waitFor();
  // A Process that is written meanwhile is found when the change is saved.
  await own.createsProcess(reading('note'), { name: late });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await refused.getByText(`"${late}"`).waitFor();
  await row(late).getByText('would not fit', { exact: true }).waitFor();
  await row(reader).getByText('still fits').waitFor();

  // Another tab has renamed it. What is typed here stays until one of the two is chosen.
  const renamed = freshName('renamed');
  await eve.mutate('updateTool', { id: toolId, name: renamed });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await refused.getByText('was changed meanwhile').waitFor();
  const typed = () => page.getByLabel('Name', { exact: true }).inputValue();
  expect(await typed()).not.toBe(renamed);
  const showNew = page.getByRole('button', { name: 'Show the new one' });
  // What is typed stays while the other one can not be read.
  await page.route('**/graphql', (route) =>
    /query ToolPage\(/.test(route.request().postData() ?? '')
      ? route.fulfill({ json: { data: null, errors: [{ message: 'The graph is busy.' }] } })
      : route.continue(),
  );
  await showNew.click();
  await refused.getByText('The Tool as it is now could not be read.').waitFor();
  expect(await typed()).not.toBe(renamed);
  await page.unroute('**/graphql');
  await refused.getByRole('button', { name: 'Try again' }).click();
  await refused.first().waitFor({ state: 'hidden' });
  await expect.poll(typed).toBe(renamed);

  // One's own text may be kept; a change that comes after the choice is a conflict again.
  const mine = freshName('mine');
  const name = page.getByLabel('Name', { exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await name.fill(mine);
  for (const other of ['theirs', 'later']) {
    await eve.mutate('updateTool', { id: toolId, name: freshName(other) });
    await save.click();
    await refused.getByText('was changed meanwhile').waitFor();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Saving writes over that change.').waitFor();
  }
  await save.click();
  await page.getByRole('heading', { name: mine }).waitFor();
  // One's own next change is none.
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await name.fill(`${mine} again`);
  await save.click();
  await page.getByRole('heading', { name: `${mine} again` }).waitFor();

  // Its Service stands on a later page.
  const { tool } = await eve.query<{ tool: { service: { id: string } } }>(
    'query ($id: ID!) { tool(id: $id) { service { id } } }',
    { id: toolId },
  );
  for (const _ of [1, 2]) await eve.creates('service', restService());
  await page.route('**/graphql', (route) => {
    const asked = route.request().postData() ?? '';
    return route.continue({ postData: asked.replace('services(first: 100', 'services(first: 2') });
  });
  const service = page.getByLabel('Service', { exact: true });
  for (const form of [`${toolId}/edit`, `new?service=${tool.service.id}`]) {
    await page.goto(`${url}/console/catalog/tools/${form}`);
    await service.waitFor();
    expect(await service.inputValue()).toBe(tool.service.id);
  }
  expect(faults).toEqual([]);
  await page.close();
  rest.close();
});

it('draws the metrics of a Tool, and says why a setting is refused', async () => {
  const { processId, toolId } = await shipped(eve);
  await settled(eve, await startRun(eve, processId('tour'), TOUR_CONTEXT));
  const { page, faults } = await at('/operations?view=metrics');
  await page.getByLabel('Kind').selectOption('TOOL');
  await page.getByLabel('Object').selectOption(toolId('summarise text'));
  await page.getByRole('img', { name: 'Chart of Calls' }).locator('canvas').waitFor();
  const metric = `letters_${freshName('x').replace(/\W/g, '_')}`;
  await page.getByRole('button', { name: 'New metric' }).click();
  await page.getByLabel('Name', { exact: true }).fill(metric);
  await page.getByLabel('Measures').selectOption({ label: 'A Tool' });
  await page.getByRole('button', { name: 'Make the metric' }).click();
  // A metric is renamed, copied with a new kind, and deleted.
  const choose = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose(metric, 'Change or rename');
  await page.getByLabel('Name', { exact: true }).fill(`${metric}_b`);
  const days = page.getByLabel(/^Days until a value is deleted/);
  await days.fill('30 days');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Days until a value is deleted has to be a number.').waitFor();
  await days.fill('30');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await choose(`${metric}_b`, 'Duplicate');
  await page.getByLabel('A value is', { exact: true }).selectOption({ label: 'A whole number' });
  await page.getByRole('button', { name: 'Make the metric' }).click();
  for (const name of [`${metric}_b_copy`, `${metric}_b`]) {
    await choose(name, 'Delete');
    await page.getByRole('button', { name: 'Delete the metric' }).click();
    await page.getByText(`Deleted ${name}.`).waitFor();
  }
  await page.getByRole('tab', { name: 'Times and costs' }).click();
  const figures = page.getByRole('region', { name: 'Runs by Process' });
  const tour = figures
    .getByRole('row')
    // Other files may have loaded a tour of their own.
    .filter({ has: page.locator(`a[href$="/processes/${processId('tour')}"]`) });
  await tour.getByRole('img', { name: 'Runs over time, at most 1' }).waitFor();
  const [, , runs, failed, half] = await tour.getByRole('cell').allInnerTexts();
  expect([runs, failed]).toEqual(['1', '–']);
  expect(half).toMatch(/^[\d.]+ (ms|s)$/);
  // A click sorts, the next one turns the order.
  const names = () => figures.locator('tbody').getByRole('link').allInnerTexts();
  const cells = figures.locator('tbody tr td:nth-child(3)');
  const header = figures.getByRole('columnheader', { name: 'Runs', exact: true });
  expect(await header.getAttribute('aria-sort')).toBe('descending');
  const before = await names();
  await figures.getByRole('button', { name: 'Runs' }).click();
  expect(await header.getAttribute('aria-sort')).toBe('ascending');
  expect((await cells.allInnerTexts()).map(Number)).toEqual(
    (await cells.allInnerTexts()).map(Number).toSorted((one, other) => one - other),
  );
  expect((await names()).toSorted()).toEqual(before.toSorted());
  await figures.getByRole('button', { name: '90 % within' }).click();
  await tour.getByRole('img', { name: /^90 % within over time, at most [\d.]+ (ms|s)$/ }).waitFor();
  // The arrow keys go through the tabs, around the end, and take the focus along.
  const tab = page.getByRole('tab', { name: 'Times and costs' });
  await tab.focus();
  for (const [key, name] of [
    ['ArrowRight', 'Settings'],
    ['ArrowRight', 'Overview'],
    ['ArrowLeft', 'Settings'],
    ['ArrowLeft', 'Times and costs'],
  ] as const) {
    await page.keyboard.press(key);
    const reached = page.getByRole('tab', { name, selected: true }).and(page.locator(':focus'));
    await expect.poll(() => reached.count()).toBe(1);
  }
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Runs of users').fill('-5');
  await page.getByRole('button', { name: 'Save the settings' }).click();
  await page.getByRole('alert').getByText('“Runs of users” has to be a whole number').waitFor();
  const { settings } = await eve.query<{ settings: { runRetentionDays: number } }>(
    '{ settings { runRetentionDays } }',
  );
  expect(settings.runRetentionDays).toBeGreaterThanOrEqual(0);
  expect(faults).toEqual([]);
  await page.close();
});

it('finds each Tool of more than a page, in the Catalog, a step and the metrics', async () => {
  const user = freshName('max');
  const max = client(user, { role: 'admin' });
  const service = freshName('towns');
  const serviceId = await max.creates('service', restService({ name: service }));
  const oldest = freshName('oldest');
  const oldestId = await max.creates('tool', {
    name: oldest,
    serviceId,
    connectionParams: { endpoint: 'http://127.0.0.1:9' },
    operation: { restCall: { method: 'GET', path: '/{{town}}' } },
    inputSchema: { type: 'object', properties: { town: { type: 'string' } } },
    outputSchema: {},
  });
  const newer = {
    service,
    connectionParams: { endpoint: 'http://127.0.0.1:9' },
    operation: { type: 'rest_call', method: 'GET', path: '/' },
    inputSchema: { type: 'object' },
    outputSchema: {},
  };
  const tools = Array.from({ length: PAGE_MAX }, () => ({ ...newer, name: freshName('newer') }));
  const document = JSON.stringify({ aiden: 1, tools });
  expect(await max.mutate('importBundle', { document })).toEqual({ userErrors: [] });

  const { page, faults } = await at('/catalog', user);
  const found = page.getByRole('link', { name: oldest, exact: true });
  await page
    .getByRole('link', { name: /^newer/ })
    .first()
    .waitFor();
  expect(await found.count()).toBe(0);
  await page.getByLabel('Search Tools').fill(oldest.toUpperCase());
  await found.waitFor();
  await page.getByLabel('Search Tools').fill('');
  await found.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show more' }).click();
  await found.waitFor();
  expect(await page.getByRole('link', { name: /^newer/ }).count()).toBe(PAGE_MAX);

  // A change shows in a row of a later page too.
  const row = page.getByRole('row').filter({ hasText: oldest });
  const choose = async (name: string) => {
    await row.getByRole('button', { name: `More for ${oldest}` }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Disable');
  await row.getByText('disabled', { exact: true }).waitFor();
  await choose('Enable');
  await row.getByText('disabled', { exact: true }).waitFor({ state: 'detached' });

  // Nothing is said of what needs it while that is not known.
  await page.route('**/graphql', (route) =>
    /query CatalogUses\(/.test(route.request().postData() ?? '')
      ? route.fulfill({ json: { data: null, errors: [{ message: 'The graph is busy.' }] } })
      : route.continue(),
  );
  await choose('Delete');
  const asking = page.getByRole('dialog', { name: `Delete ${oldest}?` });
  await asking.getByText('What needs this Tool could not be read.').waitFor();
  expect(await asking.getByRole('button', { name: 'Delete the Tool' }).isEnabled()).toBe(false);
  expect(await asking.getByText('Nothing calls it').count()).toBe(0);
  await page.unroute('**/graphql');
  await asking.getByRole('button', { name: 'Try again' }).click();
  await asking.getByText('Nothing calls it').waitFor();
  await asking.getByRole('button', { name: 'Leave it' }).click();

  // A later page that fails is told of, and read when it is asked for again.
  const failLater = (name: string) =>
    page.route('**/graphql', (route) => {
      const { query = '', variables } = route.request().postDataJSON() ?? {};
      return query.includes(`query ${name}(`) && variables?.after != null
        ? route.fulfill({ json: { data: null, errors: [{ message: 'The graph is busy.' }] } })
        : route.continue();
    });
  const again = page.getByRole('button', { name: 'Try again' });
  await page.goto(`${url}/console/catalog`);
  await failLater('CatalogTools');
  await page.getByRole('button', { name: 'Show more' }).click();
  const told = page.getByRole('alert');
  await told.getByText('The rest of this list could not be read. The graph is busy.').waitFor();
  expect(await seriousFaultsInBothThemes(page, '.notice')).toEqual([]);
  // The notice goes while it is asked again, so the second refusal has to be awaited.
  const refused = page.waitForResponse(async (answer) =>
    (await answer.text().catch(() => '')).includes('The graph is busy.'),
  );
  await again.click();
  await refused;
  await told.waitFor();
  await page.unroute('**/graphql');
  await again.click();
  await found.waitFor();
  await told.waitFor({ state: 'detached' });

  await failLater('ToolNames');
  await page.goto(`${url}/console/operations?view=metrics&kind=TOOL&object=${oldestId}`);
  await page.getByText('The graph is busy.').waitFor();
  await page.unroute('**/graphql');
  await again.click();
  await expect.poll(() => page.getByLabel('Object').inputValue()).toBe(oldestId);

  await page.goto(`${url}/console/processes/new?name=${freshName('towns')}`);
  await page.getByRole('button', { name: 'Add a step' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Find by a part of the name').fill(oldest.toUpperCase());
  const options = dialog.getByLabel('Calls').locator('option');
  expect(await options.allInnerTexts()).toEqual(['Choose a Tool or a Process', oldest]);
  await dialog.getByLabel('Calls').selectOption({ label: oldest });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('region', { name: /^Step/ }).getByLabel(/^town/).waitFor();
  await page.getByText('Valid', { exact: true }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('reads each Secret and Process of more than a page', async () => {
  const user = freshName('pat');
  const pat = client(user, { role: 'admin' });
  const [secret, process] = [freshName('oldest'), freshName('oldest')];
  const createAll = async (noun: 'Secret' | 'Process', inputs: readonly object[]) => {
    const named = inputs.map((_, index) => `$i${index}: Create${noun}Input!`).join(', ');
    const fields = inputs.map(
      (_, index) => `f${index}: create${noun}(input: $i${index}) { userErrors { message } }`,
    );
    const variables = inputs.map((input, index) => [`i${index}`, input]);
    const document = `mutation (${named}) { ${fields.join(' ')} }`;
    const made = await pat.query<Record<string, { userErrors: object[] }>>(
      document,
      Object.fromEntries(variables),
    );
    expect(Object.values(made).flatMap(({ userErrors }) => userErrors)).toEqual([]);
  };
  const ofSecret = (name: string) => ({ name, type: 'API_KEY', value: 'sesame-and-more' });
  const step = {
    stepId: 'sum_up',
    calls: { toolId: (await shipped(pat)).toolId('summarise text') },
    inputs: { text: 'A letter.', sentences: 1 },
    output: { variable: 'short' },
  };
  const ofProcess = (name: string) => ({
    ...{ name, initialContext: [], steps: [step] },
    outputTemplate: '{{short}}',
  });
  await createAll('Secret', [ofSecret(secret)]);
  await createAll('Process', [ofProcess(process)]);
  const names = Array.from({ length: 20 }, () => freshName('newer'));
  await createAll('Secret', names.map(ofSecret));
  for (const half of ['a', 'b'])
    await createAll(
      'Process',
      names.map((name) => ofProcess(`${name} ${half}`)),
    );
  const { page, faults } = await at('/', user);
  // Pages of ten in place of 100 and 200, so that 21 are more than one.
  await page.route('**/graphql', (route) => {
    const asked = route.request().postData() ?? '';
    return /query (?:Catalog|ProcessChoices)\(/.test(asked)
      ? route.continue({ postData: asked.replace(/\(first: [12]00, /g, '(first: 10, ') })
      : route.continue();
  });
  await page.goto(`${url}/console/catalog?view=secrets`);
  await page.getByRole('cell', { name: secret, exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Secrets 21' }).waitFor();
  await page.goto(`${url}/console/runs`);
  const filter = page.getByLabel('Process', { exact: true });
  await filter.selectOption({ label: process });
  await page.getByRole('button', { name: 'Start a run' }).first().click();
  const form = page.getByRole('dialog', { name: 'Start a run' });
  await form.getByLabel('Find by a part of the name').fill(process.toUpperCase());
  const options = form.getByLabel('Process').locator('option');
  await expect.poll(() => options.allInnerTexts()).toEqual(['Choose a Process', process]);
  await form.getByLabel('Process').selectOption({ label: process });
  await page.getByRole('dialog', { name: `Start ${process}` }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('says where there are no times and costs yet', async () => {
  const { page, faults } = await at('/operations?view=costs', freshName('new'));
  await page.getByRole('heading', { name: 'No run ended in this time' }).waitFor();
  await page.getByText('Choose a longer time above.').waitFor();
  expect(await seriousFaultsInBothThemes(page, '.empty')).toEqual([]);
  await page.getByRole('link', { name: 'Start a run' }).click();
  await page.getByRole('dialog', { name: 'Start a run' }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});
