import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { shipped } from '../testkit/shipped.ts';
import { tells } from '../testkit/talk-world.ts';
import { consoleUser, url } from './console-user.ts';
import { keyboardOf } from './keyboard.ts';
import { asking, makeFailedRun, startRun } from './tour-data.ts';

const { user, api: eve, at } = consoleUser('eve');
let summarise: string;
let failedRunId: string;
/** Her memory is read while the first tests run; only their own tests wait for it. */
const noraName = freshName('nora');
const nora = client(noraName, { role: 'admin' });
let said: Promise<unknown>;

beforeAll(async () => {
  // Two talks, so that the facts become known at different times.
  said = Promise.all([
    tells(nora, 'Nora Feld works at Siemens since 2015.'),
    tells(nora, 'Nora Feld moved to Ghent in March 2021.'),
    tells(eve, 'Mara Quist lives in Lisbon.'),
  ]);
  summarise = (await shipped(eve)).toolId('summarise text');
  failedRunId = await makeFailedRun(eve, summarise);
});

const isRun = /\/console\/runs\/[0-9a-f-]{36}/;

/** A new conversation on its page. */
async function talks() {
  const screen = await at('/conversations');
  await screen.page.getByRole('button', { name: 'New conversation' }).first().click();
  await screen.page.waitForURL(/\/conversations\/[0-9a-f-]{36}/);
  return screen;
}
async function edits(page: Page, said: Locator, text: string): Promise<void> {
  await said.hover();
  await said.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Edited message').fill(text);
  await page.getByRole('button', { name: 'Save and answer' }).click();
}

it('is one page under /console/, with a policy that allows no inline script', async () => {
  const root = await fetch(`${url}/`, { redirect: 'manual' });
  expect(root.headers.get('location')).toBe('/console/');
  const page = await fetch(`${url}/console/runs/anything`);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain('unsafe');
  const html = await page.text();
  const [, nonce = ''] = /nonce="([^"]+)"/.exec(html) ?? [];
  expect(policy).toContain(`'nonce-${nonce}'`);
  const again = await (await fetch(`${url}/console/`)).text();
  expect(again).not.toContain(nonce);
  expect((await fetch(`${url}/console/assets/..%2findex.html`)).status).toBe(404);
  expect((await fetch(`${url}/console/`, { method: 'POST' })).status).toBe(405);
});

