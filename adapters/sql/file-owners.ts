import type { FileOwners } from '../../core/files/ports.ts';
import { type Database, text } from './database.ts';

/** Possible owners of files: the accounts. A tombstone has no email. */
export const makeSqlFileOwners = ({ read }: Database): FileOwners => ({
  standing: async (userId) => {
    const row = await read.get('SELECT email IS NULL AS deleted FROM accounts WHERE id = ?', [text(userId)]);
    if (row === undefined) return 'unknown';
    return row.deleted === 1 ? 'deleted' : 'account';
  },
});
