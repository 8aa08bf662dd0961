import { createRequire } from 'node:module';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
} from '@simplewebauthn/server';
import type { CredentialJson, PasskeyRefused, Passkeys, RelyingParty } from '../../core/accounts/ports.ts';
import { orMissing } from '../calls/optional-package.ts';
import { missingPackages } from '../config/config-error.ts';
import { refuseClientData, responseOf } from './client-data.ts';
import { algorithmOf, type CoseKey } from './public-key.ts';

const PACKAGE = '@simplewebauthn/server';

/** Looks for it, and loads nothing. */
const requireLibrary = (): void => {
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
  } catch {
    throw missingPackages('PASSKEYS', 'passkeys need a package', [PACKAGE]);
  }
};

/** Loaded with the first ceremony: it takes 0.2 s and 25 MB. */
const load = async () => {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server').catch(orMissing(PACKAGE)),
    import('@simplewebauthn/server/helpers').catch(orMissing(PACKAGE)),
  ]);
  return { ...server, ...helpers };
};

type Library = Awaited<ReturnType<typeof load>>;

/** Longer ones no authenticator makes (WebAuthn Level 3, section 7.1, step 25). */
const ID_LONGEST = 1_023;
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

const MALFORMED: PasskeyRefused = { reason: 'malformed' };
const NOT_PROVED: PasskeyRefused = { reason: 'not_proved' };

const transportsOf = (given: unknown): readonly string[] =>
  Array.isArray(given) ? [...TRANSPORTS].filter((one) => given.includes(one)) : [];

const isBackedUp = ({ credentialDeviceType }: { readonly credentialDeviceType: string }) =>
  credentialDeviceType === 'multiDevice';

/**
 * The attestation object without its statement. The statement is not judged: `none` was asked for. To judge one, the
 * library would fetch lists of revoked certificates from addresses that stand in the statement.
 */
const withoutStatement = (
  { decodeAttestationObject, isoBase64URL, isoCBOR }: Library,
  given: string,
): string => {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(given)).get('authData');
  const bare = new Map<string, string | Uint8Array | Map<string, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare));
};

const makeRegister =
  (relyingParty: RelyingParty): Passkeys['register'] =>
  async (answer, { challenge, rpId, algorithms }) => {
    const refused = refuseClientData(answer, { type: 'webauthn.create', challenge, relyingParty });
    if (refused !== undefined) return refused;
    const library = await load();
    const { attestationObject, transports } = responseOf(answer) ?? {};
    if (typeof attestationObject !== 'string') return MALFORMED;
    const bare = { ...responseOf(answer), attestationObject: withoutStatement(library, attestationObject) };
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response: { ...answer, response: bare } as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: rpId,
      requireUserVerification: false,
      // Given always: by itself the library adds ML-DSA where the runtime has it.
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!verified || registrationInfo === undefined) return NOT_PROVED;
    const { credential, userVerified, credentialBackedUp, aaguid } = registrationInfo;
    // The id beside it is not signed.
    const hasOwnId =
      answer.id === credential.id && Buffer.from(credential.id, 'base64url').length <= ID_LONGEST;
    if (!hasOwnId) return MALFORMED;
    const key: unknown = library.decodeCredentialPublicKey(credential.publicKey);
    const algorithm = algorithmOf(key as CoseKey, algorithms);
    if (algorithm === undefined) return { reason: 'algorithm' };
    return {
      credentialId: credential.id,
      key: Buffer.from(credential.publicKey).toString('base64url'),
      algorithm,
      counter: credential.counter,
      transports: transportsOf(transports),
      backupEligible: isBackedUp(registrationInfo),
      backedUp: credentialBackedUp,
      userVerified,
      aaguid,
    };
  };

const shownBy = ({ verified, authenticationInfo }: VerifiedAuthenticationResponse) =>
  verified
    ? {
        counter: authenticationInfo.newCounter,
        backupEligible: isBackedUp(authenticationInfo),
        backedUp: authenticationInfo.credentialBackedUp,
        userVerified: authenticationInfo.userVerified,
      }
    : NOT_PROVED;

const makeAssert =
  (relyingParty: RelyingParty): Passkeys['assert'] =>
  async (answer, { challenge, rpId, key }) => {
    const refused = refuseClientData(answer, { type: 'webauthn.get', challenge, relyingParty });
    if (refused !== undefined) return refused;
    const { verifyAuthenticationResponse } = await load();
    const verified = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: rpId,
      requireUserVerification: false,
      credential: {
        id: String(answer.id),
        publicKey: new Uint8Array(Buffer.from(key, 'base64url')),
        // It throws where the counter did not grow. That is judged elsewhere.
        counter: 0,
      },
    });
    return shownBy(verified);
  };

/** The library throws for what is malformed, and for most of what proves nothing. Both are the caller's doing. */
const orRefused =
  <Asked, Shown>(check: (answer: CredentialJson, asked: Asked) => Promise<Shown | PasskeyRefused>) =>
  async (answer: CredentialJson, asked: Asked): Promise<Shown | PasskeyRefused> => {
    await load();
    return check(answer, asked).catch(() => NOT_PROVED);
  };

/** Passkeys for the site; null where they are off. Throws `ConfigError` where the library is not installed. */
export const makePasskeys = (relyingParty: RelyingParty | null): Passkeys => {
  if (relyingParty !== null) requireLibrary();
  const site = relyingParty ?? { id: '', origins: [] };
  return { relyingParty, register: orRefused(makeRegister(site)), assert: orRefused(makeAssert(site)) };
};
