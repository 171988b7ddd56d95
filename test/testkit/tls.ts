import tls from 'node:tls';

/**
 * A certificate for secure.example and localhost, signed by itself and made for these tests only;
 * its key is no secret.
 */
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBrzCCAVWgAwIBAgIUGMpoP7yo/4vu+VIWw+BrMRleezUwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOc2VjdXJlLmV4YW1wbGUwIBcNMjYxMTIxMDc1NjQxWhgPMjEy
NjEwMjgwNzU2NDFaMBkxFzAVBgNVBAMMDnNlY3VyZS5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAESrHpAbVC5SXfaIzlQb7H8IIAYST/EX1KeXggSuB0
qrA+KCaYvRGCA+KMSSS1pZcUxvWaOhk7b2rQBMEKOt9i4KN5MHcwHQYDVR0OBBYE
FB5lAzm55/FIRzARof/xpJ7akkbNMB8GA1UdIwQYMBaAFB5lAzm55/FIRzARof/x
pJ7akkbNMA8GA1UdEwEB/wQFMAMBAf8wJAYDVR0RBB0wG4IOc2VjdXJlLmV4YW1w
bGWCCWxvY2FsaG9zdDAKBggqhkjOPQQDAgNIADBFAiAFazKBdgAQD9sKRlQZmmD0
9en3nmCuaVjcAVPrlwbYiAIhANrSTa8BMC/S7U3GRxedrbclCNj5uM1dk+qWQBIM
JG2w
-----END CERTIFICATE-----
`;
export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoBFUJ16UPUJZxC+4
JCTRNypnwTz6FLq6NHMaXgpTbUGhRANCAARKsekBtULlJd9ojOVBvsfwggBhJP8R
fUp5eCBK4HSqsD4oJpi9EYID4oxJJLWllxTG9Zo6GTtvatAEwQo632Lg
-----END PRIVATE KEY-----
`;

/** Trusts the certificate in this process. */
export function trustTestCertificate(): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), TEST_CERTIFICATE]);
}

/** Ends that trust; files of one process share its trusted issuers. */
export function distrustTestCertificate(): void {
  const issuers = tls.getCACertificates('default');
  tls.setDefaultCACertificates(issuers.filter((one) => one.trim() !== TEST_CERTIFICATE.trim()));
}
