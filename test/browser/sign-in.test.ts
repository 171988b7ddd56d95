import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type MutableResponse, OAuth2Server } from 'oauth2-mock-server';
import { expect, it } from 'vitest';
import { freePort } from '../../src/host/ports.ts';
import { freshName } from '../testkit/client.ts';
import { launch } from './chromium.ts';

const API = fileURLToPath(new URL('../testkit/api-process.ts', import.meta.url));

/** Lifetime of the provider's tokens. The console renews them one second after it got them. */
const TOKEN_SECONDS = 25;
const RENEWED_BEFORE_SECONDS = 60;

// The token is renewed until the provider refuses.
it('signs in at an OpenID provider and comes back to the page that was left', async () => {
  const provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  const issuer = provider.issuer.url ?? '';
  const name = freshName('eve');
  provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    const exp = Math.floor(Date.now() / 1_000) + TOKEN_SECONDS;
    Object.assign(token.payload, { sub: name, name, aud: 'console', roles: ['admin'], exp });
  });
  let refuses = false;
  provider.service.on('beforeResponse', (response: MutableResponse) => {
    if (refuses) Object.assign(response, { statusCode: 400, body: { error: 'invalid_grant' } });
    else Object.assign(response.body, { expires_in: RENEWED_BEFORE_SECONDS + 1 });
  });
  const port = await freePort(0, new Set());
  const url = `http://127.0.0.1:${port}`;
  const api = await startApi({
    AIDEN_API_PORT: String(port),
    AIDEN_API_AUTH: 'jwt',
    AIDEN_JWKS_URL: `${issuer}/jwks`,
    AIDEN_JWT_ISSUER: issuer,
    AIDEN_JWT_AUDIENCE: 'console',
    AIDEN_OIDC_CLIENT_ID: 'console',
    AIDEN_CORS_ORIGINS: url,
  });
  const browser = await launch();
  try {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(150_000);
    await page.goto(`${url}/console/catalog?view=services`);
    await page.getByRole('button', { name: `Sign in with ${new URL(issuer).host}` }).click();
    await page.waitForURL(`${url}/console/catalog?view=services`);
    await page
      .getByRole('button', { name: new RegExp(name) })
      .getByText('admin')
      .waitFor();
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    // The token is in the tab only, and nothing of the provider's answer is in the address.
    expect(await page.evaluate<string>('localStorage.getItem("aiden.token") ?? ""')).toBe('');
    const policy = (await fetch(`${url}/console/`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`connect-src 'self' ${issuer};`);
    expect(policy).not.toContain('frame-src');

    // A renewed token leaves the page as it is.
    await page.getByRole('link', { name: 'Runs' }).first().click();
    const title = page.getByRole('heading', { name: 'Runs', exact: true });
    await title.evaluate((heading) => heading.setAttribute('data-kept', 'yes'));
    const tokenOf = () => page.evaluate<string>('sessionStorage.getItem("aiden.token")');
    const first = await tokenOf();
    await expect.poll(tokenOf, { timeout: 120_000 }).not.toBe(first);
    expect(await title.getAttribute('data-kept')).toBe('yes');
    expect(await page.getByRole('dialog').count()).toBe(0);

    // The token ends: the page asks to sign in, over all that it shows.
    refuses = true;
    await page.getByRole('dialog').getByText('The token has expired.').waitFor();
    expect(await page.locator('h1[data-kept]').innerText()).toBe('Runs');
  } finally {
    await browser.close();
    const ended = new Promise((resolve) => api.once('exit', resolve));
    api.disconnect();
    await ended;
    await provider.stop();
  }
});

function startApi(settings: Record<string, string>): Promise<ChildProcess> {
  const child = fork(API, {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, MEMORY_GRPC_PORT: '0', ...settings },
  });
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`The API ended with ${code}.`)));
  });
}
