import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { launch, openScreen, type Screen } from './chromium.ts';

/** The address of the shared app. */
export const url = process.env['AIDEN_TEST_URL'] ?? '';

/** A user of the console, an admin, with a browser that is open as long as the test file runs. */
export function consoleUser(prefix: string) {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  const user = freshName(prefix);
  return {
    user,
    api: client(user, { role: 'admin' }),
    /** Opens a page of the console, as another user where one is named. */
    at: (path: string, as = user): Promise<Screen> => openScreen(browser, { url, user: as, path }),
    /** Opens a page of the console on a phone. */
    onPhone: (path: string): Promise<Screen> =>
      openScreen(browser, { url, user, path, isPhone: true }),
  };
}
