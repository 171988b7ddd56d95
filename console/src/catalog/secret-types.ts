import type { SecretType } from '../generated/documents.ts';

/** The kinds of Secrets in words. */
export const SECRET_TYPES: Readonly<Record<SecretType, string>> = {
  API_KEY: 'API key',
  OAUTH_TOKEN: 'OAuth token',
  PASSWORD: 'Password',
  CERTIFICATE: 'Certificate with its key',
};
