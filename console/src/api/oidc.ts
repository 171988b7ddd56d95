import type { UserManager } from 'oidc-client-ts';
import { renewToken, session } from './session.ts';

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

let opened: Promise<UserManager> | undefined;
/** The provider's token that is kept renewed; null before. */
let kept: string | null = null;

function open(given: Provider): Promise<UserManager> {
  opened ??= create(given);
  return opened;
}

async function create({ authority, clientId, scope }: Provider): Promise<UserManager> {
  const oidc = await import('oidc-client-ts');
  const manager = new oidc.UserManager({
    authority,
    client_id: clientId,
    scope,
    redirect_uri: new URL(`/console${SIGNED_IN_PATH}`, location.href).href,
    response_type: 'code',
    // `keepRenewing` starts it where there is a refresh token. Without one it would open a frame,
    // which the content security policy refuses.
    automaticSilentRenew: false,
    monitorSession: false,
    // The refresh token stays in the tab, as the token does.
    userStore: new oidc.WebStorageStateStore({ store: sessionStorage }),
    stateStore: new oidc.WebStorageStateStore({ store: sessionStorage }),
  });
  manager.events.addUserLoaded(({ access_token: token }) => {
    // Another token, such as a pasted one, has taken its place meanwhile.
    if (kept === null || session.get().token !== kept) return manager.stopSilentRenew();
    kept = token;
    renewToken(token);
  });
  return manager;
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

/**
 * Renews the provider's token a minute before it ends, if the provider gave a refresh token. If the
 * provider refuses, the token ends and the page asks to sign in. Loads the library only in a tab
 * that has signed in at the provider.
 */
export async function keepRenewing(given: Provider): Promise<void> {
  const { authority, clientId } = given;
  if (sessionStorage.getItem(`oidc.user:${authority}:${clientId}`) === null) return;
  const manager = await open(given);
  const user = await manager.getUser();
  if (user?.refresh_token === undefined || session.get().token !== user.access_token) return;
  kept = user.access_token;
  manager.startSilentRenew();
  // It has ended while the tab was away. A refusal leads to the sign-in, as that of any token.
  if (user.expired === true) await manager.signinSilent().catch(() => null);
}
