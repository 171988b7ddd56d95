import type { Locator } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../testkit/outbox.ts';
import { shipped } from '../testkit/shipped.ts';
import { beyondTheEdge, boxOf, seriousFaultsInBothThemes } from './chromium.ts';
import { consoleUser, url } from './console-user.ts';
import { settled } from './tour-data.ts';

const { api: ira, at, onPhone } = consoleUser('ira');
let chat: string;
/** The page may be busy with a paste as long as that: three times what a load of 13 made of it. */
const BUSY_MS_MAX = 3_000;

beforeAll(async () => {
  chat = (await shipped(ira)).processId('chat');
});

/** A talk with one more thing said, of a person or of an agent. */
async function said(conversationId: string, content: string, speaker = 'USER'): Promise<string> {
  const { turn } = await ira.mutate<{ turn: { alternatives: { id: string }[] } }>(
    'appendTurn',
    { conversationId, content, speaker },
    'turn { alternatives { id } }',
  );
  return turn.alternatives[0]?.id ?? '';
}

it('folds a message of 5,000 words and a long answer, and shows them whole', async () => {
  const id = await ira.creates('conversation', { title: 'Long words', defaultProcessId: chat });
  const list = Array.from({ length: 120 }, (_, index) => `- point ${index}`).join('\n');
  await said(id, 'What are the points?');
  await said(id, `# Points\n\n${list}\n\nThat was **all**.`, 'AGENT');
  const { page, faults } = await onPhone(`/conversations/${id}`);
  const answer = page.getByRole('article', { name: 'Agent' });
  await answer.getByText('point 10', { exact: true }).waitFor();
  expect(await answer.getByText('That was all.').count()).toBe(0);
  await answer.getByRole('button', { name: /^Show all [\d,]+ characters$/ }).click();
  await answer.getByText('That was all.').waitFor();
  await answer.getByRole('button', { name: 'Show less' }).click();
  await answer.getByText('That was all.').waitFor({ state: 'detached' });

  const words = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(' ');
  const box = page.getByLabel('Message', { exact: true });
  await box.fill(`${words} What is the last word?`);
  await box.press('Enter');
  const question = page.getByRole('article', { name: 'You' }).last();
  await question.getByText('word0 word1').waitFor();
  expect((await boxOf(question)).height).toBeLessThan(1_200);
  expect(await question.getByText('What is the last word?').count()).toBe(0);
  await question.getByRole('button', { name: /^Show all/ }).click();
  await question.getByText('What is the last word?').waitFor();
  expect(await beyondTheEdge(page)).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

/** Pastes a text of this length into a field, and tells how long the page was busy with it. */
function paste(field: Locator, length: number): Promise<number> {
  return field.evaluate((one, count) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'a'.repeat(count));
    const begun = performance.now();
    one.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
    return performance.now() - begun;
  }, length);
}

