import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { launch, openScreen, seriousFaultsInBothThemes } from './chromium.ts';
import {
  makeConversation,
  makeTourRuns,
  openForget,
  type TourRuns,
  untilKnown,
} from './tour-data.ts';

const url = process.env['AIDEN_TEST_URL'] ?? '';
const user = freshName('eve');
let browser: Browser;
let runs: TourRuns;
/** Takes the longest; only its own test waits for it. */
let conversation: Promise<string>;
/** Memory has read the conversation. */
let known: Promise<void>;

beforeAll(async () => {
  browser = await launch();
  const eve = client(user, { role: 'admin' });
  conversation = makeConversation(eve);
  known = conversation.then(() => untilKnown(eve, 'Ada'));
  runs = await makeTourRuns(eve);
});
afterAll(() => browser.close());

type Screen = readonly [
  name: string,
  path: () => string | Promise<string>,
  ready: string,
  open?: (page: Page) => Promise<void>,
];
const SCREENS: readonly Screen[] = [
  ['Home', () => '/', '.card'],
  ['Runs', () => '/runs', 'tbody tr'],
  ['the start of a run', () => `/runs?start=${runs.tourId}`, '#context textarea'],
  ['a run', () => `/runs/${runs.tourRunId}?step=gist`, '.step-node'],
  ['an approval', () => `/runs/${runs.waitingRunId}`, '.approval'],
  ['Memory', () => '/memory?q=Ada', '.page-body'],
  ['Forget', () => known.then(() => '/memory?q=Ada'), '[role=dialog] li', openForget],
  ['an entity', () => known.then(() => '/memory?view=entities'), '.entity-grid', openAda],
  ['notes', () => '/memory?view=notes', '.page-body .list, .empty'],
  ["one's own data", () => '/memory?view=data', '.button.danger'],
  ['the graph of the memory', () => '/memory?view=graph', '.memory-graph, .empty'],
  ['the table of contents', () => '/memory?view=toc', '.toc, .empty'],
  ['Processes', () => '/processes', 'tbody tr'],
  ['a Process', () => `/processes/${runs.tourId}`, '.cm-content'],
  ['a step of a Process', () => `/processes/${runs.tourId}?step=gist`, '.step-form'],
  ['a new Process', () => '/processes/new', '.choice'],
  ['the settings of a new Process', () => '/processes/new?name=x', '.step-form'],
  ['versions of a Process', () => `/processes/${runs.tourId}?view=versions`, '.diff'],
  ['the calls of a run', () => `/runs/${runs.tourRunId}?view=calls`, '.call-row'],
  [
    'two runs beside each other',
    () => `/runs/compare?left=${runs.tourRunId}&right=${runs.failedRunId}`,
    '.compare-facts',
  ],
  ['Catalog', () => '/catalog', 'tbody tr'],
  ['Services', () => '/catalog?view=services', 'tbody tr'],
  ['a Tool', () => `/catalog/tools/${runs.toolId}`, '.entity-grid'],
  ['a new Tool', () => '/catalog/tools/new', '.form-page'],
  ['a new Service', () => '/catalog?view=services', '[role=dialog] input', opened('New Service')],
  ['a new Secret', () => '/catalog?view=secrets', '[role=dialog] input', opened('New Secret')],
  ['a selection of runs', () => '/runs', '[role=dialog] li', openSelection],
  ['Operations', () => '/operations', 'tbody tr'],
  ['costs', () => '/operations?view=costs', 'tbody tr'],
  ['settings', () => '/operations?view=settings', '.setting'],
  ['a conversation', async () => `/conversations/${await conversation}`, '.message'],
];

function opened(button: string): (page: Page) => Promise<void> {
  return (page) => page.getByRole('button', { name: button }).first().click();
}

async function openSelection(page: Page): Promise<void> {
  await page.getByLabel('Tick all shown').check();
  await page
    .getByRole('button', { name: /^(Cancel|Retry) \d/ })
    .first()
    .click();
}

function openAda(page: Page): Promise<void> {
  return page.getByRole('link', { name: 'Ada', exact: true }).first().click();
}

for (const [name, path, ready, open] of SCREENS)
  it.concurrent(`has nothing serious for axe on ${name}, light and dark`, async ({ expect }) => {
    const { page } = await openScreen(browser, { url, user, path: await path() });
    await open?.(page);
    expect(await seriousFaultsInBothThemes(page, ready)).toEqual([]);
    await page.close();
  });
