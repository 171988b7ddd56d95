import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { client, freshName } from '../testkit/client.ts';
import { animatedWebp, type Frame } from './animated-webp.ts';
import { launch } from './chromium.ts';

/**
 * `node test/browser/moving-picture.ts [--url http://127.0.0.1:4000] [--out FILE]`: the moving
 * picture of README, docs/console/tour.webp. As a new user it starts the tour on Home of a running
 * installation, follows it to its end, and shows a step. Then it shows the newest conversation of
 * the user dev, which `pictures.ts` makes, and the Process.
 */
const OUT = fileURLToPath(new URL('../../docs/console/tour.webp', import.meta.url));
const SCREEN = { width: 1280, height: 800 };
const PICTURE = { width: 960, height: 600 };
const QUALITY = 0.72;
const RUN_FRAME_MS = 200;
const RUN_FRAMES_MAX = 120;
/** Consecutive equal frames are one that is shown longer, up to this. */
const STILL_MS_MAX = 2_500;

function option(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** Scales a screenshot and encodes it as WebP, in the page `encoder`. */
async function still(encoder: Page, png: Buffer): Promise<Uint8Array> {
  const base64 = await encoder.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [${PICTURE.width}, ${PICTURE.height}];
    const context = canvas.getContext('2d', { alpha: false });
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/webp', ${QUALITY}).split(',')[1];
  })()`);
  return Buffer.from(base64, 'base64');
}

async function main(): Promise<void> {
  const url = option('url') ?? 'http://127.0.0.1:4000';
  const dev = client('dev', { url, role: 'admin' });
  const { conversations } = await dev.query<{ conversations: { nodes: { id: string }[] } }>(
    '{ conversations(first: 1) { nodes { id } } }',
  );
  const browser = await launch();
  const pageOf = async (user: string) => {
    const context = await browser.newContext({
      viewport: SCREEN,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await context.addInitScript(`localStorage.setItem('aiden.token', 'dev:${user}')`);
    return context.newPage();
  };
  const encoder = await (await browser.newContext()).newPage();
  let page = await pageOf(freshName('grace'));
  const shots: { png: Buffer; ms: number }[] = [];
  const shoot = async (ms: number) => {
    const png = await page.screenshot({ animations: 'disabled' });
    const last = shots.at(-1);
    if (last?.png.equals(png) === true) last.ms = Math.min(STILL_MS_MAX, last.ms + ms);
    else shots.push({ png, ms });
  };
  const show = async (path: string, ready: string, ms: number) => {
    await page.goto(`${url}/console${path}`);
    await page.locator(ready).first().waitFor();
    await page.waitForTimeout(800);
    await shoot(ms);
  };

  await show('/', '.first', 2_200);
  await page.getByRole('button', { name: 'Start the tour' }).click();
  await page.waitForURL(/\/console\/runs\/[0-9a-f-]{36}/);
  await page.locator('.step-node').first().waitFor();
  const isOver = page.locator('.page-head').getByText('Completed', { exact: true });
  for (let count = 0; count < RUN_FRAMES_MAX && !(await isOver.isVisible()); count++) {
    await shoot(RUN_FRAME_MS);
    await page.waitForTimeout(RUN_FRAME_MS);
  }
  await page.waitForTimeout(800);
  await shoot(2_200);
  await page.locator('.step-node').nth(1).click();
  await page.waitForTimeout(800);
  await shoot(2_200);
  page = await pageOf('dev:admin');
  const conversationId = conversations.nodes[0]?.id;
  if (conversationId !== undefined)
    await show(`/conversations/${conversationId}`, 'text=A model sees', 2_800);
  await page.goto(`${url}/console/processes`);
  await page.getByRole('link', { name: 'tour', exact: true }).first().click();
  await page.getByText('Valid', { exact: true }).waitFor();
  await page.waitForTimeout(800);
  await shoot(2_800);

  const frames: Frame[] = [];
  for (const { png, ms } of shots) frames.push({ webp: await still(encoder, png), ms });
  const file = animatedWebp(frames, PICTURE);
  const out = option('out') ?? OUT;
  await writeFile(out, file);
  console.log(`${out}: ${frames.length} frames, ${Math.round(file.length / 1024)} kB`);
  await browser.close();
}

await main();