it('tells what happens to 50 MB that are pasted, and draws a table of 1,000 columns', async () => {
  const id = await ira.creates('conversation', { title: 'Too much', defaultProcessId: chat });
  const row = (cell: string) => `|${` ${cell} |`.repeat(1_000)}`;
  await said(id, 'Show me the table.');
  await said(id, ['Here:', '', row('head'), row('--'), row('wide'), ''].join('\n'), 'AGENT');
  const { page, faults } = await at(`/conversations/${id}`);
  const box = page.getByLabel('Message', { exact: true });
  expect(await paste(box, 50_000_000)).toBeLessThan(BUSY_MS_MAX);
  await page.getByText('pasted text.txt is larger than 5 MB, the most for one file.').waitFor();
  await paste(box, 1_000_000);
  await page.getByText(/longer than a message may be, so it is attached as a file/).waitFor();
  await page.getByRole('list', { name: 'Attached' }).getByText('pasted text.txt').waitFor();
  expect(await box.inputValue()).toBe('');

  const answer = page.getByRole('article', { name: 'Agent' });
  await answer.getByRole('button', { name: /^Show all [\d,]+ characters/ }).click();
  await expect.poll(() => answer.getByRole('columnheader').count()).toBe(50);
  await answer.getByRole('button', { name: 'Show all 1,000 columns' }).click();
  await expect.poll(() => answer.getByRole('columnheader').count()).toBe(1_000);
  expect(await beyondTheEdge(page)).toEqual([]);

  await page.goto(`${url}/console/processes/new`);
  const name = page.getByLabel('Name', { exact: true });
  expect(await paste(name, 50_000_000)).toBeLessThan(BUSY_MS_MAX);
  await page.getByText('The copied text has 50 million characters, and a field takes 2').waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('lets each text run in the direction of its letters', async () => {
  const id = await ira.creates('conversation', { title: 'שלום עולם', defaultProcessId: chat });
  await said(id, 'מה שלומך היום?');
  const words = '# תשובה\n\nהכול בסדר.\n\nAnd this is English.\n\n> ציטוט\n\n- אחת\n\n- שתיים';
  await said(
    id,
    `${words}\n\n| ראש |\n|--|\n| תא |\n\n- קוד\n\n  \`\`\`\n  a = 1\n  \`\`\``,
    'AGENT',
  );
  const { page, faults } = await at(`/conversations/${id}`);
  const directions = (of: Locator) => of.evaluate((one) => getComputedStyle(one).direction);
  const question = page.getByRole('article', { name: 'You' });
  const answer = page.getByRole('article', { name: 'Agent' });
  expect(await directions(question.getByText('מה שלומך היום?'))).toBe('rtl');
  expect(await directions(answer.getByText('הכול בסדר.'))).toBe('rtl');
  expect(await directions(answer.getByText('And this is English.'))).toBe('ltr');
  for (const block of ['blockquote', 'ul', 'table', 'td'])
    expect(await directions(answer.locator(block).first()), block).toBe('rtl');
  expect(await directions(answer.locator('pre'))).toBe('ltr');
  expect(await directions(page.getByRole('heading', { name: 'שלום עולם' }))).toBe('rtl');
  const box = page.getByLabel('Message', { exact: true });
  await box.fill('تمام');
  expect(await directions(box)).toBe('rtl');
  expect(await beyondTheEdge(page)).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

it('draws formulas, and leaves prices, code and what is no TeX', async () => {
  const id = await ira.creates('conversation', { title: 'Formulas', defaultProcessId: chat });
  await said(id, 'How large is a circle?');
  const content = [
    'It costs $5 and $6. The area is \\(\\pi r^2\\).',
    '$$\n\\frac{a}{b}\n$$',
    'Open: \\(\\href{javascript:alert(1)}{x}\\) and `$$code$$`.',
  ].join('\n\n');
  await said(id, content, 'AGENT');
  const { page, faults } = await at(`/conversations/${id}`);
  const answer = page.getByRole('article', { name: 'Agent' });
  await answer.locator('math mfrac').waitFor();
  expect(await answer.locator('math').count()).toBe(2);
  await answer.getByText('It costs $5 and $6.').waitFor();
  await answer.getByText('\\(\\href{javascript:alert(1)}{x}\\)').waitFor();
  await answer.getByText('$$code$$', { exact: true }).waitFor();
  expect(await answer.locator('math a, math [href], math [style]').count()).toBe(0);
  expect(faults).toEqual([]);
  await page.close();
});

it('names the button that the pointer or the keyboard is at, and draws a talk whole', async () => {
  const id = await ira.creates('conversation', { title: 'Many answers', defaultProcessId: chat });
  for (let turn = 0; turn < 6; turn++) {
    await said(id, `Question ${turn}`);
    await said(id, `Answer **${turn}** with \`code\`.`, 'AGENT');
  }
  const { page, faults } = await at(`/conversations/${id}`);
  // Those above the screen are drawn after the first paint.
  await expect.poll(() => page.locator('.message.agent .markdown strong').count()).toBe(6);
  await page.getByText('Answer 5').waitFor();
  const message = page.getByRole('article', { name: 'Agent' }).last();
  await message.hover();
  const copy = message.getByRole('button', { name: 'Copy the message' });
  const tip = page.getByRole('tooltip');
  await copy.hover();
  await tip.getByText('Copy the message', { exact: true }).waitFor();
  const [below, above] = [await boxOf(copy), await boxOf(tip)];
  expect(Math.abs(below.y - above.y)).toBeLessThan(60);
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'detached' });
  await copy.focus();
  await page.keyboard.press('Tab');
  await tip.getByText('Fork from here', { exact: true }).waitFor();
  // It follows its button when the talk is scrolled.
  const fork = message.getByRole('button', { name: 'Fork from here' });
  const distance = async () => Math.round((await boxOf(tip)).y - (await boxOf(fork)).y);
  const [before, { y: top }] = [await distance(), await boxOf(fork)];
  await page.locator('.messages').evaluate((one) => one.scrollBy(0, -40));
  await expect.poll(async () => (await boxOf(fork)).y).toBeGreaterThan(top);
  await expect.poll(distance).toBe(before);
  expect(faults).toEqual([]);
  await page.close();
});

it('stays at the end of a talk whose Markdown is drawn late', async () => {
  const id = await ira.creates('conversation', { title: 'Late', defaultProcessId: chat });
  const rows = Array.from({ length: 20 }, (_, index) => `| ${index} | value |`).join('\n');
  for (let turn = 0; turn < 4; turn++) {
    await said(id, `Question ${turn}`);
    await said(id, `| row | value |\n|--|--|\n${rows}`, 'AGENT');
  }
  const { page, faults } = await at('/');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  await page.route('**/assets/markdown-*.js', async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto(`${url}/console/conversations/${id}`);
  await page.getByText('Question 3').waitFor();
  const messages = page.locator('.messages');
  expect(await messages.locator('table').count()).toBe(0);
  open();
  await expect.poll(() => messages.locator('table').count()).toBe(4);
  const left = () =>
    messages.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
  await expect.poll(left).toBeLessThan(40);
  expect(faults).toEqual([]);
  await page.close();
});

it('shows the sources of an answer, with links to where they were said', async () => {
  const told = await ira.creates('conversation', { title: 'Pets', defaultProcessId: chat });
  await said(told, 'My parrot is called Zanzibar.');
  await eventually('the parrot is recalled', async () => {
    const { searchMemory } = await ira.query<{ searchMemory: { hits: object[] } }>(
      'query ($input: SearchInput!) { searchMemory(input: $input) { hits { why } } }',
      { input: { query: 'What is my parrot called?' } },
    );
    return searchMemory.hits.length > 0;
  });
  const id = await ira.creates('conversation', { title: 'Later', defaultProcessId: chat });
  const sent = await ira.mutate<{ run: { id: string } }>(
    'sendMessage',
    { conversationId: id, content: 'What is my parrot called?' },
    'run { id }',
  );
  await settled(ira, sent.run.id);
  const { page, faults } = await at(`/conversations/${id}`);
  const answer = page.getByRole('article', { name: 'Agent' });
  await answer.getByRole('button', { name: 'Sources' }).click();
  const sources = answer.getByRole('region', { name: 'Sources of the answer' });
  // The line that the model read, with who said it and when.
  await sources.getByText(/^\S.*: on \d.*: "My parrot is called Zanzibar\."$/).waitFor();
  expect(await seriousFaultsInBothThemes(page, '.recalled')).toEqual([]);
  await sources.getByRole('link', { name: 'in Pets' }).click();
  await page.getByRole('heading', { name: 'Pets' }).waitFor();
  const [wanted] = await page.locator('article.wanted').allInnerTexts();
  expect(wanted).toContain('My parrot is called Zanzibar.');
  // Keys go on from it, after a second click on its link too.
  const focused = () => page.evaluate(() => document.activeElement?.className ?? '');
  expect(await focused()).toContain('wanted');
  await page.getByLabel('Message', { exact: true }).focus();
  await page.evaluate(() => history.pushState(null, '', location.href));
  expect(await focused()).toContain('wanted');
  expect(faults).toEqual([]);
  await page.close();
});

it('shows the conversations by days, and a tree of any size', async () => {
  const id = await ira.creates('conversation', { title: 'Wide tree', defaultProcessId: chat });
  const root = await said(id, 'The root of all.');
  const append = (first: number) =>
    `mutation ($id: ID!, $root: ID!) { ${Array.from(
      { length: 20 },
      (_, index) => `t${index}: appendTurn(input: { conversationId: $id, activateParent: true,
        parentAlternativeId: $root, content: "branch ${first + index}" }) { userErrors { code } }`,
    ).join('\n')} }`;
  for (const first of [0, 20]) await ira.query(append(first), { id, root });
  const { page, faults } = await at(`/conversations/${id}`);
  // Pages of 30 in place of 100, so that 41 turns are more than one.
  await page.route('**/graphql', (route) => {
    const asked = route.request().postData() ?? '';
    return route.continue({ postData: asked.replace('turns(first: 100', 'turns(first: 30') });
  });
  await page.getByRole('button', { name: 'Tree' }).click();
  const today = page.getByRole('navigation', { name: 'Conversations' }).getByRole('region', {
    name: 'Begun today',
  });
  await today.getByRole('link', { name: 'Wide tree' }).waitFor();
  const tree = page.getByRole('complementary', { name: 'Tree of turns' });
  const branches = tree.getByRole('button', { name: /branch \d+/ });
  await tree.getByText('11 more turns').waitFor();
  expect(await branches.count()).toBe(29);
  await tree.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => branches.count()).toBe(40);
  expect(faults).toEqual([]);
  await page.close();
});
