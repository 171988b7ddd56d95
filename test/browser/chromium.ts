import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Installs Debian's chromium where it is missing. */
export function installChromium(): void {
  if (existsSync(CHROMIUM)) return;
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (process.getuid?.() === 0) {
    spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'] });
    spawnSync('apt-get', install, { stdio: ['ignore', 'ignore', 'inherit'], env });
  }
  if (!existsSync(CHROMIUM))
    throw new Error(
      `The browser tests need ${CHROMIUM}: apt-get install chromium, or set CHROMIUM to a path.`,
    );
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    // As root, chromium refuses to start its sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

export interface Screen {
  readonly page: Page;
  /** Errors of the page and of its console, such as a breach of the content security policy. */
  readonly faults: readonly string[];
}

export const PHONE = { width: 390, height: 844 };

/** Contexts by user: pages of one context load the console from its cache. */
const contexts = new WeakMap<Browser, Map<string, Promise<BrowserContext>>>();

function contextOf(browser: Browser, user: string, isPhone: boolean): Promise<BrowserContext> {
  const byUser = contexts.get(browser) ?? new Map<string, Promise<BrowserContext>>();
  contexts.set(browser, byUser);
  const key = `${user} ${isPhone}`;
  const context = byUser.get(key) ?? signedIn(browser, user, isPhone);
  byUser.set(key, context);
  return context;
}

async function signedIn(browser: Browser, user: string, isPhone: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...(isPhone
      ? { viewport: PHONE, hasTouch: true, isMobile: true }
      : { viewport: { width: 1360, height: 850 } }),
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await context.addInitScript(`localStorage.setItem('aiden.token', 'dev:${user}:admin')`);
  return context;
}

/** A page of the console, signed in as a dev user. */
export async function openScreen(
  browser: Browser,
  options: {
    readonly url: string;
    readonly user: string;
    readonly path?: string;
    /** A screen of 390 px that is touched. */
    readonly isPhone?: boolean;
  },
): Promise<Screen> {
  const { isPhone = false } = options;
  const page = await (await contextOf(browser, options.user, isPhone)).newPage();
  page.setDefaultTimeout(150_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`${options.url}/console${options.path ?? '/'}`);
  return { page, faults };
}

/** Where an element stands; one that is not drawn is an error. */
export async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${element} is not drawn.`);
  return box;
}

/** Serious and critical findings of axe, first light, then dark, as `theme rule: element`. */
export async function seriousFaultsInBothThemes(page: Page, ready: string): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    await page.locator(ready).first().waitFor();
    // Nothing but the colours changes with the theme.
    const rules = theme === 'dark' ? ['color-contrast', 'link-in-text-block'] : null;
    faults.push(...(await seriousFaults(page, rules)).map((fault) => `${theme} ${fault}`));
  }
  return faults;
}

/**
 * Serious and critical findings of axe in the dark at the width of a phone, and parts that stand
 * beyond its edge, as `phone rule: element`. The page is as wide as before then.
 */
export async function faultsAtPhoneWidth(page: Page, ready: string): Promise<string[]> {
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  await page.locator(ready).first().waitFor({ state: 'attached' });
  const faults = await seriousFaults(page, null);
  const beyond = (await staysBeyondTheEdge(page)).map((element) => `beyond the edge: ${element}`);
  if (before !== null) await page.setViewportSize(before);
  return [...faults, ...beyond].map((fault) => `phone ${fault}`);
}

/** Serious and critical findings of axe, of all rules or of these, as `rule: element`. */
async function seriousFaults(page: Page, rules: readonly string[] | null): Promise<string[]> {
  // In legacy mode axe opens no second page. That page serves frames, and the console has none.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules === null ? builder : builder.withRules([...rules])).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`),
    );
}

const LOOKS_MAX = 50;
const LOOK_EVERY_MS = 100;

/** As `beyondTheEdge`, once the page has had the time to become narrow: it does so in steps. */
async function staysBeyondTheEdge(page: Page): Promise<string[]> {
  for (let looks = 1; ; looks++) {
    const beyond = await beyondTheEdge(page);
    if (beyond.length === 0 || looks === LOOKS_MAX) return beyond;
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
}

/** Parts of the page that stand beyond its right edge, or scroll it sideways. */
export function beyondTheEdge(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth;
    const inScroller = (element) => {
      for (let at = element.parentElement; at !== null; at = at.parentElement)
        if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(at).overflowX) &&
          at.getBoundingClientRect().right <= width + 1 && !at.matches('.page-body, .panel, .run'))
          return true;
      return false;
    };
    return [...document.querySelectorAll('main *, nav *, [role=dialog] *')]
      .filter((element) => {
        const { right, width: own } = element.getBoundingClientRect();
        return own > 0 && right > width + 1 && !inScroller(element);
      })
      .slice(0, 5)
      .map((element) => element.outerHTML.slice(0, 120));
  })()`);
}
