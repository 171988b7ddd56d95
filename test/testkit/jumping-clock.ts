import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Preloaded by `node --import`: a wall clock that jumps while the process runs, as after a
 * correction by NTP or of a virtual machine. At SIGUSR2 it is as many seconds off as the file
 * AIDEN_TEST_CLOCK says. Timers and `performance.now` go on.
 */
let offMs = 0;
const now = () => RealDate.now() + offMs;
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length ? given : [now()], made),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
process.on('SIGUSR2', () => {
  offMs = Number(readFileSync(process.env['AIDEN_TEST_CLOCK'] ?? '', 'utf8')) * 1_000;
});
