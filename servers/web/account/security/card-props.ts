import type { AccountsSchemas } from '../../../client/index.ts';

export type Security = AccountsSchemas['Security'];

export interface CardProps {
  readonly security: Security;
  readonly reload: () => Promise<void>;
}
