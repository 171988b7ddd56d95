import { beforeAll, expect, it } from 'vitest';
import { freshName } from '../testkit/client.ts';
import { restService } from '../testkit/run-world.ts';
import { beyondTheEdge, seriousFaultsInBothThemes } from './chromium.ts';
import { consoleUser, url } from './console-user.ts';

const { api: ida, at, onPhone } = consoleUser('ida');
const SENTENCE =
  'Every morning run fetch feed, if it has entries run summarise news, and ask me before ' +
  'posting it to the channel';
const TEXT = { type: 'string' };
const keeper = freshName('keeper');

/** A Tool of ida's on a REST Service, with one text as its input. */
async function makeTool(name: string, description: string, input: string): Promise<void> {
  await ida.creates('tool', {
    name,
    description,
    serviceId: await ida.creates('service', restService()),
    connectionParams: { endpoint: 'http://127.0.0.1:9' },
    operation: { restCall: { method: 'GET', path: '/', query: { [input]: `{{${input}}}` } } },
    inputSchema: { type: 'object', required: [input], properties: { [input]: TEXT } },
    outputSchema: {},
  });
}

beforeAll(async () => {
  // The words of its name are enough, also while the sentence model is not ready yet.
  await makeTool('fetch feed', 'Reads a JSON feed from an address.', 'url');
  await makeTool('summarise news', 'Summarises a text.', 'text');
  // None of its words is in the sentence: it is chosen by hand.
  await makeTool(keeper, 'Keeps notes.', 'note');
});

/** The Process of the sentence, as it is stored. */
function saved() {
  return ida.one<{ nodes: { id: string; steps: { stepId: string }[] }[]; totalCount: number }>(
    '{ processes(includeShared: false, query: "run fetch feed") { totalCount ' +
      'nodes { id steps { stepId } } } }',
  );
}

it('drafts a sentence, has its blanks filled by forms, saves and schedules it', async () => {
  const { page, faults } = await at('/processes/new');
  // By the keyboard alone.
  await page.getByLabel('Describe it in a sentence').focus();
  await page.keyboard.type(SENTENCE);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Left to you' }).waitFor();
  await page.getByText('“posting it to the channel”').first().waitFor();
  expect(await saved()).toMatchObject({ totalCount: 0 });
  // Its condition is left to the author, whatever Tools others share.
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect.poll(() => save.isDisabled()).toBe(true);
  expect(await seriousFaultsInBothThemes(page, '.draft-notes')).toEqual([]);

  // Beside Save stands what is left, and leads to the first of it.
  const left = page.getByRole('button', { name: /^\d+ choices? left$/ });
  const leftAtFirst = Number.parseInt(await left.innerText(), 10);
  expect(leftAtFirst).toBeGreaterThan(1);
  await left.click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-path')))
    .toMatch(/^(calls|execution\.condition)$/);

  // A step with an open choice is shown, and each note opens its own step.
  const notes = page.locator('.draft-notes');
  const form = page.locator('.step-form');
  const condition = form.getByRole('textbox', { name: 'Only if' });
  await condition.waitFor();
  const news = notes.getByRole('listitem').filter({ hasText: 'A condition.' });
  await news.getByRole('button').click();
  await page
    .getByRole('region', { name: `Step ${await news.getByRole('button').innerText()}` })
    .waitFor();
  expect(await condition.inputValue()).toBe('?');
  await condition.fill('size(string(step.fetch_feed)) > 0');
  await condition.press('Enter');
  await page
    .getByRole('button', { name: new RegExp(`^${leftAtFirst - 1} choices? left$`) })
    .waitFor();
  const post = notes.getByRole('listitem').filter({ hasText: 'posting it to the channel' });
  const posting = post.getByRole('button').first();
  await posting.click();
  await page.getByRole('region', { name: `Step ${await posting.innerText()}` }).waitFor();
  await form.getByLabel('Tool or Process').selectOption({ label: keeper });
  const list = page.getByRole('list', { name: 'Faults' });
  await list.getByText(`${keeper} requires the input "note".`, { exact: true }).waitFor();
  await form.getByRole('button', { name: 'Pick a variable for note' }).click();
  await page.getByRole('menuitem', { name: /^step\.summarise_news / }).click();
  await page.getByText('Valid', { exact: true }).waitFor();
  expect(await left.count()).toBe(0);
  await page.keyboard.press('Control+s');
  await page.getByText('Saved version 1.').waitFor();

  // The schedule that the sentence named is offered with its times.
  const question = page.getByRole('dialog');
  const cron = question.getByLabel('Cron expression');
  await expect.poll(() => cron.inputValue()).toBe('0 7 * * *');
  expect(await seriousFaultsInBothThemes(page, '[role=dialog] input')).toEqual([]);
  // Nobody said which address, so each run is given it.
  await question.getByLabel('url').fill('https://example.org/feed.json');
  await question.getByRole('button', { name: 'Make the schedule' }).click();
  await page.getByRole('cell', { name: /0 7 \* \* \*/ }).waitFor();
  await question.waitFor({ state: 'detached' });
  expect((await saved()).nodes[0]?.steps).toHaveLength(3);
  // Nothing of the sentence stays behind as a draft.
  await page.goto(`${url}/console/processes/new`);
  await page.getByLabel('Describe it in a sentence').waitFor();
  expect(await page.getByRole('region', { name: 'Not saved yet' }).count()).toBe(0);
  expect(faults).toEqual([]);
  await page.close();
});

it('says on a phone what it did not understand, and what is too long', async () => {
  const { page, faults } = await onPhone('/processes/new');
  const box = page.getByLabel('Describe it in a sentence');
  await box.fill('purple monkey dishwasher');
  await page.getByRole('button', { name: 'Make a draft' }).tap();
  await page.getByText('Nothing of this became a step').waitFor();
  await page.getByText('This was not understood.').waitFor();
  expect(await beyondTheEdge(page)).toEqual([]);
  await box.fill('fetch and summarise '.repeat(2_500));
  await page.getByText('48000 characters too long.').waitFor();
  expect(await page.getByRole('button', { name: 'Make a draft' }).isDisabled()).toBe(true);

  await box.fill('Create a ticket for each word of the text');
  await page.getByRole('button', { name: 'Make a draft' }).tap();
  await page.getByRole('heading', { name: 'Left to you' }).waitFor();
  expect(await beyondTheEdge(page)).toEqual([]);
  expect(await seriousFaultsInBothThemes(page, '.draft-notes')).toEqual([]);
  // The notes are in sight, the navigation stays, and a step opens over the screen.
  await page
    .getByRole('navigation')
    .first()
    .getByRole('link', { name: 'Home' })
    .tap({ trial: true });
  await page.locator('.draft-notes').getByRole('button').first().tap();
  const form = page.locator('.step-form');
  await form.getByLabel('Tool or Process').waitFor();
  expect(await beyondTheEdge(page)).toEqual([]);
  expect(await seriousFaultsInBothThemes(page, '.step-form')).toEqual([]);
  await form.getByRole('button', { name: 'Close the step' }).tap();
  await page.getByRole('button', { name: 'Save', exact: true }).scrollIntoViewIfNeeded();
  expect(faults).toEqual([]);
});
