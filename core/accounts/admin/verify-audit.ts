import { invalid } from '../../errors.ts';
import { isId, timeOfId } from '../../ids.ts';
import { flag, integer, nullable, object, oneOf, type TypeOf, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { auditDigest, chainText, isSigned, OPENED } from '../outbox/audit-chain.ts';
import { readContent, walkAudit } from '../outbox/audit-rows.ts';
import type { AuditHead, AuditRow } from '../ports.ts';

/** The numbers of the first and the last erased row of a target and an actor. */
interface ErasedRange {
  readonly target: string;
  readonly actor: string;
  readonly first: number;
  last: number;
}

/**
 * Finds erased rows whose user still exists, or whose user's erasure no later row records. Anyone with write access to the
 * store could erase the content of a row to hide it, or plant a task that makes the relay do so.
 */
const makeErasureCheck = ({ accounts }: Pick<Deps, 'accounts'>) => {
  const erasedRanges = new Map<string, ErasedRange>();
  /** The number of the row that records the erasure of a user, by the user's id. */
  const erasureRows = new Map<string, number>();
  let count = 0;

  /**
   * The number of the row that records the user's erasure, which explains erased rows before it; 0 without an erasure,
   * infinite while the erasure is under way.
   */
  const erasureRowOf = async (userId: string): Promise<number> => {
    if (!isId(userId)) return 0;
    const account = await accounts.find(userId);
    // A user who exists was not erased, even if a forged row says so.
    if (account?.deletedAt === null) return 0;
    const isUnderWay = account?.pending.some(
      (entry) => entry.kind === 'task' && entry.task === 'erase-audit',
    );
    // Under way: rows may be erased already, but the relay records the erasure only when all of them are.
    return isUnderWay === true ? Number.POSITIVE_INFINITY : (erasureRows.get(userId) ?? 0);
  };

  return {
    note: (row: AuditRow): void => {
      const { number, target, actor } = row;
      if (row.content === null) {
        count += 1;
        const pair = `${target} ${actor}`;
        const range = erasedRanges.get(pair);
        if (range === undefined) erasedRanges.set(pair, { target, actor, first: number, last: number });
        else range.last = number;
      } else if (row.actor === 'system' && readContent(row)?.action === 'audit.erased') {
        erasureRows.set(target, number);
      }
    },
    count: () => count,
    /**
     * The number of an unexplained erased row; undefined if every erasure is explained. Yields `rows`, the number of checked
     * rows, for each pair of target and actor.
     */
    findUnexplained: async function* (rows: number): AsyncGenerator<number, number | undefined> {
      for (const { target, actor, first, last } of erasedRanges.values()) {
        yield rows;
        const erasureRow = Math.max(await erasureRowOf(target), await erasureRowOf(actor));
        if (erasureRow > last) continue;
        // The first row if no erasure follows it, else the last: an erasure explains only the rows before it.
        return erasureRow > first ? last : first;
      }
      return undefined;
    },
  };
};

/** Tolerance for a clock that was wrong when the log began and was corrected since. */
const CLOCK_TOLERANCE_MS = 86_400_000;

const cutOff = (problem: string): BrokenRow => ({ number: 1, fault: 'cut off', problem });

/**
 * Checks that the log is as old as the store. A log begins with the store, before any account exists. If it begins
 * later, somebody removed the earlier log together with its head.
 */
const makeCheckBeginning =
  ({ audit }: Pick<Deps, 'audit'>) =>
  async (firstRow: AuditRow | undefined): Promise<BrokenRow | undefined> => {
    const { inUse, firstAccount } = await audit.usage();
    if (firstRow === undefined)
      return inUse ? cutOff('the store is in use, but the log is missing') : undefined;
    const content = readContent(firstRow);
    // Logs of earlier versions do not begin with such a row.
    if (content?.action !== OPENED) return undefined;
    if (content.after?.inUse !== false) return cutOff('the log was restarted while the store was in use');
    const isOlder = firstAccount !== null && timeOfId(firstAccount) < content.at - CLOCK_TOLERANCE_MS;
    return isOlder ? cutOff('some accounts are older than the log') : undefined;
  };

const brokenRow = object(
  {
    number: integer({
      description: 'A row that is not as it was written, the first that can be named',
      examples: [17],
    }),
    fault: oneOf(['altered', 'removed', 'reordered', 'cut off']),
    problem: text({ description: 'For people', examples: ['it is missing'] }),
  },
  { title: 'BrokenRow' },
);
/** A row that differs from the written one, the first that can be named. `problem` is a sentence for people. */
export type BrokenRow = TypeOf<typeof brokenRow>;
/** The kinds of tampering. */
export type AuditFault = BrokenRow['fault'];

/** The position before a row: number and value of the previous row, 0 and '' before the first row. */
export type Position = Pick<AuditRow, 'number' | 'value'>;

const problems = {
  removed: 'it is missing',
  content: 'its content was changed',
  ids: 'its ids differ from the ids in its content',
  link: 'it does not follow the previous row, or was written under a hash key that is no longer set',
  number: 'no row can have this number: the log begins with 1',
  reordered: 'another row is in its place',
} as const;

/** Checks rows against the chain, under every configured hash key. */
const makeCheckAuditRow = ({ digest }: Pick<Deps, 'digest'>) => {
  /** Whether `value` is the chain value that `row` has if it is written at this position. */
  const follows = (position: Position, row: AuditRow, value: string): boolean =>
    digest
      .everyKeyed('audit-chain', chainText(position.value, { ...row, number: position.number + 1 }))
      .some((expected) => digest.equal(expected, value));

  const isContentOf = ({ content, salt }: AuditRow, rowDigest: string): boolean =>
    content !== null && salt !== null && auditDigest(digest, salt, content) === rowDigest;

  const matchesWrittenContent = (row: AuditRow): boolean =>
    isContentOf(row, row.digest) || (row.content === null && row.salt === null);

  /** For an erased row, only the chain proves the ids. */
  const hasIdsOfContent = (row: AuditRow): boolean => {
    if (row.content === null) return true;
    const content = readContent(row);
    return content?.id === row.entryId && content.target === row.target && content.actor === row.actor;
  };

  return {
    /** The fault of the row after this position; undefined if it has none. */
    check: (position: Position, row: AuditRow): BrokenRow | undefined => {
      const number = position.number + 1;
      if (row.number < number) return { number: row.number, fault: 'altered', problem: problems.number };
      if (row.number !== number) return { number, fault: 'removed', problem: problems.removed };
      if (!matchesWrittenContent(row)) return { number, fault: 'altered', problem: problems.content };
      if (!hasIdsOfContent(row)) return { number, fault: 'altered', problem: problems.ids };
      if (!follows(position, row, row.value)) return { number, fault: 'altered', problem: problems.link };
      return undefined;
    },

    /** Whether `candidate`, a later row of the log, was written at this position, where `row` is now. */
    belongs: (position: Position, row: AuditRow, candidate: AuditRow): boolean => {
      if (follows(position, candidate, candidate.value)) return true;
      // The candidate is `row` itself: it was exchanged with no other.
      if (candidate.number === row.number) return false;
      // If only parts of two rows were exchanged, `row` may still have the chain value or the digest of this position.
      return follows(position, candidate, row.value) || isContentOf(candidate, row.digest);
    },
  };
};

export const auditVerdict = object(
  {
    intact: flag({ examples: [true] }),
    rows: integer({ description: 'Checked rows: all, if the log is intact', examples: [1_204] }),
    erased: integer({
      description: 'Checked rows whose content went with the user they were about',
      examples: [12],
    }),
    head: nullable(
      text({
        description:
          'The newest row as `gatehouse audit verify --head` takes it; null while the log is empty',
        examples: ['1204.9s3K.b2hV'],
      }),
    ),
    broken: { ...nullable(brokenRow), examples: [null] },
  },
  { title: 'AuditVerdict' },
);
/**
 * `rows`: checked rows, all unless the chain breaks before. `erased`: those of them whose content was erased
 * with the user's account. `head`: `number.value.signature` of the newest row, to be recorded elsewhere; null while the log
 * is empty.
 */
export type AuditVerdict = TypeOf<typeof auditVerdict>;

/** Reads a head recorded elsewhere: in the format of `AuditVerdict`, of the process log (`value.signature`), or a value alone. */
const readNotedHead = (text: string) => {
  const [, number, value = ''] =
    /^(?:(\d{1,15})\.)?([A-Za-z0-9_-]{43})(?:\.[A-Za-z0-9_-]{43})?$/.exec(text) ?? [];
  if (value === '')
    throw invalid('invalid_head', 'The head must be a head that this command or the log printed.');
  return { number: number === undefined ? undefined : Number(number), value };
};

const faultAt = (number: number, fault: AuditFault, problem: string): BrokenRow => ({
  number,
  fault,
  problem,
});

/** Rows per step. */
const STEP = 100;

/** Verifies in steps: yields the number of checked rows after each step, and returns the verdict. See decision 0067. */
export const makeVerifySteps = (deps: Deps) => {
  const { audit, digest } = deps;
  const { check, belongs } = makeCheckAuditRow(deps);
  const checkBeginning = makeCheckBeginning(deps);

  /**
   * The fault that `check` found, or its cause: the row of this position is further on (reordered), or it is missing and the rows
   * after it were renumbered, so that the log ends before the head's number (removed).
   */
  const nameFault = async function* (
    position: Position,
    row: AuditRow,
    fault: BrokenRow,
  ): AsyncGenerator<number, BrokenRow> {
    if (fault.problem === problems.number) return fault;
    let lastNumber = position.number;
    for await (const candidate of walkAudit(deps)) {
      lastNumber = candidate.number;
      if (lastNumber % STEP === 0) yield position.number;
      if (candidate.number > position.number + 1 && belongs(position, row, candidate)) {
        return faultAt(fault.number, 'reordered', problems.reordered);
      }
    }
    const head = await audit.head();
    const isRenumbered = fault.problem === problems.link && head !== undefined && head.number > lastNumber;
    return isRenumbered ? faultAt(fault.number, 'removed', problems.removed) : fault;
  };

  const checkHead = (head: AuditHead | undefined, lastPosition: Position): BrokenRow | undefined => {
    if (head === undefined) {
      return lastPosition.number === 0
        ? undefined
        : faultAt(lastPosition.number, 'cut off', 'the signed head is missing');
    }
    if (!isSigned(digest, head)) {
      return faultAt(head.number, 'altered', 'the signature of the head is invalid');
    }
    if (head.number > lastPosition.number)
      return faultAt(lastPosition.number + 1, 'cut off', 'the log ends before this row');
    const fits = head.number === lastPosition.number && head.value === lastPosition.value;
    return fits ? undefined : faultAt(head.number, 'altered', 'the signed head does not match the last row');
  };

  return async function* (notedHead?: string): AsyncGenerator<number, AuditVerdict> {
    const expectedHead = notedHead === undefined ? undefined : readNotedHead(notedHead);
    const erasures = makeErasureCheck(deps);
    let lastPosition: Position = { number: 0, value: '' };
    let hasExpectedRow = false;
    let firstRow: AuditRow | undefined;

    /** Checks the rows from a number on, and moves `lastPosition` behind the last intact one. Returns the first fault. */
    const checkRows = async function* (firstNumber: number): AsyncGenerator<number, BrokenRow | undefined> {
      for await (const row of walkAudit(deps, undefined, firstNumber)) {
        const fault = check(lastPosition, row);
        if (fault !== undefined) return yield* nameFault(lastPosition, row, fault);
        if (row.value === expectedHead?.value) hasExpectedRow = true;
        firstRow ??= row;
        erasures.note(row);
        lastPosition = { number: row.number, value: row.value };
        if (row.number % STEP === 0) yield row.number;
      }
      return undefined;
    };

    let broken: BrokenRow | undefined;
    let head: AuditHead | undefined;
    let mayMoreFollow: boolean;
    // Begins at the lowest possible number, to find rows with numbers below 1.
    let firstNumber = Number.NEGATIVE_INFINITY;
    // Repeats for rows that were appended meanwhile, until the last checked row has the head's number or no row follows.
    do {
      const startPosition = lastPosition;
      broken = yield* checkRows(firstNumber);
      head = await audit.head();
      firstNumber = lastPosition.number + 1;
      mayMoreFollow = lastPosition !== startPosition && (head?.number ?? 0) > lastPosition.number;
    } while (broken === undefined && mayMoreFollow);

    broken ??= checkHead(head, lastPosition) ?? (await checkBeginning(firstRow));
    if (broken === undefined && expectedHead !== undefined && !hasExpectedRow) {
      const { number: expectedNumber } = expectedHead;
      broken =
        expectedNumber !== undefined && expectedNumber <= lastPosition.number
          ? faultAt(expectedNumber, 'altered', 'it is not the row of the recorded head')
          : faultAt(lastPosition.number + 1, 'cut off', 'the row of the recorded head is not in the log');
    }
    if (broken === undefined) {
      const number = yield* erasures.findUnexplained(lastPosition.number);
      const problem = 'its content is missing, and no row records the erasure of a user';
      if (number !== undefined) broken = faultAt(number, 'altered', problem);
    }
    return {
      intact: broken === undefined,
      rows: lastPosition.number,
      erased: erasures.count(),
      head: head === undefined ? null : `${head.number}.${head.value}.${head.signature}`,
      broken: broken ?? null,
    };
  };
};

export const makeVerifyAudit = (deps: Deps) => {
  const verifySteps = makeVerifySteps(deps);
  return async (notedHead?: string): Promise<AuditVerdict> => {
    const steps = verifySteps(notedHead);
    let step = await steps.next();
    while (!step.done) step = await steps.next();
    return step.value;
  };
};
