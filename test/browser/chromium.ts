import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

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

/** A page of the console, signed in as a dev user. */
export async function openScreen(
  browser: Browser,
  options: {
    readonly url: string;
    readonly user: string;
    readonly path?: string;
  },
): Promise<Screen> {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 850 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await context.addInitScript(`localStorage.setItem('aiden.token', 'dev:${options.user}:admin')`);
  const page = await context.newPage();
  page.setDefaultTimeout(150_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`${options.url}/console${options.path ?? '/'}`);
  return { page, faults };
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

/** Serious and critical findings of axe, of all rules or of these, as `rule: element`. */
async function seriousFaults(page: Page, rules: readonly string[] | null): Promise<string[]> {
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  const { violations } = await (rules === null ? builder : builder.withRules([...rules])).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`),
    );
}
