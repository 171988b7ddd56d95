import type { UserManager } from 'oidc-client-ts';

/** The OpenID provider that the server names in the page. */
export interface Provider {
  readonly authority: string;
  readonly clientId: string;
  readonly scope: string;
}

/** Null where the installation has none: then a name or a token is asked for. */
export const provider = providerOf(
  document.querySelector<HTMLMetaElement>('meta[name="aiden-sign-in"]')?.content ?? '',
);

function providerOf(content: string): Provider | null {
  // The development server does not replace the mark.
  return content.startsWith('{') ? (JSON.parse(content) as Provider) : null;
}

/** Path of the page that the provider leads back to. */
export const SIGNED_IN_PATH = '/signed-in';

async function open({ authority, clientId, scope }: Provider): Promise<UserManager> {
  const oidc = await import('oidc-client-ts');
  return new oidc.UserManager({
    authority,
    client_id: clientId,
    scope,
    redirect_uri: new URL(`/console${SIGNED_IN_PATH}`, location.href).href,
    response_type: 'code',
    // A page in a frame is refused by the content security policy, so nothing is renewed silently.
    automaticSilentRenew: false,
    monitorSession: false,
    userStore: new oidc.WebStorageStateStore({ store: new oidc.InMemoryWebStorage() }),
    stateStore: new oidc.WebStorageStateStore({ store: sessionStorage }),
  });
}

/** Leaves for the provider, and comes back to the page on screen. */
export async function leaveForProvider(given: Provider): Promise<void> {
  const manager = await open(given);
  await manager.signinRedirect({ state: location.pathname + location.search });
}

/**
 * Reads the provider's answer from the address, by the authorization code flow with PKCE.
 * @throws Error with the reason of a refusal
 */
export async function tokenFromProvider(
  given: Provider,
): Promise<{ readonly token: string; readonly path: string }> {
  const manager = await open(given);
  const { access_token: token, state } = await manager.signinCallback().then((user) => {
    if (user === undefined) throw new Error('The provider gave no answer.');
    return user;
  });
  const path = typeof state === 'string' && state.startsWith('/console/') ? state : '/console/';
  return { token, path: path.slice('/console'.length) };
}
