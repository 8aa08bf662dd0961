import type { AuditHead, AuditParty, AuditRow, AuditStore } from '../../core/accounts/ports.ts';
import type { Accounts } from './account-store.ts';
import { kept } from './records.ts';
import { text, whole } from './scalars.ts';

const checked = (row: AuditRow): AuditRow => {
  whole(row.number);
  for (const name of ['entryId', 'target', 'actor', 'digest', 'value'] as const) text(row[name]);
  return kept(row);
};

const isParty = (party: AuditParty): ((row: AuditRow) => boolean) => {
  const id = text(party.id);
  return ({ target, actor }) =>
    (party.as !== 'actor' && target === id) || (party.as !== 'target' && actor === id);
};

/** What tells how long the store has been in use: all that it holds beside the log. */
export interface Used {
  readonly accounts: Accounts;
  isUsed(): boolean;
}

/** The audit log in memory. */
export const makeMemoryAuditStore = ({ accounts, isUsed }: Used): AuditStore => {
  const rows: AuditRow[] = [];
  let last: AuditHead | undefined;

  const append = (given: readonly AuditRow[], head: AuditHead): boolean => {
    const next = given.map(checked);
    const known = new Set(rows.map(({ entryId }) => entryId));
    const follows = next.every(({ number }, place) => number === rows.length + 1 + place);
    if (!follows || next.some(({ entryId }) => known.has(entryId))) return false;
    rows.push(...next);
    last = kept(head);
    return true;
  };
  const from = (number: number, some: readonly AuditRow[], limit: number) => {
    const first = number === Number.NEGATIVE_INFINITY ? 0 : whole(number);
    return some.filter((row) => row.number >= first).slice(0, whole(limit));
  };

  return {
    head: async () => last,
    usage: async () => ({ inUse: isUsed(), firstAccount: [...accounts.keys()].sort()[0] ?? null }),
    begin: async (row, head) => {
      checked(row);
      return rows.length === 0 && !isUsed() && append([row], head);
    },
    append: async (given, head) => append(given, head),
    known: async (entryIds) => {
      const asked = new Set(entryIds.map(text));
      return rows.flatMap(({ entryId }) => (asked.has(entryId) ? [entryId] : []));
    },
    list: async (number, limit) => from(number, rows, limit),
    listAbout: async (userId, number, limit) =>
      from(number, rows.filter(isParty({ id: userId, as: 'either' })), limit),
    listBack: async (before, limit, party) => {
      const end = before === Number.POSITIVE_INFINITY ? before : whole(before);
      const some = party === undefined ? rows : rows.filter(isParty(party));
      return some
        .filter(({ number }) => number < end)
        .reverse()
        .slice(0, whole(limit));
    },
    eraseAbout: async (userId, keep) => {
      const keptOnes = new Set(keep.map(text));
      const isErased = isParty({ id: userId, as: 'either' });
      let erased = 0;
      for (const [place, row] of rows.entries()) {
        const isEmpty = row.content === null && row.salt === null;
        if (isEmpty || keptOnes.has(row.entryId) || !isErased(row)) continue;
        rows[place] = kept({ ...row, content: null, salt: null });
        erased += 1;
      }
      return erased;
    },
  };
};
