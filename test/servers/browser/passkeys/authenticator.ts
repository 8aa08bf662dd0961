import type { CDPSession, Page } from 'playwright-core';

/**
 * Adds a virtual authenticator of Chromium to a page: a device with a fingerprint reader (without it if
 * `hasUserVerification` is false) whose owner is present.
 */
export const addAuthenticator = async (page: Page, backupEligible = false, hasUserVerification = true) => {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: backupEligible,
    },
  });
  const credentials = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    /** The RP IDs of the discoverable passkeys. */
    holds: async (): Promise<readonly (string | undefined)[]> =>
      (await credentials()).filter((passkey) => passkey.isResidentCredential).map(({ rpId }) => rpId),
    verifies: async (isUserVerified: boolean): Promise<void> => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    /** Whether the answers lack user verification although the page required it. */
    conceals: async (isBadUV: boolean): Promise<void> => {
      await session.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBadUV });
    },
    /** Replaces the only passkey by a copy with the counter `signCount`. */
    copyFrom: async (signCount: number): Promise<void> => {
      const [credential] = await credentials();
      if (credential === undefined) throw new Error('There is no passkey to copy.');
      const { credentialId } = credential;
      await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
      await session.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, signCount },
      });
    },
  };
};
