import { useEffect, useState } from 'react';
import type { PageName } from './docs-pages.ts';

/** The pages, each a file of its own in the build. */
const LOADS = import.meta.glob<string>(
  [
    '../../../docs/{authoring,agents,mcp,models,agent-memory,data,own-graph,graph}.md',
    '../../../docs/{api,use-from,operations,glossary}.md',
  ],
  { query: '?raw', import: 'default' },
);

type Read =
  | { readonly state: 'reading' }
  | { readonly state: 'failed' }
  | { readonly state: 'there'; readonly text: string };

/** Reads a page of the docs. */
export function usePage(name: PageName): Read {
  const [read, setRead] = useState<Read>({ state: 'reading' });
  useEffect(() => {
    let isOver = false;
    const take = (next: Read) => {
      if (!isOver) setRead(next);
    };
    take({ state: 'reading' });
    const load = LOADS[`../../../docs/${name}.md`];
    if (load === undefined) return take({ state: 'failed' });
    void load().then(
      (text) => take({ state: 'there', text }),
      () => take({ state: 'failed' }),
    );
    return () => {
      isOver = true;
    };
  }, [name]);
  return read;
}
