/** The nonce of this page's content security policy, for the style elements of libraries. */
export const nonce =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
