import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  denialOf,
  type EgressRules,
  endpointOf,
  parseEndpoint,
  parseRules,
} from '../../src/platform/egress/address.ts';

const HERE = {
  ownAddresses: new Set(['192.168.7.7']),
  platformAddresses: new Set(['10.9.9.9:7687']),
};
const settings = {
  mode: 'production' as const,
  allow: ['10.1.0.0/16', 'intranet.example:8080', 'fd00::/8'],
  platformPorts: ['127.0.0.1:7687', 'neo4j:7687', '0.0.0.0:4000', '[::1]:7233'],
  systemOrigins: ['http://127.0.0.1:4010'],
};
const production = parseRules(settings);
const dev = parseRules({ ...settings, mode: 'dev' });

function may(
  ip: string,
  port = 443,
  rules: EgressRules = production,
  host = ip,
  caller: 'user' | 'system' = 'user',
): boolean {
  return denialOf(ip, { host, port }, caller, rules, HERE) === null;
}

describe('which addresses a Tool may reach', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111'])('a public address: %s', (ip) => {
    expect(may(ip)).toBe(true);
  });

  const PRIVATE =
    '127.0.0.1 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 192.0.2.1 ' +
    '198.18.0.1 224.0.0.1 255.255.255.255 ::1 :: ::ffff:127.0.0.1 ::ffff:10.0.0.1 ' +
    '::10.0.0.1 ::7f00:1 ::a00:1 ::808:808 fc00::1 fe80::1 64:ff9b::7f00:1 2002:7f00:1:: ' +
    '2001:0:7f00:1:: 2001:db8::1 ff02::1 not-an-ip';
  it.each(PRIVATE.split(' '))('not %s', (ip) => {
    expect(may(ip)).toBe(false);
  });

  it('in dev loopback too, but nothing else that is private', () => {
    expect(may('127.0.0.1', 8080, dev)).toBe(true);
    expect(may('::1', 8080, dev)).toBe(true);
    expect(may('127.9.9.9', 8080, dev)).toBe(true);
    expect(may('0.0.0.0', 8080, dev)).toBe(false);
    expect(may('10.0.0.1', 8080, dev)).toBe(false);
  });

  it('addresses that the operator allowed, by range and by host:port', () => {
    expect(may('10.1.2.3')).toBe(true);
    expect(may('fd12::1')).toBe(true);
    expect(may('10.5.5.5', 8080, production, 'intranet.example')).toBe(true);
    expect(may('10.5.5.5', 8081, production, 'intranet.example')).toBe(false);
  });

  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', '192.168.7.7'])(
    "never the platform's own ports, whatever form of this machine: %s",
    (ip) => {
      const open = parseRules({
        ...settings,
        mode: 'dev',
        allow: ['0.0.0.0/0', '::/0', `${ip.includes(':') ? `[${ip}]` : ip}:7687`],
      });
      for (const port of [7687, 4000, 7233]) expect(may(ip, port, open)).toBe(false);
    },
  );

  it('nor a platform host by its name or by an address it resolves to, whatever is allowed', () => {
    const open = parseRules({ ...settings, allow: ['0.0.0.0/0', 'neo4j:7687'] });
    expect(may('10.9.9.9', 7687, open, 'friend.example')).toBe(false);
    expect(may('8.8.4.4', 7687, open, 'neo4j')).toBe(false);
    expect(may('10.9.9.9', 7688, open, 'friend.example')).toBe(true);
  });

  it("local-llm's origin for Tools owned by system only", () => {
    expect(may('127.0.0.1', 4010, production, '127.0.0.1', 'system')).toBe(true);
    expect(may('127.0.0.1', 4010, production, '127.0.0.1', 'user')).toBe(false);
    expect(may('127.0.0.1', 4011, production, '127.0.0.1', 'system')).toBe(false);
    expect(may('127.0.0.1', 7687, production, '127.0.0.1', 'system')).toBe(false);
  });

  it('every IPv4 address is judged alike in its plain and its IPv6-mapped form', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 1, max: 65_535 }), (ip, port) => {
        expect(may(`::ffff:${ip}`, port, dev)).toBe(may(ip, port, dev));
      }),
    );
  });

  it('reads the 13 ways to write loopback as loopback', () => {
    const ways =
      '127.0.0.1 127.1 0177.0.0.1 0x7f.0.0.1 0x7f000001 2130706433 017700000001 127.0.0.1. ' +
      '[::1] [::ffff:127.0.0.1] [::ffff:7f00:1] 127。0。0。1 ①②⑦.⓪.⓪.①';
    for (const way of ways.split(' ')) {
      const asked = endpointOf(new URL(`http://${way}:7687/`));
      expect(denialOf(asked.host, asked, 'user', dev, HERE), way).toMatch(/own ports/);
      expect(may(asked.host, 8080, production), way).toBe(false);
    }
  });

  it('names the setting entry that it can not read', () => {
    expect(() => parseRules({ ...settings, allow: ['10.0.0.0/99'] })).toThrow('10.0.0.0/99');
    expect(() => parseRules({ ...settings, allow: ['somewhere'] })).toThrow('somewhere');
    expect(parseEndpoint('[::1]:80')).toEqual({ host: '::1', port: 80 });
  });
});
