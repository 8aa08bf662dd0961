import type { BadLine, Fields } from '../../../core/import-lines.ts';
import { auth0Id, auth0Owner, describeAuth0 } from './auth0.ts';
import { betterAuthId, betterAuthOwner, describeBetterAuth } from './better-auth.ts';
import { makeDescribeFirebase } from './firebase.ts';
import type { HashConfig } from './hashes.ts';
import { describeKeycloak } from './keycloak.ts';
import { describeSupabase } from './supabase.ts';
import type { DescribedUser } from './user-line.ts';

export type Describe = (user: Fields, joined: readonly Fields[]) => DescribedUser | BadLine;

/** A product whose users can be imported, with the form of its export. */
export interface Product {
  /** The member of a JSON document that holds the users. */
  readonly users: string | null;
  readonly takesCsv: boolean;
  /** The file without which the users have no passwords. */
  readonly needs: 'hashConfig' | 'passwords' | null;
  /** Separate records about users: in another member of the document, or in the file of passwords. */
  readonly joined: {
    readonly array: string | null;
    readonly idOf: (user: Fields) => string | undefined;
    readonly ownerOf: (record: Fields) => string | undefined;
  } | null;
  describe(config: HashConfig | undefined): Describe;
}

const plain = { users: null, takesCsv: false, needs: null, joined: null };

export const products: Readonly<Record<string, Product>> = {
  'better-auth': {
    ...plain,
    users: 'user',
    joined: { array: 'account', idOf: betterAuthId, ownerOf: betterAuthOwner },
    describe: () => describeBetterAuth,
  },
  supabase: { ...plain, takesCsv: true, describe: () => describeSupabase },
  firebase: { ...plain, users: 'users', needs: 'hashConfig', describe: makeDescribeFirebase },
  auth0: {
    ...plain,
    needs: 'passwords',
    joined: { array: null, idOf: auth0Id, ownerOf: auth0Owner },
    describe: () => describeAuth0,
  },
  keycloak: { ...plain, users: 'users', describe: () => describeKeycloak },
};
