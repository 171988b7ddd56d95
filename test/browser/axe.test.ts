import type { Page } from 'playwright-core';
import { beforeAll, it } from 'vitest';
import { faultsAtPhoneWidth, seriousFaultsInBothThemes } from './chromium.ts';
import { consoleUser } from './console-user.ts';
import {
  makeConversation,
  makeTourRuns,
  openForget,
  type TourRuns,
  untilKnown,
} from './tour-data.ts';

const { api: eve, at } = consoleUser('eve');
let runs: TourRuns;
/** Takes the longest; only its own test waits for it. */
let conversation: Promise<string>;
/** Memory has read the conversation. */
let known: Promise<void>;

beforeAll(async () => {
  conversation = makeConversation(eve);
  known = conversation.then(() => untilKnown(eve, 'Ada'));
  runs = await makeTourRuns(eve);
});

type Screen = readonly [
  name: string,
  path: () => string | Promise<string>,
  /** Null: axe looks only at the part that is opened. */
  ready: string | null,
  more?: Opened,
];
/** A part of the page that is opened, and the element that shows it is there. */
type Opened = readonly [open: (page: Page) => Promise<void>, ready: string];
const SCREENS: readonly Screen[] = [
  ['Home', () => '/', '.card'],
  ['Runs and a selection', () => '/runs', 'tbody tr', [openSelection, '[role=dialog] li']],
  ['the start of a run', () => `/runs?start=${runs.tourId}`, '#context textarea'],
  ['a run', () => `/runs/${runs.tourRunId}?step=gist`, '.step-node'],
  ['an approval', () => `/runs/${runs.waitingRunId}`, '.approval'],
  ['Memory and Forget', ofAda('q=Ada'), '.page-body', [openForget, '[role=dialog] li']],
  ['an entity', ofAda('view=entities'), null, [openAda, '.entity-grid']],
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
  ['Services and a new one', () => '/catalog?view=services', 'tbody tr', opened('New Service')],
  ['a Tool', () => `/catalog/tools/${runs.toolId}`, '.entity-grid'],
  ['a new Tool', () => '/catalog/tools/new', '.form-page'],
  ['a new Secret', () => '/catalog?view=secrets', null, opened('New Secret')],
  ['Operations', () => '/operations', 'tbody tr'],
  ['costs', () => '/operations?view=costs', 'tbody tr'],
  ['settings', () => '/operations?view=settings', '.setting'],
  ['a conversation', async () => `/conversations/${await conversation}`, '.message'],
];

function ofAda(query: string): () => Promise<string> {
  return () => known.then(() => `/memory?${query}`);
}

function opened(button: string): Opened {
  const open = (page: Page) => page.getByRole('button', { name: button }).first().click();
  return [open, '[role=dialog] input'];
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

for (const [name, path, ready, more] of SCREENS)
  it.concurrent(`has nothing serious for axe on ${name}, and is whole on a phone`, async ({
    expect,
  }) => {
    const { page } = await at(await path());
    const faultsOf = async (part: string) => [
      ...(await seriousFaultsInBothThemes(page, part)),
      ...(await faultsAtPhoneWidth(page, part)),
    ];
    const faults = ready === null ? [] : await faultsOf(ready);
    if (more !== undefined) {
      const [open, readyThen] = more;
      await open(page);
      faults.push(...(await faultsOf(readyThen)));
    }
    expect(faults).toEqual([]);
    await page.close();
  });
