import { buildConsole } from '../../src/host/console.ts';
import setupApp from '../testkit/app-setup.ts';
import { installChromium } from './chromium.ts';

/**
 * Before the browser tests: the console is built, Debian's chromium is there, and the app runs. The
 * app is the product as `npm start` runs it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  installChromium();
  await buildConsole((line) => console.log(line));
  return setupApp();
}
