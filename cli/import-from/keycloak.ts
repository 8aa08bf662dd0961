import type { BadLine, Fields } from '../../core/import-lines.ts';
import { bytesOf, lostHash, phc } from './hashes.ts';
import { isYes, listOf, objectOf, othersOf, textOf } from './parse-field-values.ts';
import { oauthOf } from './provider-names.ts';
import type { DescribedUser, LinePassword } from './user-to-import-line.ts';

const KNOWN_FIELDS = [
  'id',
  'username',
  'email',
  'emailVerified',
  'enabled',
  'firstName',
  'lastName',
  'createdTimestamp',
  'credentials',
  'federatedIdentities',
  'totp',
  'notBefore',
  'disableableCredentialTypes',
  'self',
  'origin',
  'access',
  'serviceAccountClientId',
];

const PBKDF2: Readonly<Record<string, string>> = {
  pbkdf2: 'pbkdf2-sha1',
  'pbkdf2-sha256': 'pbkdf2-sha256',
  'pbkdf2-sha512': 'pbkdf2-sha512',
};

/** `secretData` and `credentialData` are JSON texts. Up to Keycloak 7 their contents were members of the credential itself. */
const hashOf = (credential: Fields): LinePassword => {
  const secret = objectOf(credential.secretData);
  const data = objectOf(credential.credentialData);
  const salt = bytesOf(secret.salt ?? credential.salt);
  const key = bytesOf(secret.value ?? credential.hashedSaltedValue);
  if (salt === undefined || key === undefined) return lostHash('is not in the export');
  const algorithm = textOf(data.algorithm ?? credential.algorithm) ?? '';
  const rounds = textOf(data.hashIterations ?? credential.hashIterations) ?? '';
  const pbkdf2 = PBKDF2[algorithm];
  if (pbkdf2 !== undefined) return { hash: phc(`$${pbkdf2}$i=${rounds}`, salt, key) };
  if (algorithm !== 'argon2') return lostHash('is of a kind that is not verified here');
  // Each parameter is a list of one text.
  const parameters = objectOf(data.additionalParameters);
  const [type, version, memory, lanes] = ['type', 'version', 'memory', 'parallelism'].map((parameter) =>
    textOf([parameters[parameter]].flat()[0]),
  );
  // Version 1.3 is `v=19` (0x13) in the hash as we store it.
  if (version !== '1.3') return lostHash('is of Argon2 1.0, which is not verified here');
  return { hash: phc(`$argon2${type}$v=19$m=${memory},t=${rounds},p=${lanes}`, salt, key) };
};

/** A user of a realm export. */
export const describeKeycloak = (user: Fields): DescribedUser | BadLine => {
  if (textOf(user.serviceAccountClientId) !== undefined)
    return { problem: 'It is the account of a client, not of a person.' };
  if (Array.isArray(user.users))
    return { problem: 'It is a realm, not a user: export one realm with --realm.' };
  const credentials = listOf(user.credentials);
  const password = credentials.find(({ type }) => type === 'password');
  const others = credentials
    .filter(({ type }) => type !== 'password')
    .map(({ type }) => `credential ${textOf(type) ?? '?'}`);
  const names = [textOf(user.firstName), textOf(user.lastName)].filter((name) => name !== undefined);
  return {
    email: textOf(user.email),
    isVerified: isYes(user.emailVerified),
    name: names.length === 0 ? undefined : names.join(' '),
    password: password === undefined ? null : hashOf(password),
    avatar: undefined,
    oauthAccounts: listOf(user.federatedIdentities).flatMap(({ identityProvider, userId }) =>
      oauthOf(identityProvider, userId),
    ),
    disabled: isYes(user.enabled) ? undefined : { reason: 'Disabled in Keycloak.' },
    createdAt: user.createdTimestamp,
    leftOut: [...new Set(others), ...othersOf(user, KNOWN_FIELDS)],
  };
};
