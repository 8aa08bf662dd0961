import { auditDigest, chainText } from '../../aftermath/audit.ts';
import type { Kit } from '../../kit.ts';
import type { AuditRow } from '../../ports.ts';
import { readContent } from './audit-rows.ts';

/** The kinds of tampering. */
export type AuditFault = 'altered' | 'removed' | 'reordered' | 'cut off';

/** The first row that is not as it was written. */
export interface BrokenRow {
  readonly number: number;
  readonly fault: AuditFault;
  /** A sentence for people. */
  readonly problem: string;
}

/** The place after which a row stands: number and value of the row before, 0 and '' for the first. */
export type Place = Pick<AuditRow, 'number' | 'value'>;

const problems = {
  removed: 'it is not there',
  content: 'its content is not what was written',
  ids: 'the ids beside its content are not those in it',
  link: 'it does not follow the row before it, or was written under a hash key that is no longer set',
  before: 'no row has such a number: the log begins with 1',
  reordered: 'another row stands in its place',
} as const;

/** Checks rows against what the chain says of them, under every live hash key. */
export const makeCheckAuditRow = ({ digest }: Pick<Kit, 'digest'>) => {
  const follows = (place: Place, row: AuditRow, value: string): boolean =>
    digest
      .everyKeyed('audit-chain', chainText(place.value, { ...row, number: place.number + 1 }))
      .some((right) => digest.equal(right, value));

  const isContentOf = ({ content, salt }: AuditRow, rowDigest: string): boolean =>
    content !== null && salt !== null && auditDigest(digest, salt, content) === rowDigest;

  const saysWhatWasWritten = (row: AuditRow): boolean =>
    isContentOf(row, row.digest) || (row.content === null && row.salt === null);

  /** Where the content is gone, the chain alone says whose the row is. */
  const namesItsOwn = (row: AuditRow): boolean => {
    if (row.content === null) return true;
    const content = readContent(row);
    return content?.id === row.entryId && content.target === row.target && content.actor === row.actor;
  };

  return {
    /** The fault of the row that follows this place; undefined if it has none. */
    check: (place: Place, row: AuditRow): BrokenRow | undefined => {
      const number = place.number + 1;
      if (row.number < number) return { number: row.number, fault: 'altered', problem: problems.before };
      if (row.number !== number) return { number, fault: 'removed', problem: problems.removed };
      if (!saysWhatWasWritten(row)) return { number, fault: 'altered', problem: problems.content };
      if (!namesItsOwn(row)) return { number, fault: 'altered', problem: problems.ids };
      if (!follows(place, row, row.value)) return { number, fault: 'altered', problem: problems.link };
      return undefined;
    },

    /** Whether a row found there or further on is the one that was written at this place, where `found` is now. */
    belongs: (place: Place, found: AuditRow, other: AuditRow): boolean =>
      follows(place, other, other.value) ||
      (other.number !== found.number &&
        (follows(place, other, found.value) || isContentOf(other, found.digest))),

    problems,
  };
};
