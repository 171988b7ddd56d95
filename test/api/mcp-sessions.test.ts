import { createServer } from 'node:http';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../testkit/api-server.ts';
import { freshName } from '../testkit/client.ts';
import { listening } from '../testkit/listen.ts';
import { mcpClients } from '../testkit/mcp-client.ts';

// The sessions of /mcp, and how a client finds the server that issues tokens (docs/decisions/0067).

const signsIn = mcpClients();
const connects = ({ url }: TestApi, authorization: string) => signsIn({ url, authorization });
const lists = (client: Client) =>
  client.listTools().then(
    // Those of the memory.
    ({ tools }) => tools.length,
    (error: Error) => error.message,
  );

describe('sessions', () => {
  it('of one user are limited: another one ends the oldest, and no other user’s', async () => {
    const mcpSessions = { sessions: 100, sessionsPerUser: 2, idleMs: 60_000 };
    const api = await startApi({ mcpSessions });
    const [ada, bob] = [`Bearer dev:${freshName('ada')}`, `Bearer dev:${freshName('bob')}`];
    const others = await connects(api, bob);
    const first = await connects(api, ada);
    const second = await connects(api, ada);
    expect(await lists(first)).toBe(3);
    const third = await connects(api, ada);
    // The second was used longest ago.
    expect(await lists(second)).toContain('There is no such session');
    expect(await lists(first)).toBe(3);
    expect(await lists(third)).toBe(3);
    expect(await lists(others)).toBe(3);
    await api.stop();
  });

  it('in all are limited, and end without a request for a while', async () => {
    const mcpSessions = { sessions: 2, sessionsPerUser: 50, idleMs: 1_500 };
    const api = await startApi({ mcpSessions });
    const users = ['ada', 'bob', 'eve'].map((name) => `Bearer dev:${freshName(name)}`);
    const opened: Client[] = [];
    for (const user of users) opened.push(await connects(api, user));
    const [first, , last] = opened;
    if (first === undefined || last === undefined) throw new Error('There are three.');
    expect(await lists(first)).toContain('There is no such session');
    expect(await lists(last)).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await lists(last)).toContain('There is no such session');
    // The protocol's answer to that is another session.
    expect(await lists(await connects(api, users[2] ?? ''))).toBe(3);
    await api.stop();
  });
});

describe('OAuth metadata of the resource', () => {
  const issuer = 'https://id.example.com/realms/aiden';
  const audience = 'aiden';
  let api: TestApi;
  let token: string;
  let signs: (validFor: string) => Promise<string>;
  const jwks = createServer();
  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const key = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' };
    jwks.on('request', (_request, response) => response.end(JSON.stringify({ keys: [key] })));
    const jwksUrl = `http://${await listening(jwks)}/`;
    api = await startApi({
      mode: 'production',
      auth: { mode: 'jwt', key: { jwksUrl }, issuer, audience },
    });
    const subject = freshName();
    signs = (validFor) =>
      new SignJWT({ sub: subject })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime(validFor)
        .sign(privateKey);
    token = await signs('1h');
  });
  afterAll(async () => {
    await api.stop();
    jwks.close();
  });

  it('names the issuer, also at the path of the resource', async () => {
    for (const path of ['', '/mcp']) {
      const response = await fetch(
        new URL(`/.well-known/oauth-protected-resource${path}`, api.url),
      );
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        resource: `${api.url}/mcp`,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
      });
    }
  });

  it('is named by the refusal of a request without a valid token', async () => {
    const challenge = async (headers: Record<string, string>) => {
      const response = await fetch(new URL('/mcp', api.url), { method: 'POST', headers });
      return [response.status, response.headers.get('www-authenticate')];
    };
    const metadata = `resource_metadata="${api.url}/.well-known/oauth-protected-resource/mcp"`;
    expect(await challenge({})).toEqual([401, `Bearer ${metadata}`]);
    expect(await challenge({ authorization: 'Bearer wrong' })).toEqual([
      401,
      `Bearer error="invalid_token", ${metadata}`,
    ]);
    expect(await lists(await connects(api, `Bearer ${token}`))).toBe(3);
  });

  it('holds for streams too: one ends with its token', async () => {
    const client = await connects(api, `Bearer ${token}`);
    const { sessionId = '' } = client.transport ?? {};
    const headers = { accept: 'text/event-stream', 'mcp-session-id': sessionId };
    const listens = async () =>
      fetch(new URL('/mcp', api.url), {
        headers: { ...headers, authorization: `Bearer ${await signs('5s')}` },
      });
    const answer = async () => {
      const stream = await listens();
      return stream.ok ? stream.text().catch(() => 'ended') : stream.status;
    };
    expect(await answer()).toBe('ended');
    // The client's own stream has another token.
    expect(await lists(client)).toBe(3);
  });

  it('is not served where tokens come from nowhere', async () => {
    const dev = await startApi();
    const response = await fetch(new URL('/.well-known/oauth-protected-resource', dev.url));
    expect(response.status).toBe(404);
    await dev.stop();
  });
});
