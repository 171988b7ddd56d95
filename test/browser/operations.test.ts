import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { shipped } from '../testkit/shipped.ts';
import { launch, openScreen } from './chromium.ts';
import { settled, startRun, TOUR_CONTEXT } from './tour-data.ts';

const url = process.env['AIDEN_TEST_URL'] ?? '';
const user = freshName('eve');
let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

it('draws the metrics of a Tool, and says why a setting is refused', async () => {
  const eve = client(user, { role: 'admin' });
  const { processId, toolId } = await shipped(eve);
  await settled(eve, await startRun(eve, processId('tour'), TOUR_CONTEXT));
  const { page, faults } = await openScreen(browser, {
    url,
    user,
    path: '/operations?view=metrics',
  });
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
