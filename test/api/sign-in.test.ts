import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../src/main/http/server.ts';
import { SYSTEM_USER_ID } from '../../src/users/user.ts';
import { startApi, type TestApi } from '../testkit/api-server.ts';
import { client, freshName } from '../testkit/client.ts';
import { listening } from '../testkit/listen.ts';

const VIEWER = '{ viewer { id name roles workspace } }';
interface Viewer {
  viewer: { id: string; name: string; roles: string[]; workspace: string };
}

// docs/decisions/0016
describe('dev tokens', () => {
  it('make a user at first sight and find the same one again', async () => {
    const name = freshName();
    const first = await client(name).query<Viewer>(VIEWER);
    const again = await client(name).query<Viewer>(VIEWER);
    expect(first.viewer).toMatchObject({ name, roles: ['USER'] });
    expect(first.viewer.workspace).toBe(first.viewer.id);
    expect(again).toEqual(first);
  });

  it('make one user of fifty first requests at once', async () => {
    const name = freshName();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client(name).query<Viewer>(VIEWER)),
    );
    expect(new Set(answers.map(({ viewer }) => viewer.id)).size).toBe(1);
  });

  it('give the admin role only where they say so', async () => {
    const { viewer } = await client(freshName(), { role: 'admin' }).query<Viewer>(VIEWER);
    expect(viewer.roles).toEqual(['USER', 'ADMIN']);
  });

  const rolesOf = async (headers: Record<string, string>) => {
    const response = await fetch(`${process.env['AIDEN_TEST_URL']}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: VIEWER }),
    });
    const { data } = (await response.json()) as { data: Viewer };
    return [data.viewer.name, ...data.viewer.roles];
  };

  it('take a request without a token for the user dev, without the role admin', async () => {
    expect(await rolesOf({})).toEqual(['dev', 'USER']);
    for (const site of ['none', 'same-site', 'cross-site'])
      expect(await rolesOf({ 'sec-fetch-site': site })).toEqual(['dev', 'USER']);
  });

  it('take a request without a token from our own page for the admin dev', async () => {
    const own = process.env['AIDEN_TEST_URL'] ?? '';
    expect(await rolesOf({ 'sec-fetch-site': 'same-origin' })).toEqual(['dev', 'USER', 'ADMIN']);
    expect(await rolesOf({ origin: own })).toEqual(['dev', 'USER', 'ADMIN']);
    // Another loopback name is another origin for a browser.
    const other = own.replace('127.0.0.1', 'localhost');
    expect(await rolesOf({ origin: other })).toEqual(['dev', 'USER']);
    expect(await rolesOf({ origin: own, 'sec-fetch-site': 'same-site' })).toEqual(['dev', 'USER']);
    // A token always decides alone.
    const bob = { authorization: 'Bearer dev:bob', 'sec-fetch-site': 'same-origin' };
    expect(await rolesOf(bob)).toEqual(['bob', 'USER']);
  });

  it.each([
    'Bearer dev:system',
    'Bearer dev:System:admin',
    'Bearer dev:',
    'Bearer dev:a b',
    'Bearer somebody',
    'Basic ZGV2OmRldg==',
    'dev:ada',
  ])('refuse "%s" as UNAUTHENTICATED with 401', async (authorization) => {
    const { status, errors, data } = await client('', { authorization }).ask(VIEWER);
    expect(status).toBe(401);
    expect(errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(data).toBeNull();
  });

  it('are not believed beyond loopback', async () => {
    const open = { host: '0.0.0.0', port: 0, mode: 'dev', origins: [] } as const;
    await expect(startServer({ ...open, auth: { mode: 'dev' } }, {} as never)).rejects.toThrow(
      /loopback/,
    );
  });
});

describe('JSON Web Tokens', () => {
  const secret = 'a secret of more than thirty-two bytes';
  const key = new TextEncoder().encode(secret);
  const [issuer, audience] = ['https://issuer.example', 'aiden'];
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({
      mode: 'production',
      auth: { mode: 'jwt', key: { secret }, issuer, audience },
    });
  });
  afterAll(() => api.stop());

  const token = (
    claims: object,
    sub = freshName(),
    header: JWTHeaderParameters = { alg: 'HS256' },
  ) =>
    new SignJWT({ ...claims })
      .setProtectedHeader(header)
      .setSubject(sub)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m');
  const ask = (jwt: string) =>
    client('', { url: api.url, authorization: `Bearer ${jwt}` }).ask<Viewer>(VIEWER);

  it('sign in their subject, with its roles and workspace', async () => {
    const jwt = await token({ name: 'Ada', roles: ['admin'], workspace: 'team-1' }).sign(key);
    const { data } = await ask(jwt);
    expect(data?.viewer).toMatchObject({
      name: 'Ada',
      roles: ['USER', 'ADMIN'],
      workspace: 'team-1',
    });
  });

  it('never resolve to system, whatever their subject is', async () => {
    for (const sub of ['system', SYSTEM_USER_ID]) {
      const { data } = await ask(await token({}, sub).sign(key));
      expect(data?.viewer.id).toMatch(/-7/);
      expect(data?.viewer.id).not.toBe(SYSTEM_USER_ID);
    }
  });

  it('keep the same subject of two issuers apart from each other', async () => {
    const sub = freshName();
    const dev = await client(sub).query<Viewer>(VIEWER);
    const { data } = await ask(await token({}, sub).sign(key));
    expect(data?.viewer.id).not.toBe(dev.viewer.id);
  });

  it('follow a role that was taken away', async () => {
    const sub = freshName();
    await ask(await token({ roles: ['admin'] }, sub).sign(key));
    const { data } = await ask(await token({}, sub).sign(key));
    expect(data?.viewer.roles).toEqual(['USER']);
  });

  const rsa = generateKeyPair('RS256');
  const bad: [string, () => Promise<string>][] = [
    [
      'expired',
      () =>
        token({})
          .setExpirationTime(new Date(Date.now() - 60_000))
          .sign(key),
    ],
    ['for somebody else', () => token({}).setAudience('another').sign(key)],
    ['from another issuer', () => token({}).setIssuer('https://evil.example').sign(key)],
    ['signed with another secret', () => token({}).sign(new TextEncoder().encode('x'.repeat(40)))],
    [
      'of another algorithm',
      async () => token({}, undefined, { alg: 'RS256' }).sign((await rsa).privateKey),
    ],
    ['without a subject', () => token({}, '').sign(key)],
    [
      'without an end',
      () =>
        new SignJWT({})
          .setProtectedHeader({ alg: 'HS256' })
          .setSubject('x')
          .setIssuer(issuer)
          .setAudience(audience)
          .sign(key),
    ],
    ['with a workspace that climbs', () => token({ workspace: '../other' }).sign(key)],
    ['garbled', async () => 'not.a.token'],
    ['unsigned', async () => `${btoa('{"alg":"none"}')}.${btoa('{"sub":"x"}')}.`],
    ['a dev token', async () => 'dev:ada:admin'],
  ];
  it.each(bad)('are refused when %s', async (_why, make) => {
    const { status, errors } = await ask(await make());
    expect(status).toBe(401);
    expect(errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('end open streams when they end', async () => {
    const jwt = await token({}).setExpirationTime('10s').sign(key);
    const ada = client('', { url: api.url, authorization: `Bearer ${jwt}` });
    const endOf = async (subscribe: 'subscribeSse' | 'subscribeWs'): Promise<unknown> => {
      const ticks = ada[subscribe]<object>('subscription { probeTicks(count: 1, quiet: true) }');
      expect(await ticks.next()).toMatchObject({ done: false });
      return ticks.next().then(
        () => 'completed',
        (error: unknown) => error,
      );
    };
    // Cut off, not completed: the reader signs in again and goes on from its cursor.
    const [sse, ws] = await Promise.all([endOf('subscribeSse'), endOf('subscribeWs')]);
    expect(sse).toBeInstanceOf(Error);
    expect(ws).toMatchObject({ code: 4401 });
  });

  it('are needed for every root field, and their absence is UNAUTHENTICATED', async () => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename node(id: "x") { id } health { status } }' }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect(errors.map(({ extensions }) => extensions.code)).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
    ]);
  });

  it('are checked against a JWKS where one is named', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] };
    const jwks = createServer((_request, response) => response.end(JSON.stringify(keys)));
    const jwksUrl = `http://${await listening(jwks)}/`;
    const other = await startApi({
      mode: 'production',
      auth: { mode: 'jwt', key: { jwksUrl }, issuer, audience },
    });
    try {
      const good = await token({ name: 'Grace' }, undefined, { alg: 'ES256', kid: 'k1' }).sign(
        privateKey,
      );
      const asked = (jwt: string) =>
        client('', { url: other.url, authorization: `Bearer ${jwt}` }).ask<Viewer>(VIEWER);
      expect((await asked(good)).data?.viewer.name).toBe('Grace');
      // A token signed with the public key as an HMAC secret: the classic confusion of algorithms.
      const confused = await token({}).sign(new TextEncoder().encode(JSON.stringify(keys.keys[0])));
      expect((await asked(confused)).status).toBe(401);
    } finally {
      await other.stop();
      jwks.close();
    }
  });
});
