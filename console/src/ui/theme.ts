import { createStore } from '../api/store.ts';

export type Theme = 'light' | 'dark' | 'system';
const KEY = 'aiden.theme';

function isTheme(value: string | null): value is Theme {
  return value === 'light' || value === 'dark' || value === 'system';
}

const stored = localStorage.getItem(KEY);
export const theme = createStore<Theme>(isTheme(stored) ? stored : 'system');
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

function apply(): void {
  const chosen = theme.get();
  const isDark = chosen === 'dark' || (chosen === 'system' && prefersDark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

export function openTheme(): void {
  apply();
  prefersDark.addEventListener('change', apply);
}

export function chooseTheme(next: Theme): void {
  localStorage.setItem(KEY, next);
  theme.set(next);
  apply();
}
