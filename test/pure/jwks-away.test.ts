import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { KeysAway } from '../../src/common/keys-away.ts';
import { outageOf } from '../../src/platform/http/present-error.ts';
import { NotAuthenticated, openAuthenticate } from '../../src/users/authenticate.service.ts';
import { closing, listening } from '../testkit/listen.ts';

const [issuer, audience] = ['https://issuer.test', 'aiden'];
const { publicKey, privateKey } = await generateKeyPair('ES256');
const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' };

/** The end of a sign-in, where the server of the keys answers so. */
async function signsIn(status: number, body: string, kid = 'k1'): Promise<unknown> {
  const jwks = createServer((_request, response) => response.writeHead(status).end(body));
  const jwksUrl = `http://${await listening(jwks)}/`;
  const token = await new SignJWT({ sub: 'ada' })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime('1h')
    .sign(privateKey);
  if (status === 0) await closing(jwks);
  const authenticate = openAuthenticate({ mode: 'jwt', key: { jwksUrl }, issuer, audience });
  const ended = await authenticate({ authorization: `Bearer ${token}` }).catch((error) => error);
  if (status !== 0) await closing(jwks);
  return ended;
}

describe('a token that is checked with keys of a server', () => {
  it('is good by its key', async () => {
    expect(await signsIn(200, JSON.stringify({ keys: [key] }))).toMatchObject({ sub: 'ada' });
  });

  it('is wrong where the server has no such key', async () => {
    const keys = JSON.stringify({ keys: [key] });
    expect(await signsIn(200, keys, 'k2')).toBeInstanceOf(NotAuthenticated);
  });

  it.each([
    ['does not answer', 0, ''],
    ['is broken', 500, '{}'],
    ['answers no keys', 200, '<html>'],
  ])('is not wrong where the server %s', async (_what, status, body) => {
    const ended = await signsIn(status, body);
    expect(ended).toBeInstanceOf(KeysAway);
    expect(outageOf(ended)).toMatch(/Try again/);
  });
});
