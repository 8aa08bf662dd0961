import { type Fields, isFields } from '../../core/import-lines.ts';
import { convertHash } from './hashes.ts';
import { isYes, listOf, othersOf, textOf } from './parse-field-values.ts';
import { oauthOf } from './provider-names.ts';
import type { DescribedUser, LinePassword } from './user-to-import-line.ts';

const KNOWN_FIELDS = [
  'user_id',
  '_id',
  'email',
  'email_verified',
  'name',
  'nickname',
  'given_name',
  'family_name',
  'picture',
  'created_at',
  'updated_at',
  'last_login',
  'last_ip',
  'logins_count',
  'last_password_reset',
  'blocked',
  'identities',
  'connection',
  'Connection',
  'provider',
  'Id',
  'tenant',
  '__tenant',
  'identities_providers',
];

/** The provider of identities with a password. */
const DATABASE = 'auth0';

/** The listed identities of a user; else that of `user_id`: `auth0|5dea…` names a provider and the user's id there. */
const identitiesOf = (user: Fields): readonly Fields[] => {
  const identities = listOf(user.identities);
  if (identities.length > 0) return identities;
  const [provider = '', ...id] = (textOf(user.user_id) ?? '').split('|');
  return [{ provider, user_id: id.join('|') }];
};

/** The id by which the file of password hashes names a user. */
export const auth0Id = (user: Fields): string | undefined =>
  textOf(identitiesOf(user).find(({ provider }) => provider === DATABASE)?.user_id);

/** The id of the user in a line of the file of password hashes. */
export const auth0Owner = (hashLine: Fields): string | undefined =>
  textOf(hashLine.alt_id) ?? textOf(hashLine._id);

const NO_HASH: LinePassword = {
  lost: 'It has a password, and no hash in the file of --passwords; --without-passwords imports such users without one.',
};

/** Auth0 uses the email as the name of users without a name. */
const nameOf = (user: Fields, email: string | undefined): string | undefined => {
  const name = textOf(user.name);
  return name === email ? undefined : name;
};

/** A user of a bulk export, with the line about them in the file of password hashes. */
export const describeAuth0 = (user: Fields, [hashLine]: readonly Fields[]): DescribedUser => {
  const email = textOf(user.email);
  const hashText = textOf(hashLine?.passwordHash);
  const passwordWithoutHash = auth0Id(user) === undefined ? null : NO_HASH;
  return {
    email,
    isVerified: isYes(user.email_verified),
    name: nameOf(user, email),
    password: hashText === undefined ? passwordWithoutHash : convertHash(hashText),
    avatar: user.picture,
    oauthAccounts: identitiesOf(user)
      .filter(({ provider }) => provider !== DATABASE)
      .flatMap(({ provider, user_id: id, profileData }) =>
        oauthOf(provider, id, { email: isFields(profileData) ? profileData.email : undefined }),
      ),
    banned: isYes(user.blocked) ? { reason: 'Blocked in Auth0.' } : undefined,
    createdAt: user.created_at,
    leftOut: othersOf(user, KNOWN_FIELDS),
  };
};
