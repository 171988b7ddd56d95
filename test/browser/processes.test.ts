import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { shipped } from '../testkit/shipped.ts';
import { launch, openScreen } from './chromium.ts';
import { asking, createProcess } from './tour-data.ts';

const url = process.env['AIDEN_TEST_URL'] ?? '';
const user = freshName('eve');
let browser: Browser;
let eve: TestClient;

beforeAll(async () => {
  browser = await launch();
  eve = client(user, { role: 'admin' });
});
afterAll(() => browser.close());

it('edits a Process by its graph, completes, mends, compares versions and schedules it', async () => {
  const { toolId } = await shipped(eve);
  const id = await createProcess(eve, asking(toolId('summarise text'), freshName('graph')));
  const { page, faults } = await openScreen(browser, { url, user, path: `/processes/${id}` });

  await page.getByText('Valid', { exact: true }).waitFor();

  // A step from the graph, with its inputs from the schema of its Tool.
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByLabel('Calls').selectOption({ label: 'summarise text' });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const form = page.getByRole('region', { name: 'Step summarise_text' });
  await form.getByLabel('text', { exact: true }).fill('{step.drafft}');
  await form.getByLabel('draft').check();
  await expect.poll(() => page.locator('.step-node').count()).toBe(3);
  await page.getByText('Did you mean "draft"?').waitFor();
  await page.getByRole('button', { name: 'Write draft' }).last().click();
  await page.getByText('Valid', { exact: true }).waitFor();

  // Completion of a reference, in the text.
  const editor = page.getByLabel('Definition, as YAML');
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('# {context.');
  await page.locator('.cm-tooltip-autocomplete').getByText('letter').click();
  await page.locator('.cm-line').getByText('# {context.letter').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved version 2.').waitFor();
  const { process } = await eve.query<{ process: { steps: object[] } }>(
    'query ($id: ID!) { process(id: $id) { steps { stepId inputs dependsOn } } }',
    { id },
  );
  expect(process.steps[2]).toEqual({
    stepId: 'summarise_text',
    inputs: { text: '{step.draft}' },
    dependsOn: ['draft'],
  });

  await page.getByRole('tab', { name: /Versions/ }).click();
  const added = page.getByLabel('Differences of the versions').locator('.added');
  await added.getByText('stepId: summarise_text').waitFor();
  expect(await page.getByLabel('Differences of the versions').locator('.removed').count()).toBe(0);

  await page.getByRole('tab', { name: /Schedules/ }).click();
  await page.getByRole('button', { name: 'New schedule' }).click();
  await page.getByLabel('Cron expression').fill('@daily');
  await page.getByRole('dialog').getByLabel('letter').fill('The parcel arrived broken.');
  await page.getByRole('button', { name: 'Make the schedule' }).click();
  await page.getByRole('button', { name: 'Pause the schedule' }).click();
  await page.getByText('paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete the schedule' }).click();
  await page.getByRole('heading', { name: 'No schedule' }).waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});
