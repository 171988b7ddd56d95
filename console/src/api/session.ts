import { createStore } from '../ui/store.ts';

/** Key of a dev name, which stays; a pasted token is a credential and ends with the tab. */
const KEY = 'aiden.token';

export interface Session {
  /** Bearer token; null: none, which a server in dev takes as the user `dev`. */
  readonly token: string | null;
  /** The API refused the token; the sign-in is shown over the page. */
  readonly refused: string | null;
}

export const session = createStore<Session>({
  token: sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY),
  refused: null,
});

export function signInAs(name: string, isAdmin: boolean): void {
  const token = `dev:${name}${isAdmin ? ':admin' : ''}`;
  sessionStorage.removeItem(KEY);
  localStorage.setItem(KEY, token);
  session.set({ token, refused: null });
}

export function signInWith(token: string): void {
  sessionStorage.setItem(KEY, token);
  session.set({ token, refused: null });
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
  session.set({ token: null, refused: null });
}

export function refuseToken(message: string): void {
  if (session.get().refused === null) session.set({ ...session.get(), refused: message });
}

export function authorization(): Record<string, string> {
  const { token } = session.get();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
