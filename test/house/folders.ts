import type { ReadFile } from './source.ts';

type Importing = Pick<ReadFile, 'path' | 'imports'>;

/** Of one folder: its sub-folders, and by each the sub-folders that it imports, with a line. */
type Arrows = Map<string, Map<string, string>>;

/** The arrows between the sub-folders of each folder, types included. */
function arrowsByFolder(files: readonly Importing[]): Map<string, Arrows> {
  const folders = new Map<string, Arrows>();
  for (const { path, imports } of files) {
    for (const { to, isLocal } of imports) {
      if (!isLocal) continue;
      const [from, target] = [path.split('/'), to.split('/')];
      // The first place where the paths differ: a folder on both sides, or there is no arrow.
      const at = from.findIndex((name, index) => name !== target[index]);
      if (at < 1 || at >= from.length - 1 || at >= target.length - 1) continue;
      const [folder, here, there] = [from.slice(0, at).join('/'), from[at] ?? '', target[at] ?? ''];
      const arrows: Arrows = folders.get(folder) ?? new Map();
      folders.set(folder, arrows);
      const reached = arrows.get(here) ?? new Map();
      arrows.set(here, reached);
      if (!reached.has(there)) reached.set(there, `${path} imports ${to}`);
    }
  }
  return folders;
}

/** The shortest way from a sub-folder back to itself; null where there is none. */
function circleOf(arrows: Arrows, start: string): string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const here of queue) {
    for (const there of arrows.get(here)?.keys() ?? []) {
      if (there === start) {
        const way = [here];
        while (way[0] !== start) way.unshift(cameFrom.get(way[0] ?? start) ?? start);
        return way;
      }
      if (cameFrom.has(there)) continue;
      cameFrom.set(there, here);
      queue.push(there);
    }
  }
  return null;
}

/** Each circle of sub-folders once, with one import for each of its arrows. */
export function folderCircles(files: readonly Importing[]): string[] {
  const found = new Map<string, string>();
  for (const [folder, arrows] of arrowsByFolder(files)) {
    for (const start of arrows.keys()) {
      const way = circleOf(arrows, start);
      if (way === null) continue;
      const key = `${folder}: ${[...way].sort().join(', ')}`;
      const lines = way.map((here, at) => arrows.get(here)?.get(way[(at + 1) % way.length] ?? ''));
      if (!found.has(key)) found.set(key, [`${folder}: ${way.join(' and ')}`, ...lines].join('\n'));
    }
  }
  return [...found.values()];
}
