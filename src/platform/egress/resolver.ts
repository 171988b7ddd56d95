import { lookup as dnsLookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { ToolFault } from '../../common/tool-fault.ts';
import {
  denialOf,
  type EgressRules,
  type Endpoint,
  hostKey,
  plainHost,
  type Surroundings,
} from './address.ts';

/** All addresses of a name, in the order to try. Tests of DNS rebinding inject it. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;
export type Caller = 'user' | 'system';

export interface Resolver {
  /**
   * The allowed addresses of an endpoint. One forbidden address refuses all: a name with a public
   * and a private address is a mistake or an attack.
   * @throws ToolFault EGRESS_DENIED, or TOOL_FAILED (retryable) when the name has no address
   */
  resolve(endpoint: Endpoint, caller: Caller): Promise<string[]>;
}

export const systemLookup: Lookup = async (hostname) =>
  (await dnsLookup(hostname, { all: true, order: 'ipv4first' })).map(({ address }) => address);

const PLATFORM_FRESH_MS = 30_000;

export function openResolver(rules: EgressRules, lookup: Lookup, timeoutMs: number): Resolver {
  const platformNames = rules.platform.filter(({ host }) => !ipaddr.isValid(host));
  let platformAddresses: { at: number; found: Promise<ReadonlySet<string>> } | null = null;

  async function findPlatformAddresses(): Promise<ReadonlySet<string>> {
    const found = await Promise.all(
      platformNames.map(async ({ host, port }) => {
        const addresses = await lookup(host).catch(() => []);
        return addresses.map((address) => `${plainHost(address)}:${port}`);
      }),
    );
    return new Set(found.flat());
  }

  async function surroundings(): Promise<Surroundings> {
    if (platformAddresses === null || performance.now() - platformAddresses.at > PLATFORM_FRESH_MS)
      platformAddresses = { at: performance.now(), found: findPlatformAddresses() };
    const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    return {
      platformAddresses: await platformAddresses.found,
      ownAddresses: new Set(interfaces.map(({ address }) => plainHost(address))),
    };
  }

  async function addressesOf({ host, port }: Endpoint): Promise<readonly string[]> {
    if (ipaddr.isValid(host)) return [host];
    const addresses = await withTimeout(lookup(host), timeoutMs).catch(() => []);
    if (addresses.length > 0) return addresses;
    throw new ToolFault(
      'TOOL_FAILED',
      `Could not reach ${host}:${port}: the name has no address.`,
      { retryable: true },
    );
  }

  return {
    async resolve(endpoint, caller) {
      const [addresses, around] = await Promise.all([addressesOf(endpoint), surroundings()]);
      for (const address of addresses) {
        const denial = denialOf(address, endpoint, caller, rules, around);
        if (denial !== null) throw denied(`${hostKey(endpoint)} can not be called: ${denial}.`);
      }
      return [...addresses];
    },
  };
}

export function denied(message: string): ToolFault {
  return new ToolFault('EGRESS_DENIED', message);
}

const withTimeout = <T>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms.`)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
