import type { AccountsSchemas } from '../../client/index.ts';

export type Security = AccountsSchemas['Security'];

export interface CardProps {
  readonly security: Security;
  /** Reads it anew after a change. */
  readonly again: () => Promise<void>;
}
