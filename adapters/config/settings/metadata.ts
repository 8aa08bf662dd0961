import { setting } from '../declare-setting.ts';
import { integer, oneOf } from '../value-kinds.ts';

export const metadata = {
  /** Whether the metadata service requires its secret. `none` is allowed only outside production on a loopback `HOST`. */
  metaAuth: setting('META_AUTH', oneOf('none', 'secret'), {
    byDefault: '`none` outside production on a loopback `HOST`, else `secret`',
    orElse: ({ trial }) => (trial ? 'none' : 'secret'),
    check: (mode, { trial }) =>
      !trial && mode === 'none' && 'be secret in production and where HOST is not a loopback address',
  }),
  /** Size limit of one cache sync in bytes. */
  syncLimitBytes: setting('SYNC_LIMIT_BYTES', integer(1, Number.MAX_SAFE_INTEGER), { default: '471859200' }),
};
