import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the word vectors are kept by default: `$XDG_CACHE_HOME/aiden`, else `~/.cache/aiden`. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'aiden');
}
