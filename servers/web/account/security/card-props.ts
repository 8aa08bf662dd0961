import type { AccountsSchemas } from '../../../client/index.ts';

export type Security = AccountsSchemas['Security'];

export interface CardProps {
  readonly security: Security;
  /** Reads the data again after a change. */
  readonly reload: () => Promise<void>;
}
