import { lazy } from 'react';

/** The renderer of Markdown, which is loaded when a text needs it. */
export const LazyMarkdown = lazy(async () => ({
  default: (await import('./markdown.tsx')).Markdown,
}));
