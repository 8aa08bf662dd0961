import type { BadLine, Fields } from '../../../core/import-lines.ts';
import { ofKeycloak } from './hashes.ts';
import { isYes, listOf, objectOf, othersOf, textOf } from './parse-field-values.ts';
import { oauthOf } from './provider-names.ts';
import type { DescribedUser, LinePassword } from './user-to-import-line.ts';

const FIELDS = [
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

/** `secretData` and `credentialData` are JSON texts. Until Keycloak 7 their members were those of the credential. */
const hashOf = (credential: Fields): LinePassword => {
  const secret = objectOf(credential.secretData);
  const data = objectOf(credential.credentialData);
  return ofKeycloak({
    algorithm: data.algorithm ?? credential.algorithm,
    iterations: data.hashIterations ?? credential.hashIterations,
    salt: secret.salt ?? credential.salt,
    value: secret.value ?? credential.hashedSaltedValue,
    parameters: objectOf(data.additionalParameters),
  });
};

/** A user of a realm export. */
export const describeKeycloak = (user: Fields): DescribedUser | BadLine => {
  if (textOf(user.serviceAccountClientId) !== undefined)
    return { problem: 'It is the account of a client, not of a person.' };
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
    leftOut: [...new Set(others), ...othersOf(user, FIELDS)],
  };
};
