import type { BadLine, Fields } from '../../core/import-lines.ts';
import { convertHash } from './hashes.ts';
import { listOf, objectOf, othersOf, textOf } from './parse-field-values.ts';
import { oauthOf } from './provider-names.ts';
import type { DescribedBan, DescribedUser } from './user-to-import-line.ts';

const KNOWN_FIELDS = [
  'id',
  'instance_id',
  'aud',
  'role',
  'email',
  'encrypted_password',
  'created_at',
  'updated_at',
  'email_confirmed_at',
  'confirmed_at',
  'confirmation_sent_at',
  'last_sign_in_at',
  'invited_at',
  'confirmation_token',
  'recovery_token',
  'recovery_sent_at',
  'reauthentication_token',
  'is_anonymous',
  'email_change',
  'email_change_token_new',
  'email_change_token_current',
  'email_change_sent_at',
  'email_change_confirm_status',
  'phone_change',
  'phone_change_token',
  'phone_change_sent_at',
  'reauthentication_sent_at',
  'phone_confirmed_at',
  'banned_until',
  'deleted_at',
  'identities',
  'raw_user_meta_data',
  'raw_app_meta_data',
];

/** Metadata that Supabase copies from providers. Not counted as lost: it is also in the identities. */
const METADATA_FIELDS = [
  'name',
  'full_name',
  'avatar_url',
  'picture',
  'email',
  'email_verified',
  'phone_verified',
  'sub',
  'iss',
  'provider_id',
  'provider',
  'providers',
];

/** Values of `provider` that name no external provider. */
const OWN_METHODS = ['email', 'phone'];

const identityOf = (identity: Fields) => {
  const data = objectOf(identity.identity_data);
  const id = identity.provider_id ?? data.sub;
  return oauthOf(identity.provider, id, { email: data.email, createdAt: identity.created_at });
};

/** PostgreSQL writes `infinity` for the end of a permanent ban. `-infinity` is always in the past. */
const banOf = (until: string | undefined): DescribedBan | undefined => {
  if (until === undefined || until === '-infinity') return undefined;
  return { reason: 'Banned in Supabase.', until: until === 'infinity' ? undefined : until };
};

/** A row of `auth.users`, with its rows of `auth.identities` as `identities`. */
export const describeSupabase = (user: Fields): DescribedUser | BadLine => {
  if (textOf(user.deleted_at) !== undefined) return { problem: 'It was deleted in Supabase.' };
  const metadata = objectOf(user.raw_user_meta_data);
  const hash = textOf(user.encrypted_password);
  const userMetadata = othersOf(metadata, METADATA_FIELDS).map((name) => `raw_user_meta_data.${name}`);
  const appMetadata = othersOf(objectOf(user.raw_app_meta_data), METADATA_FIELDS);
  return {
    email: textOf(user.email),
    isVerified: textOf(user.email_confirmed_at) !== undefined,
    name: textOf(metadata.full_name) ?? textOf(metadata.name),
    password: hash === undefined ? null : convertHash(hash),
    avatar: metadata.avatar_url ?? metadata.picture,
    oauthAccounts: listOf(user.identities)
      .filter(({ provider }) => !OWN_METHODS.includes(textOf(provider) ?? ''))
      .flatMap(identityOf),
    banned: banOf(textOf(user.banned_until)),
    createdAt: user.created_at,
    leftOut: [
      ...othersOf(user, KNOWN_FIELDS),
      ...userMetadata,
      ...appMetadata.map((name) => `raw_app_meta_data.${name}`),
    ],
  };
};
