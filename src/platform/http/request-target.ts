/**
 * The path and query of a request as the routes are written. Clients join a base URL and a path
 * with two slashes, or add one at the end; a redirect would lose the body of a POST, and often its
 * token. Proxies send the whole URL, as HTTP allows.
 * @param isFolder whether a path keeps the slash at its end; default: only the root does
 */
export function plainTarget(
  target: string,
  isFolder: (path: string) => boolean = () => false,
): string {
  const at = target.indexOf('?');
  const given = at < 0 ? target : target.slice(0, at);
  const query = at < 0 ? '' : target.slice(at);
  const path = given.replace(/^https?:\/\/[^/]*/i, '').replace(/\/{2,}/g, '/');
  const plain = isFolder(path) ? path : path.replace(/\/$/, '');
  return `${plain === '' ? '/' : plain}${query}`;
}
