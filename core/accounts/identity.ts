import type { Account } from './account.ts';
import type { AccessTokenClaims } from './ports.ts';
import type { Session } from './session.ts';

/** Who is behind an access token, as the store has it now. */
export interface Identity {
  readonly account: Account;
  readonly session: Session;
  readonly claims: AccessTokenClaims;
}
