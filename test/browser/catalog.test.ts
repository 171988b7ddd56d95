import { expect, it } from 'vitest';
import { freshName } from '../testkit/client.ts';
import { shipped } from '../testkit/shipped.ts';
import { seriousFaultsInBothThemes } from './chromium.ts';
import { consoleUser } from './console-user.ts';
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
  await page.getByRole('button', { name: `Delete ${metric}` }).click();
  await page.getByRole('button', { name: 'Delete the metric' }).click();
  await page.getByText(`Deleted ${metric}.`).waitFor();
  await page.getByRole('tab', { name: 'Costs' }).click();
  await page
    .getByRole('region', { name: 'Cost by Process' })
    // Other files may have loaded a tour of their own.
    .locator(`a[href$="/processes/${processId('tour')}"]`)
    .waitFor();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Runs of users').fill('-5');
  await page.getByRole('button', { name: 'Save the settings' }).click();
  await page.getByRole('alert').getByText('runRetentionDays').waitFor();
  const { settings } = await eve.query<{ settings: { runRetentionDays: number } }>(
    '{ settings { runRetentionDays } }',
  );
  expect(settings.runRetentionDays).toBeGreaterThanOrEqual(0);
  expect(faults).toEqual([]);
  await page.close();
});
