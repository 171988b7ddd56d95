import { MissingTool, runTool } from './child.ts';

/** A program that is missing on this machine, or too old. */
export interface Lack {
  /** As a sentence names it: `Maven`. */
  readonly program: string;
  /** Debian's package. */
  readonly debian: string;
}

/** The output of a program's version command; null where the program is missing. */
export function versionOf(command: string, args: readonly string[]): Promise<string | null> {
  return runTool(command, args, { timeoutMs: 60_000 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
}

/**
 * Refuses a start that would find out one by one, after minutes, what is missing.
 * @throws MissingTool with all of it, and how to get it
 */
export function needTools(lacks: readonly Lack[]): void {
  if (lacks.length === 0) return;
  const programs = new Intl.ListFormat('en').format(lacks.map(({ program }) => program));
  const packages = lacks.map(({ debian }) => debian).join(' ');
  throw new MissingTool(
    `Missing here: ${programs}. Neo4j and Temporal are fetched and run with them: apt-get ` +
      `install ${packages} (Debian's names). Or start Docker, or set NEO4J_URI and ` +
      'TEMPORAL_ADDRESS.',
  );
}
