import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { launch, openScreen, seriousFaultsInBothThemes } from './chromium.ts';

const url = process.env['AIDEN_TEST_URL'] ?? '';
const user = freshName('eve');
let browser: Browser;
let eve: TestClient;

beforeAll(async () => {
  browser = await launch();
  eve = client(user, { role: 'admin' });
});
afterAll(() => browser.close());

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
  const { page, faults } = await openScreen(browser, {
    url,
    user,
    path: '/catalog?view=templates',
  });
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
