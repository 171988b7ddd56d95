import { type MutableResponse, OAuth2Server } from 'oauth2-mock-server';
import { expect, it } from 'vitest';
import { CONSOLE_FOLDER } from '../../src/host/console.ts';
import { freePort } from '../../src/host/ports.ts';
import { startApi } from '../testkit/api-server.ts';
import { freshName } from '../testkit/client.ts';
import { launch } from './chromium.ts';

/** The console renews a token one second after it got it. */
const RENEWED_BEFORE_SECONDS = 60;
const LAST_TOKEN_SECONDS = 3;

// The token is renewed until the provider refuses.
it('signs in at an OpenID provider and comes back to the page that was left', async () => {
  const provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  const issuer = provider.issuer.url ?? '';
  const name = freshName('eve');
  // The provider gives tokens until it is to end, then a last short one, then none.
  let gives: 'tokens' | 'a last token' | 'none' = 'tokens';
  provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    const seconds = gives === 'tokens' ? 3_600 : LAST_TOKEN_SECONDS;
    const exp = Math.floor(Date.now() / 1_000) + seconds;
    Object.assign(token.payload, { sub: name, name, aud: 'console', roles: ['admin'], exp });
  });
  provider.service.on('beforeResponse', (response: MutableResponse) => {
    if (gives === 'none')
      Object.assign(response, { statusCode: 400, body: { error: 'invalid_grant' } });
    else Object.assign(response.body, { expires_in: RENEWED_BEFORE_SECONDS + 1 });
    if (gives === 'a last token') gives = 'none';
  });
  const port = await freePort(0, new Set());
  const url = `http://127.0.0.1:${port}`;
  const api = await startApi({
    port,
    mode: 'production',
    auth: { mode: 'jwt', key: { jwksUrl: `${issuer}/jwks` }, issuer, audience: 'console' },
    origins: [url],
    consoleFolder: CONSOLE_FOLDER,
    signIn: { authority: issuer, clientId: 'console', scope: 'openid profile' },
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
    gives = 'a last token';
    await page.getByRole('dialog').getByText('The token has expired.').waitFor();
    expect(await page.locator('h1[data-kept]').innerText()).toBe('Runs');
  } finally {
    await browser.close();
    await api.stop();
    await provider.stop();
  }
});
