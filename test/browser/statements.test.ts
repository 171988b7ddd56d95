import { expect, it } from 'vitest';
import { eventually } from '../testkit/outbox.ts';
import { tells } from '../testkit/talk-world.ts';
import { consoleUser } from './console-user.ts';

const { api: tove, at } = consoleUser('tove');

/** Waits until memory has a statement, or one that has ended. */
function untilTold(isEnded: boolean): Promise<unknown> {
  return eventually(isEnded ? 'a statement has ended' : 'a statement is known', async () => {
    const { nodes } = await tove.one<{ nodes: { endedBy: object | null }[] }>(
      '{ statements(first: 20, includeEnded: true) { nodes { endedBy { uuid } } } }',
    );
    return nodes.some(({ endedBy }) => !isEnded || endedBy !== null);
  });
}

it('shows a statement with its two times, what it ended and what ended it', async () => {
  await tells(tove, 'I live in Odense since 2019. The harbour is close by.');
  await untilTold(false);
  await tells(tove, 'I moved to Skagen. The sea is loud.');
  await untilTold(true);

  const { page, faults } = await at('/memory?q=What+changed+since+January+2020%3F');
  const hits = page.getByRole('list', { name: 'Hits' }).locator('.hit');
  await hits.first().waitFor();
  expect(await hits.count()).toBe(1);
  const text = await hits.innerText();
  expect(text).toMatch(/^statement\s+I moved to Skagen\./);
  expect(text).toMatch(/said by \S+/);
  expect(text).toMatch(/since \d{1,2} \w+ \d{4}/);
  expect(text).toMatch(/known (just now|\d+ (s|min) ago)/);
  expect(text).toMatch(/It ended on \S+: “I live in Odense since 2019\.”/);

  await page.getByRole('tab', { name: 'Entities' }).click();
  await page.getByRole('link', { name: 'Odense', exact: true }).first().click();
  const ended = page.locator('.hit.over').filter({ hasText: 'I live in Odense since 2019.' });
  await ended.getByText('ended by “I moved to Skagen. The sea is loud.”').waitFor();
  await ended.getByText(/^until \d/).waitFor();
  await ended.getByText(/^since .*2019$/).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});
