import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { restService } from '../testkit/run-world.ts';
import { shipped } from '../testkit/shipped.ts';
import { beyondTheEdge, boxOf, faultsAtPhoneWidth, seriousFaultsInBothThemes } from './chromium.ts';
import { consoleUser, url } from './console-user.ts';
import { keyboardOf } from './keyboard.ts';

const { api: dora, at } = consoleUser('dora');
let processId: string;
const services: Record<string, string> = {};

beforeAll(async () => {
  const { toolId } = await shipped(dora);
  processId = await dora.creates('process', {
    initialContext: ['text'],
    steps: [
      {
        stepId: 'first',
        calls: { toolId: toolId('summarise text') },
        inputs: { text: '{context.text}' },
        output: { variable: 'first' },
      },
      {
        stepId: 'more',
        calls: { toolId: toolId('summarise text') },
        inputs: { text: '{item}' },
        output: { variable: 'more' },
        execution: { forEach: 'context.text.split(" ")', retry: { maximumAttempts: 2 } },
      },
    ],
    outputTemplate: '{{first}}',
  });
  services['REST_API'] = await dora.creates('service', restService());
  for (const [type, protocol] of [
    ['LLM_PROVIDER', 'HTTPS'],
    ['MCP_SERVER', 'HTTPS'],
    ['NEO4J_GRAPH', 'BOLT_S'],
  ] as const)
    services[type] = await dora.creates('service', {
      type,
      protocol,
      requiresSecret: false,
      connectionSchema: { type: 'object', properties: { place: { type: 'string' } } },
    });
});

/** Controls of a form that say nothing of what they take, or lead to no docs. */
function untold(form: Locator): Promise<string[]> {
  return form.evaluate((root) =>
    [...root.querySelectorAll('input, select, textarea')]
      .filter((one) => one.getAttribute('type') !== 'search')
      // These are told by the Process that a schedule starts.
      .filter((one) => one.closest('#schedule') === null)
      .filter((one) => {
        const holder = one.closest(':is(.field, .check, fieldset, .told):has(.help-button)');
        // The form of a schema ties only the words of the schema to its fields.
        const isOfSchema = holder?.classList.contains('told') === true;
        const noteId = isOfSchema ? null : one.getAttribute('aria-describedby');
        const note =
          noteId === null ? holder?.querySelector('.faint') : document.getElementById(noteId);
        const isTold = (note?.textContent ?? '').trim().length > 3;
        return !isTold || (holder?.querySelector('.help-button') ?? null) === null;
      })
      .map((one) => one.getAttribute('aria-label') ?? one.closest('.field')?.textContent ?? ''),
  );
}

/** Opens what is folded, so that all fields are there. */
async function unfold(page: Page): Promise<void> {
  await page.locator('details.step-group').evaluateAll((groups) => {
    for (const group of groups) group.setAttribute('open', '');
  });
}

