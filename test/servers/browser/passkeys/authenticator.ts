import type { CDPSession, Page } from 'playwright-core';

/**
 * The authenticator of a page, as Chromium plays it: a device whose owner is at hand, with a fingerprint reader, or without
 * (`hasUserVerification`: false).
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
    /** The RP IDs of the passkeys that can be found without an account. */
    holds: async (): Promise<readonly (string | undefined)[]> =>
      (await credentials()).filter((one) => one.isResidentCredential).map(({ rpId }) => rpId),
    verifies: async (isUserVerified: boolean): Promise<void> => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    /** Whether its answers say that nobody was verified, though the page asked for it. */
    conceals: async (isBadUV: boolean): Promise<void> => {
      await session.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBadUV });
    },
    /** Puts a copy of the one passkey in its place, which was made when its counter stood at `signCount`. */
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
