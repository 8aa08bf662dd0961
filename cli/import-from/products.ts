import type { BadLine, Fields } from '../../core/import-lines.ts';
import { auth0Id, auth0Owner, describeAuth0 } from './auth0.ts';
import { betterAuthId, betterAuthOwner, describeBetterAuth } from './better-auth.ts';
import { makeDescribeFirebase } from './firebase.ts';
import type { HashConfig } from './hashes.ts';
import { describeKeycloak } from './keycloak.ts';
import { describeSupabase } from './supabase.ts';
import type { DescribedUser } from './user-to-import-line.ts';

type DescribeUser = (user: Fields, related: readonly Fields[]) => DescribedUser | BadLine;

/** A product whose users can be imported, with the form of its export. */
export interface SourceProduct {
  /** The member of a JSON document that holds the users; null if the export has no such document. */
  readonly users: string | null;
  readonly takesCsv: boolean;
  /** The file without which the users have no passwords; null if the export has the passwords. */
  readonly requiredFile: 'hashConfig' | 'passwords' | null;
  /** Separate records about users: in the member `array` of the document or, if it is null, in the file of passwords. */
  readonly related: {
    readonly array: string | null;
    readonly idOf: (user: Fields) => string | undefined;
    readonly ownerOf: (record: Fields) => string | undefined;
  } | null;
  describe(config: HashConfig | undefined): DescribeUser;
}

const DEFAULTS = { users: null, takesCsv: false, requiredFile: null, related: null };

export const products: Readonly<Record<string, SourceProduct>> = {
  'better-auth': {
    ...DEFAULTS,
    users: 'user',
    related: { array: 'account', idOf: betterAuthId, ownerOf: betterAuthOwner },
    describe: () => describeBetterAuth,
  },
  supabase: { ...DEFAULTS, takesCsv: true, describe: () => describeSupabase },
  firebase: { ...DEFAULTS, users: 'users', requiredFile: 'hashConfig', describe: makeDescribeFirebase },
  auth0: {
    ...DEFAULTS,
    requiredFile: 'passwords',
    related: { array: null, idOf: auth0Id, ownerOf: auth0Owner },
    describe: () => describeAuth0,
  },
  keycloak: { ...DEFAULTS, users: 'users', describe: () => describeKeycloak },
};
