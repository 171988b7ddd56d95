/** The server of the keys that tokens are checked with does not answer. */
export class KeysAway extends Error {
  override readonly name = 'KeysAway';
}
