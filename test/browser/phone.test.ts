import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { beyondTheEdge } from './chromium.ts';
import { consoleUser } from './console-user.ts';
import { makeConversation, untilKnown } from './tour-data.ts';

const { api: ivo, onPhone } = consoleUser('ivo');
let conversationId: string;

beforeAll(async () => {
  conversationId = await makeConversation(ivo);
  await untilKnown(ivo, 'Ada');
});

/** Buttons, menu items and tabs on the screen that are lower than a finger needs. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('.button:not(.tiny), [role=menuitem], [role=tab], .tree-row')]
      .filter((one) => one.checkVisibility() && !one.classList.contains('skip'))
      .filter((one) => one.getBoundingClientRect().height < 44)
      .map((one) => one.outerHTML.slice(0, 120))`);
}

async function expectWhole(page: Page): Promise<void> {
  expect(await beyondTheEdge(page)).toEqual([]);
  expect(await tooSmall(page)).toEqual([]);
}

it('finds a fact, opens it and forgets it by touch', async () => {
  const { page, faults } = await onPhone('/memory');
  await page.getByLabel('Search the memory').fill('Ada');
  await page.getByRole('button', { name: 'Search', exact: true }).tap();
  const tag = page.getByText('fact', { exact: true });
  const fact = page.locator('.hit').filter({ has: tag, hasText: 'Turin' }).first();
  await fact.getByText(/^known /).waitFor();
  await expectWhole(page);
  await fact.locator('summary').tap();
  await fact.getByRole('list').waitFor();
  await fact.getByRole('link', { name: 'Ada', exact: true }).tap();
  await page.getByRole('heading', { name: 'Ada', exact: true }).waitFor();
  await expectWhole(page);

  const forget = page.getByRole('button', { name: /^Forget “Ada lives in Turin/ });
  const before = await forget.count();
  await forget.first().tap();
  const question = page.getByRole('dialog');
  await question.getByRole('list', { name: 'Goes with it' }).getByText('1 fact').waitFor();
  await expectWhole(page);
  await question.getByRole('button', { name: 'Forget', exact: true }).tap();
  await page.getByText('Forgot the fact.').waitFor();
  // Memory may be read meanwhile, so the number of all facts says little.
  await expect.poll(() => forget.count(), { timeout: 60_000 }).toBeLessThan(before);

  await page.getByRole('button', { name: /^Copy/ }).tap();
  await page.getByRole('menuitem', { name: 'curl' }).waitFor();
  await expectWhole(page);
  expect(faults).toEqual([]);
  await page.close();
});

it('opens the tree and the working memory of a conversation by touch', async () => {
  const { page, faults } = await onPhone(`/conversations/${conversationId}`);
  await page.getByRole('button', { name: 'Earlier version' }).waitFor();
  await page.getByRole('button', { name: 'Working memory' }).tap();
  await page.getByRole('heading', { name: 'A model sees' }).waitFor();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Tree' }).tap();
  const tree = page.getByRole('complementary', { name: 'Tree of turns' });
  await expectWhole(page);
  // The chat comes back with the version that was chosen.
  await tree.locator('.tree-row:not(.active)').tap();
  await tree.waitFor({ state: 'hidden' });
  await page.getByText('1/2').waitFor();
  expect(faults).toEqual([]);
  await page.close();
});
