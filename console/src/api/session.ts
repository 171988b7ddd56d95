import { readAgain } from './connection.ts';
import { createStore } from './store.ts';

/** Key of a dev name, which stays; a pasted token is a credential and ends with the tab. */
const KEY = 'aiden.token';

export interface Session {
  /** Bearer token; null: none, which a server in dev takes as the user `dev`. */
  readonly token: string | null;
  /** The API refused the token; the sign-in is shown over the page. */
  readonly refused: string | null;
  /** Number of sign-ins in this page; a renewed token is none. */
  readonly signIns: number;
}

export const session = createStore<Session>({
  token: sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY),
  refused: null,
  signIns: 0,
});

/** Another user may have signed in: nothing of the one before stays on the page. */
function begin(token: string | null): void {
  session.set({ token, refused: null, signIns: session.get().signIns + 1 });
}

export function signInAs(name: string, isAdmin: boolean): void {
  const token = `dev:${name}${isAdmin ? ':admin' : ''}`;
  sessionStorage.removeItem(KEY);
  localStorage.setItem(KEY, token);
  begin(token);
}

export function signInWith(token: string): void {
  sessionStorage.setItem(KEY, token);
  begin(token);
}

/** A later token of the same user: the page stays as it is, and new requests carry the token. */
export function renewToken(token: string): void {
  const { refused } = session.get();
  sessionStorage.setItem(KEY, token);
  session.set({ ...session.get(), token, refused: null });
  // Readings were refused meanwhile.
  if (refused !== null) readAgain();
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
  begin(null);
}

export function refuseToken(message: string): void {
  if (session.get().refused === null) session.set({ ...session.get(), refused: message });
}

export function authorization(): Record<string, string> {
  const { token } = session.get();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Names the user of the token, so that what a browser keeps for one is not shown to another. */
export function userOfSession(): string {
  const { token } = session.get();
  if (token === null) return 'dev';
  const [, payload] = token.split('.');
  try {
    const { sub } = JSON.parse(atob((payload ?? '').replace(/-/g, '+').replace(/_/g, '/')));
    return String(sub);
  } catch {
    // A dev token is the name itself.
    return token;
  }
}
