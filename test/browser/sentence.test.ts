import { expect, it } from 'vitest';
import { restService } from '../testkit/run-world.ts';
import { beyondTheEdge } from './chromium.ts';
import { consoleUser } from './console-user.ts';

const { api: ida, at, onPhone } = consoleUser('ida');
const SENTENCE =
  'Every morning fetch https://example.org/feed.json, if it has news summarise it, and ask me ' +
  'before posting it to the channel';

it('opens the draft of a sentence in the editor, and saves nothing', async () => {
  // The words of its name are enough, also while the sentence model is not ready yet.
  const feed = 'fetch feed';
  await ida.creates('tool', {
    name: feed,
    description: 'Reads a JSON feed from an address.',
    serviceId: await ida.creates('service', restService()),
    connectionParams: { endpoint: 'http://127.0.0.1:9' },
    operation: { restCall: { method: 'GET', path: '/', query: { url: '{{url}}' } } },
    inputSchema: {
      type: 'object',
      required: ['url'],
      properties: { url: { type: 'string', format: 'uri' } },
    },
    outputSchema: {},
  });
  const { page, faults } = await at('/processes/new');
  // By the keyboard alone.
  await page.getByLabel('Describe it in a sentence').focus();
  await page.keyboard.type(SENTENCE);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Left to you' }).waitFor();
  await page.getByText('“posting it to the channel”').first().waitFor();
  const saved = () =>
    ida.one<{ totalCount: number }>(
      '{ processes(includeShared: false, query: "example.org/feed.json") { totalCount } }',
    );
  expect(await saved()).toEqual({ totalCount: 0 });
  // Its condition is left to the author, whatever Tools others share.
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect.poll(() => save.isDisabled()).toBe(true);
  expect(faults).toEqual([]);
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
  expect(faults).toEqual([]);
});
