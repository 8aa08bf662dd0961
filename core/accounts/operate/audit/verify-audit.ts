import { invalid } from '../../../errors.ts';
import { isSigned } from '../../aftermath/audit.ts';
import type { Kit } from '../../kit.ts';
import type { AuditHead, AuditRow } from '../../ports.ts';
import { type AuditFault, type BrokenRow, makeCheckAuditRow, type Place } from './check-audit-row.ts';
import { makeCheckBeginning } from './check-beginning.ts';
import { makeErasures } from './erasures.ts';
import { makeWalkAudit } from './walk-audit.ts';

export interface AuditVerdict {
  readonly intact: boolean;
  readonly rows: number;
  /** Rows whose content went with the user they were about. */
  readonly erased: number;
  /** `number.value.signature` of the newest row, to be noted elsewhere; null while the log is empty. */
  readonly head: string | null;
  readonly broken: BrokenRow | null;
}

/** A head that was noted elsewhere: as this gives it, as the process log has it (`value.signature`), or a value. */
interface NotedHead {
  readonly number: number | undefined;
  readonly value: string;
}

const readNoted = (text: string): NotedHead => {
  const [, number, value = ''] =
    /^(?:(\d{1,15})\.)?([A-Za-z0-9_-]{43})(?:\.[A-Za-z0-9_-]{43})?$/.exec(text) ?? [];
  if (value === '') throw invalid('invalid_head', 'The head is not one that this command or the log gave.');
  return { number: number === undefined ? undefined : Number(number), value };
};

const broken = (number: number, fault: AuditFault, problem: string): BrokenRow => ({
  number,
  fault,
  problem,
});

/** Rows between two steps. */
const STEP = 100;

/** Verifies in steps, each of which gives how many rows were looked at; at the end comes the verdict. See decision 0067. */
export const makeVerifySteps = (kit: Kit) => {
  const { audit, digest } = kit;
  const { check, belongs, problems } = makeCheckAuditRow(kit);
  const checkBeginning = makeCheckBeginning(kit);
  const walkAudit = makeWalkAudit(kit);

  /** What became of a row whose link is broken, by what stands further on. */
  const nameFault = async function* (
    place: Place,
    found: AuditRow,
    fault: BrokenRow,
  ): AsyncGenerator<number, BrokenRow> {
    if (fault.problem === problems.before) return fault;
    let last = place.number;
    for await (const other of walkAudit()) {
      last = other.number;
      if (last % STEP === 0) yield place.number;
      if (other.number > place.number + 1 && belongs(place, found, other)) {
        return broken(fault.number, 'reordered', problems.reordered);
      }
    }
    const head = await audit.head();
    const isShort = fault.problem === problems.link && head !== undefined && head.number > last;
    return isShort ? broken(fault.number, 'removed', problems.removed) : fault;
  };

  const checkHead = (head: AuditHead | undefined, last: Place): BrokenRow | undefined => {
    if (head === undefined) {
      return last.number === 0 ? undefined : broken(last.number, 'cut off', 'the signed head is not there');
    }
    if (!isSigned(digest, head)) {
      return broken(head.number, 'altered', 'the signature of the head is not right');
    }
    if (head.number > last.number) return broken(last.number + 1, 'cut off', 'the log ends before it');
    const fits = head.number === last.number && head.value === last.value;
    return fits ? undefined : broken(head.number, 'altered', 'the signed head is not that of the last row');
  };

  return async function* (notedHead?: string): AsyncGenerator<number, AuditVerdict> {
    const noted = notedHead === undefined ? undefined : readNoted(notedHead);
    const erasures = makeErasures(kit);
    let last: Place = { number: 0, value: '' };
    let notedAt: number | undefined;
    let first: AuditRow | undefined;
    let found: BrokenRow | undefined;
    let head: AuditHead | undefined;
    let before: Place | undefined;
    // Rows that come in while this walks are walked as well, until the head is that of the last row seen.
    do {
      // From the least number that there is: nothing may stand before the first row.
      const from = before === undefined ? Number.NEGATIVE_INFINITY : last.number + 1;
      before = last;
      for await (const row of walkAudit(undefined, from)) {
        const fault = check(last, row);
        if (fault !== undefined) {
          found = yield* nameFault(last, row, fault);
          break;
        }
        if (row.value === noted?.value) notedAt = row.number;
        first ??= row;
        erasures.note(row);
        last = { number: row.number, value: row.value };
        if (row.number % STEP === 0) yield row.number;
      }
      head = await audit.head();
    } while (found === undefined && last !== before && (head?.number ?? 0) > last.number);

    found ??= checkHead(head, last) ?? (await checkBeginning(first));
    if (found === undefined && noted !== undefined && notedAt === undefined) {
      const isThere = noted.number !== undefined && noted.number <= last.number;
      found = isThere
        ? broken(noted.number ?? 0, 'altered', 'it is not the row of the head that was noted')
        : broken(last.number + 1, 'cut off', 'the row of the head that was noted is not in the log');
    }
    if (found === undefined) {
      const number = yield* erasures.unexplained(last.number);
      if (number !== undefined) {
        found = broken(number, 'altered', 'its content is gone, and no row says that a user was erased');
      }
    }
    return {
      intact: found === undefined,
      rows: last.number,
      erased: erasures.count(),
      head: head === undefined ? null : `${head.number}.${head.value}.${head.signature}`,
      broken: found ?? null,
    };
  };
};

export const makeVerifyAudit = (kit: Kit) => {
  const verifySteps = makeVerifySteps(kit);
  return async (notedHead?: string): Promise<AuditVerdict> => {
    const steps = verifySteps(notedHead);
    let step = await steps.next();
    while (!step.done) step = await steps.next();
    return step.value;
  };
};
