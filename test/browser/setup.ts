import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { buildConsole } from '../../src/host/console.ts';
import setupApp from '../testkit/app-setup.ts';
import { CHROMIUM } from './chromium.ts';

/**
 * Before the browser tests: the console is built, Debian's chromium is there, and the app runs. The
 * app is the product as `npm start` runs it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  installChromium();
  await buildConsole((line) => console.log(line));
  return setupApp();
}

function installChromium(): void {
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