it('says with each field of the forms what it takes, and leads to the docs', async () => {
  const { page, faults } = await at(`/processes/${processId}?step=more`);
  const form = page.locator('.step-form');
  await form.getByLabel('Items that may fail').waitFor();
  await unfold(page);
  expect(await untold(form)).toEqual([]);
  // A group is named without the button of its help.
  expect(await form.getByRole('group', { name: 'Waits for', exact: true }).count()).toBe(1);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await form.getByLabel('Name of variable 1').waitFor();
  expect(await untold(form)).toEqual([]);
  await page.getByRole('button', { name: 'Add a step' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Id', { exact: true }).waitFor();
  expect(await untold(dialog)).toEqual([]);

  await page.goto(`${url}/console/processes/${processId}?view=schedules`);
  await page.getByRole('button', { name: 'New schedule' }).click();
  await dialog.getByLabel('Cron expression').waitFor();
  expect(await untold(dialog)).toEqual([]);
  await page.goto(`${url}/console/processes/new`);
  await page.getByLabel('Name', { exact: true }).waitFor();
  expect(await untold(page.locator('.form-page'))).toEqual([]);

  for (const [name, path] of [
    ['New Secret', '/catalog?view=secrets'],
    ['New Service', '/catalog?view=services'],
    ['New metric', '/operations?view=metrics'],
  ] as const) {
    await page.goto(`${url}/console${path}`);
    await page.getByRole('button', { name }).first().click();
    await dialog.getByLabel('Name', { exact: true }).waitFor();
    expect(await untold(dialog), name).toEqual([]);
  }
  for (const [type, id] of Object.entries(services)) {
    await page.goto(`${url}/console/catalog/tools/new?service=${id}`);
    await page.getByLabel('It answers with').selectOption({ label: 'An object with fields' });
    await page.getByRole('button', { name: 'Add a field' }).click();
    const method = page.getByLabel('Method');
    if (type === 'REST_API') {
      await method.selectOption('POST');
      await page.getByLabel('Body', { exact: true }).selectOption({ label: 'A text' });
      await page.getByRole('button', { name: 'Add a header' }).click();
    }
    expect(await untold(page.locator('.form-page')), type).toEqual([]);
  }
  expect(faults).toEqual([]);
  await page.close();
});

it('opens the section about a field by F1 or its button, and its whole page', async () => {
  const { page, faults } = await at(`/processes/${processId}?step=more`);
  const condition = page.getByRole('textbox', { name: 'Only if' });
  await keyboardOf(page).tabTo(condition);
  await page.keyboard.press('F1');
  const panel = page.getByRole('dialog', { name: 'Conditions and lists (CEL)' });
  await panel.getByText('size(step.names) > 0').waitFor();
  expect(await seriousFaultsInBothThemes(page, '.help-panel li')).toEqual([]);
  expect(await faultsAtPhoneWidth(page, '.help-panel li')).toEqual([]);
  const link = panel.getByRole('link', { name: 'Open the page' });
  const anchor = '/console/docs/authoring#conditions-and-lists-cel';
  expect(await link.getAttribute('href')).toBe(anchor);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(await condition.evaluate((one) => one === document.activeElement)).toBe(true);

  // Over a dialog, by its button.
  await page.goto(`${url}/console/catalog?view=secrets`);
  await page.getByRole('button', { name: 'New Secret' }).first().click();
  const question = page.getByRole('dialog', { name: 'New Secret' });
  await question.locator('.field', { hasText: 'May go to' }).locator('.help-button').click();
  await page
    .getByRole('dialog', { name: 'What a Secret has' })
    .getByText('origins such as')
    .waitFor();
  await page.keyboard.press('Escape');
  // Escape closes a tooltip before the dialog with what was typed.
  const name = question.getByLabel('Name', { exact: true });
  await name.fill('weather key');
  await keyboardOf(page).tabTo(question.getByRole('button', { name: 'Close' }), 'Shift+Tab');
  const tip = page.getByRole('tooltip', { name: 'Close' });
  await tip.waitFor();
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('weather key');

  await page.goto(`${url}${anchor}`);
  const heading = page.getByRole('heading', { name: 'Conditions and lists (CEL)' });
  await heading.waitFor();
  await expect.poll(async () => Math.abs((await boxOf(heading)).y)).toBeLessThan(300);
  expect(await seriousFaultsInBothThemes(page, '.docs h2')).toEqual([]);
  expect(await faultsAtPhoneWidth(page, '.docs h2')).toEqual([]);
  // A link to another page, which is not loaded anew.
  await page.evaluate(() => document.body.setAttribute('data-first', ''));
  await page.getByRole('link', { name: 'may call by itself' }).click();
  await page.getByRole('heading', { name: 'Define one' }).waitFor();
  expect(await page.locator('body[data-first]').count()).toBe(1);
  await page.goto(`${url}/console/docs/operations`);
  await page.getByText('An agent in Phoenix: invoke_agent').waitFor();
  expect(await page.getByRole('link', { name: /^An agent in Phoenix/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Models', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Which model for what' }).waitFor();
  expect(await beyondTheEdge(page)).toEqual([]);
  await page.goto(`${url}/console/docs/nothing`);
  await page.getByRole('heading', { name: 'No such page' }).first().waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('keeps a form whose help cannot be loaded, and finds the help of a schema', async () => {
  const { page } = await at(`/catalog/tools/new?service=${services['REST_API']}`);
  const endpoint = page.getByLabel('endpoint');
  await endpoint.fill('https://example.org');
  await page.route('**/help-panel-*.js', (route) => route.abort());
  await endpoint.press('F1');
  await page.getByText('The help cannot be loaded now.').waitFor();
  expect(await endpoint.inputValue()).toBe('https://example.org');
  await page.unroute('**/help-panel-*.js');
  await page.reload();
  await endpoint.press('F1');
  await page.getByRole('dialog', { name: 'Kinds of Services' }).waitFor();
  await page.close();
});
