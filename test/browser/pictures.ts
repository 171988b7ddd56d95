import { mkdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { client, type TestClient } from '../testkit/client.ts';
import { shipped } from '../testkit/shipped.ts';
import {
  makeTourData,
  openForget,
  settled,
  startRun,
  TOUR_CONTEXT,
  type TourData,
  untilKnown,
} from './tour-data.ts';

/**
 * `node test/browser/pictures.ts [--url http://127.0.0.1:4000] [--only runs] [--out FOLDER]`:
 * pictures of every screen, light and dark, into docs/console, from the tour's data of a running
 * installation. `--phone yes` takes them at 390 px in place of that, to look at.
 */
const FOLDER = fileURLToPath(new URL('../../docs/console/', import.meta.url));
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** The tour's data, another run of the tour, a day of the memory, and a Tool with metrics. */
interface PictureData extends TourData {
  readonly otherRunId: string;
  /** The day of the table of contents. */
  readonly dayId: string;
  readonly toolId: string;
}

const SCREENS: readonly {
  readonly name: string;
  readonly path: (data: PictureData) => string;
  /** Opens the part of the page that is pictured. */
  readonly open?: (page: Page) => Promise<void>;
  readonly ready: string;
}[] = [
  { name: 'home', path: () => '/', ready: 'text=Needs you' },
  { name: 'runs', path: () => '/runs', ready: 'table.table tbody tr' },
  { name: 'start', path: ({ tourId }) => `/runs?start=${tourId}`, ready: '#context textarea' },
  { name: 'run', path: ({ tourRunId }) => `/runs/${tourRunId}`, ready: '.step-node' },
  { name: 'calls', path: ({ tourRunId }) => `/runs/${tourRunId}?view=calls`, ready: '.call-row' },
  {
    name: 'compare',
    path: ({ tourRunId, otherRunId }) => `/runs/compare?left=${tourRunId}&right=${otherRunId}`,
    ready: '.diff',
  },
  { name: 'step', path: ({ tourRunId }) => `/runs/${tourRunId}?step=gist`, ready: '.attempt' },
  { name: 'failed', path: ({ failedRunId }) => `/runs/${failedRunId}`, ready: '.notice.tone-bad' },
  { name: 'approval', path: ({ waitingRunId }) => `/runs/${waitingRunId}`, ready: '.approval' },
  {
    name: 'conversation',
    path: ({ conversationId }) => `/conversations/${conversationId}`,
    ready: 'text=A model sees',
  },
  { name: 'memory', path: () => '/memory?q=Ada', ready: '.hit' },
  {
    name: 'forget',
    path: () => '/memory?q=Ada',
    open: openForget,
    ready: '[role=dialog] li',
  },
  { name: 'graph', path: () => '/memory?view=graph', ready: '.memory-graph .hit' },
  {
    name: 'toc',
    path: ({ dayId }) => `/memory?view=toc&node=${encodeURIComponent(dayId)}`,
    open: (page) =>
      page
        .getByRole('button', { name: /^The words/ })
        .first()
        .click(),
    ready: '.said.proof',
  },
  { name: 'processes', path: () => '/processes', ready: 'table.table tbody tr' },
  { name: 'process', path: ({ tourId }) => `/processes/${tourId}`, ready: 'text=Valid' },
  {
    name: 'process-runs',
    path: ({ tourId }) => `/processes/${tourId}?view=runs`,
    ready: '.chart canvas',
  },
  {
    name: 'versions',
    path: ({ askingId }) => `/processes/${askingId}?view=versions`,
    ready: '.diff',
  },
  { name: 'new-process', path: () => '/processes/new', ready: '.choice' },
  {
    name: 'step-form',
    path: ({ tourId }) => `/processes/${tourId}?step=gist`,
    ready: '.step-form',
  },
  {
    name: 'mending',
    path: ({ failedRunId }) => `/runs/${failedRunId}`,
    open: (page) => page.getByRole('link', { name: 'Open in the editor' }).click(),
    ready: '.step-form .notice',
  },
  {
    name: 'selection',
    path: () => '/runs',
    open: async (page) => {
      await page.getByLabel('Tick all shown').check();
      await page.getByRole('button', { name: /^Cancel \d/ }).click();
    },
    ready: '[role=dialog] li',
  },
  { name: 'catalog', path: () => '/catalog', ready: 'table.table tbody tr' },
  { name: 'services', path: () => '/catalog?view=services', ready: 'table.table tbody tr' },
  { name: 'new-tool', path: () => '/catalog/tools/new', ready: '.form-page' },
  {
    name: 'new-service',
    path: () => '/catalog?view=services',
    open: (page) => page.getByRole('button', { name: 'New Service' }).click(),
    ready: '[role=dialog] input',
  },
  {
    name: 'new-secret',
    path: () => '/catalog?view=secrets',
    open: (page) => page.getByRole('button', { name: 'New Secret' }).first().click(),
    ready: '[role=dialog] input',
  },
  { name: 'your-data', path: () => '/memory?view=data', ready: '.button.danger' },
  { name: 'operations', path: () => '/operations', ready: 'table.table tbody tr' },
  {
    name: 'metrics',
    path: ({ toolId }) => `/operations?view=metrics&kind=TOOL&time=hour&object=${toolId}`,
    ready: '.chart canvas',
  },
  { name: 'costs', path: () => '/operations?view=costs', ready: 'table.table tbody tr' },
  { name: 'settings', path: () => '/operations?view=settings', ready: '.setting' },
];

function option(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
}

const DAY_MS_MAX = 150_000;

/** The first day of the table of contents that has lines. */
async function dayOf(ada: TestClient): Promise<string> {
  type Node = {
    nodeId: string;
    level: string;
    bullets: object[];
    children?: { nodes: Node[] };
  };
  const fields = 'nodeId level bullets { text }';
  for (const until = Date.now() + DAY_MS_MAX; Date.now() < until; await setTimeout(500)) {
    const { tocRoot } = await ada.query<{ tocRoot: Node[] }>(`{ tocRoot { ${fields} } }`);
    let node = tocRoot[0];
    while (node !== undefined && node.level !== 'DAY') {
      const { tocNode } = await ada.query<{ tocNode: Node | null }>(
        `query ($id: ID!) { tocNode(nodeId: $id) { ${fields} children { nodes { ${fields} } } } }`,
        { id: node.nodeId },
      );
      node = tocNode?.children?.nodes[0];
    }
    if (node !== undefined && node.bullets.length > 0) return node.nodeId;
  }
  throw new Error('The table of contents has no day with lines.');
}

/** The tour twice, with another question, and a Process with a second version. */
async function makeData(ada: TestClient): Promise<PictureData> {
  const data = await makeTourData(ada);
  await untilKnown(ada, 'Ada');
  const context = { ...TOUR_CONTEXT, question: 'When did she receive the Nobel Prize in Physics?' };
  const otherRunId = await startRun(ada, data.tourId, context);
  await settled(ada, otherRunId);
  await ada.query(
    'mutation ($input: UpdateProcessInput!) { updateProcess(input: $input) { ' +
      'userErrors { message } } }',
    { input: { id: data.askingId, outputTemplate: 'Sent to the customer: {{sent}}' } },
  );
  return {
    ...data,
    otherRunId,
    dayId: await dayOf(ada),
    toolId: (await shipped(ada)).toolId('summarise text'),
  };
}

async function main(): Promise<void> {
  const url = option('url') ?? 'http://127.0.0.1:4000';
  const only = option('only')?.split(',');
  const out = option('out') ?? FOLDER;
  const size = option('phone') === 'yes' ? 'phone' : 'desk';
  const known = option('data');
  const ada = client('dev', { url, role: 'admin' });
  const data: PictureData = known === undefined ? await makeData(ada) : JSON.parse(known);
  console.log(JSON.stringify(data));
  await mkdir(out, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: SIZES[size],
      colorScheme,
      reducedMotion: 'reduce',
    });
    for (const { name, path, open, ready } of SCREENS) {
      if (only !== undefined && !only.includes(name)) continue;
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') console.log(`${name}: ${message.text()}`);
      });
      page.on('pageerror', (error) => console.log(`${name}: ${error.message}`));
      await page.goto(`${url}/console${path(data)}`);
      await open?.(page);
      await page
        .waitForSelector(ready, { timeout: 20_000 })
        .catch(() => console.log(`${name}: ${ready} is missing`));
      await page.waitForTimeout(700);
      await page.screenshot({
        path: `${out}/${name}-${size === 'desk' ? '' : 'phone-'}${colorScheme}.png`,
      });
      await page.close();
    }
    await context.close();
  }
  await browser.close();
}

await main();
