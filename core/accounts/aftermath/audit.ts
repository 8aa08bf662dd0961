import { unavailable } from '../../errors.ts';
import type { Digest } from '../../ports.ts';
import type { Kit } from '../kit.ts';
import type { Needs } from '../needs.ts';
import type { AuditEntry } from '../pending.ts';
import type { AuditHead, AuditRow } from '../ports.ts';
import { batched } from './batch.ts';

/** The content of a row as text. Its digest covers exactly this spelling. */
const contentOf = (entry: AuditEntry): string => {
  const { id, at, actor, person, action, target, reason, before, after, requestId, address } = entry;
  return JSON.stringify({ id, at, actor, person, action, target, reason, before, after, requestId, address });
};

/** The digest of a row's content: salted, so that it tells nothing once content and salt are erased. */
export const auditDigest = (digest: Digest, salt: string, content: string): string =>
  digest.sha256(`${salt}.${content}`);

/**
 * A row's place in the chain: over the value before it, its number, its digest, and the ids that stay when its content
 * is erased, so that an emptied row cannot be passed off as another user's.
 */
export const chainText = (previous: string, row: Omit<AuditRow, 'content' | 'salt' | 'value'>): string =>
  JSON.stringify([previous, row.number, row.entryId, row.target, row.actor, row.digest]);

const headOf = (digest: Digest, number: number, value: string): AuditHead => ({
  number,
  value,
  signature: digest.keyed('audit-head', `${number}.${value}`),
});

/** Whether the head was signed under one of the hash keys that are set. */
export const isSigned = (digest: Digest, { number, value, signature }: AuditHead): boolean =>
  digest.everyKeyed('audit-head', `${number}.${value}`).some((right) => digest.equal(right, signature));

/** The first row of every log. */
export const BEGUN = 'audit.begun';

/** Rows appended in one write. */
const MOST_AT_ONCE = 256;
const ATTEMPTS = 100;

type Tools = Pick<Kit, 'audit' | 'digest' | 'entries' | 'random'>;

type Last = Pick<AuditRow, 'number' | 'value'>;

const NONE: Last = { number: 0, value: '' };

const makeRowAfter =
  ({ digest, random }: Tools) =>
  (last: Last, entry: AuditEntry): AuditRow => {
    const content = contentOf(entry);
    const salt = random.text(16);
    const number = last.number + 1;
    const rowDigest = auditDigest(digest, salt, content);
    const { id: entryId, target, actor } = entry;
    const placed = { number, entryId, target, actor, digest: rowDigest };
    return { ...placed, content, salt, value: digest.keyed('audit-chain', chainText(last.value, placed)) };
  };

/**
 * No log begins without this row, which says whether the store was in use by then. Whoever takes a log away, head and
 * all, cannot write another first row than the one that the program does.
 */
const beginning = ({ entries }: Tools, inUse: boolean): AuditEntry =>
  entries.audit({ action: BEGUN, actor: 'system', target: 'audit', after: { inUse }, caller: null });

/** Appends entries to the log, each once: a repetition changes nothing. What comes in at once goes in together. */
export const makeAppendAudit = (tools: Tools) => {
  const { audit, digest } = tools;
  const rowAfter = makeRowAfter(tools);

  const appendAll = async (given: readonly AuditEntry[]): Promise<void> => {
    const entries = new Map(given.map((entry) => [entry.id, entry]));
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      for (const id of await audit.known([...entries.keys()])) entries.delete(id);
      if (entries.size === 0) return;
      const head = await audit.head();
      const first = head === undefined ? [beginning(tools, (await audit.usage()).inUse)] : [];
      let last: Last = head ?? NONE;
      const rows: AuditRow[] = [];
      for (const entry of [...first, ...entries.values()]) {
        const row = rowAfter(last, entry);
        rows.push(row);
        last = row;
      }
      if (await audit.append(rows, headOf(digest, last.number, last.value))) return;
    }
    throw unavailable('audit_contended', 'The audit log is written by too many at once.', 1);
  };

  return batched(async (given: readonly AuditEntry[]): Promise<readonly undefined[]> => {
    await appendAll(given);
    return given.map(() => undefined);
  }, MOST_AT_ONCE);
};

/**
 * Begins the log of a store that was just made. In one that is in use a missing log is left as it is found, until
 * something is to be logged. Says so where others wrote the log under a hash key that is not set here: codes and marks
 * of theirs are not recognised, and the log verifies only where both keys are set.
 */
export const makeBeginAudit = (tools: Tools & Pick<Needs, 'log'>) => {
  const { audit, digest, log } = tools;
  const rowAfter = makeRowAfter(tools);
  return async (): Promise<void> => {
    const head = await audit.head();
    if (head !== undefined) {
      const reason = 'the store was last used with a hash key that is not set here';
      if (!isSigned(digest, head)) log.error('hash_key.unknown', { reason });
      return;
    }
    const row = rowAfter(NONE, beginning(tools, false));
    await audit.begin(row, headOf(digest, row.number, row.value));
  };
};

/** Logs the head, so that cutting off the log's end shows against any copy of the process log. */
export const makeLogAuditHead =
  ({ audit, log }: Pick<Needs, 'audit' | 'log'>) =>
  async (): Promise<number> => {
    const head = await audit.head();
    if (head !== undefined)
      log.info('audit.head', { count: head.number, id: `${head.value}.${head.signature}` });
    return 0;
  };
