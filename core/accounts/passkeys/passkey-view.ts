import { TIME } from '../../answer-schemas.ts';
import { isoTime, isoTimeOrNull, timeOrNull } from '../../iso-times.ts';
import { flag, list, nullable, object, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import type { Passkey } from './passkey.ts';

export const CREDENTIAL_ID = text({
  description: 'Of the credential, as base64url',
  examples: ['Y3JlZGVudGlhbA'],
});
export const RP_ID = text({
  description: 'The domain for which passkeys are made',
  examples: ['example.com'],
});
export const TRANSPORTS = list(text({ examples: ['internal'] }), { description: 'How browsers reach it' });

const SHORT_PASSKEY = {
  id: text({ format: 'uuid', examples: ['0199a0b1-9c1d-7e20-a4b5-3d6f8e1c2a70'] }),
  name: text({ examples: ['Phone'] }),
  createdAt: TIME,
  lastUsedAt: timeOrNull('To the hour; null before the first use', '2026-11-21T18:00:00.000Z'),
  backedUp: flag({ description: 'Whether other devices of its owner have it, too', examples: [true] }),
};

export const shortPasskey = object(SHORT_PASSKEY, { title: 'ShortPasskey' });
/** A passkey as the list of sign-in methods shows it. */
export type ShortPasskey = TypeOf<typeof shortPasskey>;

export const PASSKEY = {
  ...SHORT_PASSKEY,
  credentialId: CREDENTIAL_ID,
  transports: TRANSPORTS,
  userVerified: flag({
    description: 'Whether it ever asked for a PIN or a fingerprint: only then one may sign in by it',
    examples: [true],
  }),
  rpId: RP_ID,
  aaguid: text({
    description: 'The kind of authenticator',
    examples: ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'],
  }),
};
const passkeyView = object(PASSKEY, { title: 'Passkey' });
/**
 * A passkey as its owner sees it: without its key. Times are ISO 8601; `lastUsedAt` may lag by an hour, and is null before
 * the first use. `backedUp`: whether it is synchronised to other devices of the owner. `userVerified`: whether it has ever
 * verified its user by PIN or biometrics: only then it is a sign-in method.
 */
export type PasskeyView = TypeOf<typeof passkeyView>;

export const onePasskey = object({ passkey: passkeyView });
export type OnePasskey = TypeOf<typeof onePasskey>;

const PASSKEYS = list(passkeyView, { maxItems: 20 });

export const passkeyList = object(
  {
    passkeys: PASSKEYS,
    userHandle: nullable(
      text({
        description: 'The account’s WebAuthn user handle; null before the first passkey',
        examples: ['aGFuZGxl'],
      }),
    ),
    rpId: RP_ID,
  },
  { title: 'Passkeys' },
);
/** The passkeys, with what a browser needs to tell authenticators which are valid (`signalAllAcceptedCredentials`). */
export type ListedPasskeys = TypeOf<typeof passkeyList>;

export const remainingPasskeys = object({ passkeys: PASSKEYS });
export type RemainingPasskeys = TypeOf<typeof remainingPasskeys>;

export const viewShortPasskey = (passkey: Passkey): ShortPasskey => ({
  id: passkey.id,
  name: passkey.name,
  createdAt: isoTime(passkey.createdAt),
  lastUsedAt: isoTimeOrNull(passkey.lastUsedAt),
  backedUp: passkey.backedUp,
});

export const viewPasskey = (passkey: Passkey): PasskeyView => ({
  ...viewShortPasskey(passkey),
  credentialId: passkey.credentialId,
  transports: passkey.transports,
  userVerified: passkey.userVerified,
  rpId: passkey.rpId,
  aaguid: passkey.aaguid,
});

export const viewPasskeys = ({ passkeys }: Account): readonly PasskeyView[] => passkeys.map(viewPasskey);