it('loads at most 250 kB before it shows Home, and goes everywhere by keyboard', async () => {
  const { page, faults } = await at('/');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const names = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map((entry) => entry.name)` +
      `.filter((name) => name.includes('/assets/'))`,
  );
  expect(names.length).toBeGreaterThan(2);
  let bytes = 0;
  for (const name of names) {
    const response = await fetch(name, { headers: { 'accept-encoding': 'gzip' } });
    bytes += Number(response.headers.get('content-length'));
  }
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(250_000);
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: 'Operations' }).waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help' });
  await help.getByText('Nobody can read it again.').waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('catalog');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Catalog' }).waitFor();
  // Letters of a name in their order are no part of it.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ctlg');
  await page.getByText('Nothing has this name.').waitFor();
  expect(await page.getByRole('option').count()).toBe(0);
  expect(faults).toEqual([]);
  await page.close();
});

it('starts a run from its form, shows it live, and the text of a user as text', async () => {
  const { page, faults } = await at('/runs');
  await page.getByRole('button', { name: 'Start a run' }).first().click();
  await page
    .getByRole('dialog')
    .getByLabel('Process', { exact: true })
    .selectOption({ label: 'tour' });
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  await page.getByLabel('title').fill(`Ada Lovelace ${evil}`);
  await page.getByLabel('text').fill('Ada Lovelace was born in London.\n\nShe wrote a program.');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(isRun);
  await page.getByText('Completed', { exact: true }).first().waitFor();
  await page
    .locator('.output')
    .getByRole('heading', { name: `Ada Lovelace ${evil}` })
    .waitFor();
  expect(await page.title()).toBe('tour · Aiden');
  await page.getByRole('button', { name: 'As raw text' }).click();
  await page.locator('.output').getByText('# Ada Lovelace').waitFor();
  await page.getByRole('button', { name: /^gist\b.*Completed/ }).click();
  await page.getByRole('heading', { name: 'Inputs' }).waitFor();
  await page.getByRole('heading', { name: '1 attempt' }).waitFor();
  await page.getByRole('heading', { name: 'Prompt sent' }).waitFor();
  await page.getByText('She wrote a program.').nth(1).waitFor();
  expect(new URL(page.url()).searchParams.get('step')).toBe('gist');
  await page.getByRole('tab', { name: /Events/ }).click();
  await page.locator('.event-kind').getByText('harness_end').first().waitFor();
  await page.getByRole('combobox', { name: 'Events' }).selectOption('error');
  await page.getByText('Nothing failed.').waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('makes the form from the schema of the Process', async () => {
  const id = await eve.creates('process', {
    ...asking(summarise, freshName('schema')),
    contextSchema: {
      properties: { letter: { type: 'string', enum: ['Broken.', 'Late.'], default: 'Late.' } },
    },
  });
  const { page } = await at(`/runs?start=${id}`);
  const letter = page.getByRole('combobox', { name: 'letter' });
  await expect.poll(() => letter.locator('option:checked').innerText()).toBe('Late.');
  await letter.selectOption({ label: 'Broken.' });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(isRun);
  const { processRuns } = await eve.query<{ processRuns: { nodes: { context: object }[] } }>(
    'query ($id: ID!) { processRuns(processId: $id) { nodes { context } } }',
    { id },
  );
  expect(processRuns.nodes).toEqual([{ context: { letter: 'Broken.' } }]);
  await page.close();
});

it('asks for an approval with changed inputs, and the run goes on', async () => {
  const processId = await eve.creates('process', asking(summarise, freshName('ask')));
  const runId = await startRun(eve, processId, { letter: 'The parcel arrived broken.' });
  const { page } = await at(`/runs/${runId}`);
  await page.getByRole('button', { name: 'Change the inputs' }).click();
  await page
    .getByLabel('Inputs, as JSON')
    .fill('{ "text": "A new parcel is on its way.", "sentences": 1 }');
  await page.getByRole('button', { name: 'Approve with these inputs' }).click();
  await expect
    .poll(() => page.locator('.output').innerText())
    .toBe('Sent: A new parcel is on its way.');
  await page.close();
});

it('keeps filters in the URL, says why a run failed and starts it again from there', async () => {
  const { page } = await at('/runs?status=failed');
  const failed = page.getByRole('link', { name: /score an article/ }).first();
  await failed.waitFor();
  expect(await page.getByText('Completed', { exact: true }).count()).toBe(1);
  await page.getByLabel('Background runs').check();
  await page.waitForURL(/background=yes/);
  await failed.click();
  await page.waitForURL((address) => address.pathname.endsWith(failedRunId));
  await page.getByText('Mend it in the Process, then retry.').waitFor();
  await page.getByRole('button', { name: 'Retry from score' }).click();
  await page.waitForURL((address) => !address.pathname.endsWith(failedRunId));
  await page.getByRole('link', { name: 'the earlier run' }).waitFor();
  await page.close();
});

it('talks by keyboard alone, then renames, edits and gives a verdict', async () => {
  const { page, faults } = await at('/processes');
  const { keyboard } = page;
  const { press } = keyboardOf(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
  // Keys that are pressed before the page is there reach nothing.
  await page.getByRole('heading', { name: 'Processes' }).waitFor();
  await keyboard.press('Control+k');
  await keyboard.type('conversations');
  await keyboard.press('Enter');
  await press(button('New conversation'));
  await page.waitForURL(/\/conversations\/[0-9a-f-]{36}/);
  // A new conversation waits for words.
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await expect.poll(() => message.and(page.locator(':focus')).count()).toBe(1);
  await keyboard.type('Grace lives in Arlington. Where does Grace live?');
  await keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Agent' }).first();
  await expect.poll(() => answer.innerText()).toContain('Arlington');
  // It is disabled while the answer is written.
  const regenerate = answer.getByRole('button', { name: 'Regenerate' });
  await expect.poll(() => regenerate.isEnabled()).toBe(true);
  await press(button('Regenerate'));
  await answer.getByText('2/2').waitFor();
  await press(button('Earlier version'));
  await answer.getByText('1/2').waitFor();

  // The first message is the title, until it is renamed.
  await page.getByRole('heading', { name: 'Grace lives in Arlington.' }).waitFor();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('About Grace');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'About Grace' }).waitFor();
  const said = page.getByRole('article', { name: 'You' }).first();
  await edits(page, said, 'Grace moved to Boston. Where does Grace live?');
  await said.getByText('2/2').waitFor();
  // It is answered at once.
  await answer.getByText('3/3').waitFor();
  await expect.poll(() => answer.innerText()).toContain('Boston');
  await page.getByRole('heading', { name: 'A model sees' }).waitFor();
  // A verdict with a word stays with the answer, and is listed.
  await answer.hover();
  await answer.getByRole('button', { name: 'Not a good answer' }).click();
  await answer.getByRole('button', { name: 'Say why' }).click();
  await answer.getByLabel('Your word on the answer').fill('It asks back.');
  await answer.getByRole('button', { name: 'Keep it' }).click();
  await answer.getByText('Your word on it: It asks back.').waitFor();
  await page.goto(`${url}/console/conversations?view=rated&verdict=DOWN`);
  await page.getByText('It asks back.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'About Grace' }).click();
  await answer.getByRole('button', { name: 'Not a good answer', pressed: true }).click();
  await answer.getByText('Your word on it').waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await page.close();
});

it('sends a picture and a text; the model names the part it left out', async () => {
  const { page, faults } = await talks();
  // A pixel, and a page that would run a script where it was shown as one.
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPhfDwAChAGA' +
      'yqpIyAAAAABJRU5ErkJggg==',
    'base64',
  );
  const notes = 'Grace Hopper lives in Arlington.\n<svg onload="document.title = 1"></svg>';
  await page.getByLabel('Pictures and files to attach').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: pixel },
    { name: 'notes.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(notes) },
    { name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from([77, 90, 0]) },
    { name: 'long.txt', mimeType: 'text/plain', buffer: Buffer.alloc(5 * 1024 * 1024 + 1, 'a') },
  ]);
  await page.getByText('tool.exe is neither a picture, nor a PDF, nor text.').waitFor();
  await page.getByText('long.txt is larger than 5 MB').waitFor();
  await page.getByText('reads no pictures').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Where does Grace Hopper live?');
  await page.getByRole('button', { name: 'Send' }).click();
  const said = page.getByRole('article', { name: 'You' }).first();
  await expect
    .poll(() => said.getByRole('img', { name: 'dot.png' }).getAttribute('src'))
    .toMatch(/^data:image\/png;base64,iVBOR/);
  await said.getByRole('button', { name: 'notes.svg' }).waitFor();
  expect(await said.innerText()).not.toContain('[image: dot.png]');
  const answer = page.getByRole('article', { name: 'Agent' }).first();
  await expect.poll(() => answer.innerText()).toContain('Arlington');
  expect(await answer.innerText()).toContain('Left out: image.');
  // An edit keeps what was attached.
  await edits(page, said, 'Who lives in Arlington?');
  await said.getByText('2/2').waitFor();
  await said.getByRole('img', { name: 'dot.png' }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('marks what follows a dropped version, and goes on from either', async () => {
  const { page, faults } = await talks();
  const articles = page.getByRole('article');
  const says = async (text: string, count: number) => {
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => articles.count()).toBe(count);
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  };
  await says('Nora is my sister. Where does Nora live?', 2);
  await says('Nora lives in Ghent. Where does Nora live?', 4);
  const said = articles.first();
  await edits(page, said, 'Olga is my neighbour. Who is Olga?');
  await articles.nth(1).getByText('2/2').waitFor();
  const notice = page.getByRole('region', { name: 'Stale messages' });
  await notice.getByText('2 messages below answer another version.').waitFor();
  await expect.poll(() => page.locator('.message.stale').count()).toBe(2);
  expect(await page.getByLabel('Working memory').innerText()).not.toContain('Ghent');

  await notice.getByRole('button', { name: 'Back to the version they answer' }).click();
  await notice.waitFor({ state: 'detached' });
  expect(await said.innerText()).toContain('Nora is my sister.');
  expect(await articles.count()).toBe(4);
  await said.getByRole('button', { name: 'Later version' }).click();
  await said.getByText('2/2').waitFor();
  // The other version has its own answer, and what was said after it is stale again.
  await articles.nth(1).getByText('2/2').waitFor();
  await notice.getByRole('button', { name: 'Answer again' }).click();
  await notice.waitFor({ state: 'detached', timeout: 60_000 });
  await articles.nth(3).getByText('2/2').waitFor();
  expect(await page.locator('.message.stale').count()).toBe(0);
  expect(await articles.nth(2).innerText()).toContain('Nora lives in Ghent.');
  expect(faults).toEqual([]);
  await page.close();
});

it('shows the Markdown of an answer, and nothing in it runs or is fetched', async () => {
  const conversationId = await eve.creates('conversation');
  const says = (speaker: string, content: string) =>
    eve.mutate('appendTurn', { conversationId, speaker, content });
  await says('USER', 'A **table**, please.');
  const evil = '<img src=x onerror="document.title=1"><script>document.title = 1</script>';
  const links = '[a page](https://example.com) [bad](javascript:alert(1)) ![pic](/outside.png)';
  const code = '```js\nconst town = "Trier";\n```';
  await says(
    'AGENT',
    ['# Towns', '| town |', '|---|', '| Trier |', '', evil, links, code].join('\n'),
  );
  const { page, faults } = await at(`/conversations/${conversationId}`);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const answer = page.getByRole('article', { name: 'Agent' });
  await answer.getByRole('cell', { name: 'Trier' }).waitFor();
  await answer.getByRole('heading', { name: 'Towns' }).waitFor();
  expect(await answer.innerText()).toContain('onerror');
  expect(await answer.locator('img, script').count()).toBe(0);
  expect(await answer.getByRole('link', { name: 'a page' }).getAttribute('rel')).toContain(
    'noopener',
  );
  expect(await answer.getByText('bad').getAttribute('href')).not.toContain('javascript');
  expect(await answer.locator('.hljs-string').innerText()).toBe('"Trier"');
  await answer.getByRole('button', { name: 'Copy the code' }).waitFor();
  // What a person typed stays as it was typed.
  expect(await page.getByRole('article', { name: 'You' }).innerText()).toContain('**table**');
  expect(requested.filter((one) => one.includes('outside'))).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

it('hides a fact at a time at which it was not known, and before it was true', async () => {
  await said;
  await expect
    .poll(async () => {
      const { nodes } = await nora.one<{
        nodes: { name: string; facts: { validAt: string | null; createdAt: string }[] }[];
      }>('{ entities(query: "Nora Feld") { nodes { name facts { validAt createdAt } } } }');
      // The summaries of Siemens and Ghent name her, too.
      const facts = nodes.find((entity) => entity.name === 'Nora Feld')?.facts ?? [];
      const times = new Set(facts.map(({ createdAt }) => createdAt));
      return [...facts.map(({ validAt }) => validAt?.slice(0, 7)).toSorted(), times.size];
    })
    .toEqual(['2015-01', '2021-03', 2]);
  const { page, faults } = await at('/memory?view=graph', noraName);
  const facts = page.getByLabel('Facts at this time').locator('li .prose');
  await expect.poll(() => facts.count()).toBe(2);
  await page.getByRole('slider', { name: 'Known at' }).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => facts.count()).toBe(1);
  await page.keyboard.press('End');
  await expect.poll(() => facts.count()).toBe(2);
  await page.getByRole('slider', { name: 'True at' }).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => facts.allInnerTexts()).toEqual([expect.stringContaining('Siemens')]);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => facts.count()).toBe(2);
  expect(faults).toEqual([]);
  await page.close();
});

it('archives a note, which models no longer receive', async () => {
  for (const content of ['Asks about rivers.', 'Plans a trip to Ghent.'])
    await nora.mutate('injectIntrospection', { content });
  const { page, faults } = await at('/memory?view=notes', noraName);
  const note = page.getByRole('listitem').filter({ hasText: 'Asks about rivers.' });
  await note.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('Models no longer receive this note.').waitFor();
  await note.waitFor({ state: 'detached' });
  await page.getByText('Plans a trip to Ghent.').waitFor();
  const { introspections } = await nora.query<{
    introspections: { content: string; archived: boolean }[];
  }>('{ introspections(includeArchived: true) { content archived } }');
  expect(introspections).toHaveLength(2);
  expect(introspections).toContainEqual({ content: 'Asks about rivers.', archived: true });
  expect(introspections).toContainEqual({ content: 'Plans a trip to Ghent.', archived: false });
  expect(faults).toEqual([]);
  await page.close();
});

it('underlines a fault in a Process where it is, and saves the mended text', async () => {
  const id = await eve.creates('process', asking(summarise, freshName('edit')));
  const { page, faults } = await at(`/processes/${id}`);
  await page.getByText('Valid', { exact: true }).waitFor();
  const editor = page.getByLabel('Definition, as YAML');
  const text = await editor.innerText();
  await editor.fill(text.replace('{step.draft}', '{step.missing}'));
  await page.getByText('step.missing is the output of no earlier step.').waitFor();
  await page.locator('.cm-lintRange-error').first().waitFor();
  await editor.fill(text.replace('Sent: ', 'Done: '));
  await page.getByText('Valid', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved version 2.').waitFor();
  const { process } = await eve.query<{ process: { version: number; outputTemplate: string } }>(
    'query ($id: ID!) { process(id: $id) { version outputTemplate } }',
    { id },
  );
  expect(process).toEqual({ version: 2, outputTemplate: 'Done: {{sent}}' });
  expect(faults).toEqual([]);
  await page.close();
});

it('forgets a fact, then its entity, with what goes with them', async () => {
  await said;
  const mara = async () => {
    const { entities } = await eve.query<{
      entities: { nodes: { uuid: string; name: string; facts: { fact: string }[] }[] };
    }>('{ entities(query: "Mara Quist") { nodes { uuid name facts { fact } } } }');
    // The summary of another entity may name her too.
    return entities.nodes.find(({ name }) => name === 'Mara Quist');
  };
  await expect.poll(async () => (await mara())?.facts.length).toBeGreaterThan(0);
  // The fact among the hits of a search, then the entity on its page.
  const { page, faults } = await at('/memory?q=Mara+Quist');
  const ofFact = page
    .getByRole('list', { name: 'Hits' })
    .getByRole('button', { name: /^Forget “Mara Quist lives/ });
  await ofFact.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 fact', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click();
  await page.getByText('Forgot the fact.').waitFor();
  await ofFact.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Mara Quist', exact: true }).click();
  await page.getByText('No fact connects it').waitFor();
  await page.getByRole('button', { name: 'Forget', exact: true }).click();
  await dialog.getByText('1 mention', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click();
  await page.waitForURL(/view=entities/);
  expect(await mara()).toBeUndefined();
  expect(faults).toEqual([]);
  await page.close();
});

it('says what is wrong where a run, a page or a token is not there', async () => {
  const { page } = await at('/runs/01a20fe6-0000-7000-8000-000000000000');
  await page.getByRole('heading', { name: 'No such run' }).waitFor();
  await page.goto(`${url}/console/nowhere`);
  await page.getByRole('heading', { name: 'The console has no such page' }).waitFor();
  await page.getByRole('button', { name: new RegExp(user) }).click();
  await page.getByRole('menuitem', { name: 'Sign in as another user' }).click();
  await page.getByLabel('Token (JWT)').fill('not-a-token');
  await page.getByRole('button', { name: 'Continue with the token' }).click();
  await page.getByText('In dev the header is').waitFor();
  await page.close();
});

it('groups conversations by days, and keeps the archived ones in sight', async () => {
  const title = freshName('About towns');
  const id = await eve.creates('conversation', { title });
  const { page, faults } = await at('/conversations');
  const row = page.getByRole('row', { name: title });
  await row.waitFor();
  await page.getByRole('rowheader', { name: 'Begun today', exact: true }).waitFor();
  await eve.query(
    'mutation ($input: UpdateConversationInput!) { updateConversation(input: $input) { ' +
      'userErrors { message } } }',
    { input: { id, status: 'ARCHIVED' } },
  );
  await row.waitFor({ state: 'detached' });
  const search = page.getByRole('searchbox', { name: 'Search conversations' });
  await search.fill(title);
  await page.getByText(`No conversation has “${title}”`).waitFor();
  await page.getByRole('tab', { name: 'Archived' }).click();
  await row.getByRole('link', { name: title }).click();
  await page.getByRole('heading', { name: title }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});
