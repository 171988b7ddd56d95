import ipaddr from 'ipaddr.js';

/**
 * The addresses that Tools may reach. Hosts are lower case without a trailing dot; a `host:port`
 * key has no brackets.
 */
export interface EgressRules {
  /** `dev` allows loopback, because a developer's own services run there. */
  readonly mode: 'dev' | 'production';
  readonly allowedNets: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
  readonly allowedHosts: ReadonlySet<string>;
  /** The platform's own API, metrics, Neo4j, Temporal and Redis; never reachable by a Tool. */
  /** Grows when a server of the platform gets further ports. */
  readonly platform: Endpoint[];
  /** Hosts that Tools of `system` may also reach: local-llm. */
  readonly systemHosts: ReadonlySet<string>;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Addresses of this machine and of the platform's hosts, as plain IPs. */
export interface Surroundings {
  readonly ownAddresses: ReadonlySet<string>;
  /** Addresses of the platform's named endpoints, as `ip:port`. */
  readonly platformAddresses: ReadonlySet<string>;
}

export interface RuleSettings {
  readonly mode: 'dev' | 'production';
  /** CIDR (`10.0.0.0/8`) or `host:port`. */
  readonly allow: readonly string[];
  /** Each is `host:port`. */
  readonly platformPorts: readonly string[];
  /** Origins such as `http://127.0.0.1:4010`. */
  readonly systemOrigins: readonly string[];
}

/** @throws Error naming the invalid entry */
export function parseRules({
  mode,
  allow,
  platformPorts,
  systemOrigins,
}: RuleSettings): EgressRules {
  const nets = allow.filter((entry) => entry.includes('/'));
  const hosts = allow.filter((entry) => !entry.includes('/'));
  return {
    mode,
    allowedNets: nets.map((entry) => {
      if (!ipaddr.isValidCIDR(entry))
        throw new Error(`${entry} is neither a CIDR range nor host:port.`);
      return ipaddr.parseCIDR(entry);
    }),
    allowedHosts: new Set(hosts.map((entry) => hostKey(parseEndpoint(entry)))),
    platform: platformPorts.map(parseEndpoint),
    systemHosts: new Set(systemOrigins.map((origin) => hostKey(endpointOf(new URL(origin))))),
  };
}

export function parseEndpoint(text: string): Endpoint {
  const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535) throw new Error(`${text} is not host:port.`);
  return { host: plainHost(host), port: Number(port) };
}

export function endpointOf(url: URL): Endpoint {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: plainHost(url.hostname), port };
}

/** Lower case, without brackets and trailing dots. IPs in shortest form; IPv4 in IPv6 as IPv4. */
export function plainHost(host: string): string {
  const bare = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}

export function hostKey({ host, port }: Endpoint): string {
  return `${host}:${port}`;
}

/**
 * Why a Tool may not connect to `ip`, resolved from `asked`; null when it may. Without a rule only
 * public unicast addresses pass. Reserved, private and local addresses do not, nor those that embed
 * an IPv4 (NAT64, 6to4, Teredo).
 */
export function denialOf(
  ip: string,
  asked: Endpoint,
  caller: 'user' | 'system',
  rules: EgressRules,
  around: Surroundings,
): string | null {
  if (!ipaddr.isValid(ip)) return 'it is no IP address';
  // The operator allowed this name: system Tools reach local-llm on a loopback port this way.
  if (caller === 'system' && rules.systemHosts.has(hostKey(asked))) return null;
  const address = ipaddr.process(ip);
  const plain = address.toString();
  if (isPlatform(plain, asked, rules, around)) return "it is one of the platform's own ports";
  if (rules.allowedHosts.has(hostKey(asked)) || rules.allowedHosts.has(`${plain}:${asked.port}`))
    return null;
  if (
    rules.allowedNets.some(
      ([net, bits]) => net.kind() === address.kind() && address.match(net, bits),
    )
  )
    return null;
  const range = address.range();
  if (embedsIpv4(address)) return 'an IPv6 address that embeds an IPv4 is not public';
  if (range === 'unicast') return null;
  if (range === 'loopback' && rules.mode === 'dev') return null;
  const article = range === 'loopback' || range === 'private' ? 'a' : 'an';
  return `${article} ${range} address is not public`;
}

/** `::/96`, without `::` and `::1`: a deprecated form that ipaddr.js takes for unicast. */
function embedsIpv4(address: ReturnType<typeof ipaddr.process>): boolean {
  if (address.kind() !== 'ipv6' || address.range() !== 'unicast') return false;
  return address.match(ipaddr.parse('::'), 96);
}

function isPlatform(
  ip: string,
  asked: Endpoint,
  rules: EgressRules,
  around: Surroundings,
): boolean {
  if (around.platformAddresses.has(`${ip}:${asked.port}`)) return true;
  return rules.platform.some(
    ({ host, port }) =>
      port === asked.port &&
      (host === asked.host ||
        host === ip ||
        (isThisMachine(host, around) && isThisMachine(ip, around))),
  );
}

// A platform port bound to one address of this machine is refused at all its addresses.
function isThisMachine(host: string, { ownAddresses }: Surroundings): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || ownAddresses.has(host)) return true;
  if (!ipaddr.isValid(host)) return false;
  const range = ipaddr.process(host).range();
  return range === 'loopback' || range === 'unspecified';
}
