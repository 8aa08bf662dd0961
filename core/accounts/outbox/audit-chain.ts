import { batched } from '../../batched-calls.ts';
import { unavailable } from '../../errors.ts';
import type { Digest } from '../../ports.ts';
import type { AuditEntry, Entries } from '../outbox-entries.ts';
import type { AccountsPorts, AuditHead, AuditRow, FollowingRows, StoreUsage } from '../ports.ts';

/** The content of a row as text. Its digest covers exactly these bytes. */
const contentOf = (entry: AuditEntry): string => {
  const { id, at, actor, person, action, target, reason, before, after, requestId, address } = entry;
  return JSON.stringify({ id, at, actor, person, action, target, reason, before, after, requestId, address });
};

/** The digest of a row's content: salted, so that it reveals nothing once content and salt are erased. */
export const auditDigest = (digest: Digest, salt: string, content: string): string =>
  digest.sha256(`${salt}.${content}`);

/**
 * The chained text of a row: the previous value, its number, its digest, and the ids that remain after an erasure, so
 * that an erased row cannot be attributed to another user.
 */
export const chainText = (previous: string, row: Omit<AuditRow, 'content' | 'salt' | 'value'>): string =>
  JSON.stringify([previous, row.number, row.entryId, row.target, row.actor, row.digest]);

/** Whether the head was signed under one of the configured hash keys. */
export const isSigned = (digest: Digest, { number, value, signature }: AuditHead): boolean =>
  digest.everyKeyed('audit-head', `${number}.${value}`).some((expected) => digest.equal(expected, signature));

/** The action of a log's first row; logs of earlier versions begin without it. */
export const OPENED = 'audit.begun';

/** Rows appended in one write. */
const MAX_BATCH = 1_024;
const ATTEMPTS = 100;

type Tools = Pick<AccountsPorts, 'audit' | 'digest' | 'random'> & { readonly entries: Entries };

type PreviousRow = Pick<AuditRow, 'number' | 'value'>;
/** A row that has no place in the log yet. */
type UnplacedRow = Omit<AuditRow, 'number' | 'value'>;

/** Stands for the row before the first. */
const NONE: PreviousRow = { number: 0, value: '' };

const unplacedRow = ({ digest, random }: Tools, entry: AuditEntry): UnplacedRow => {
  const content = contentOf(entry);
  const salt = random.text(16);
  const { id: entryId, target, actor } = entry;
  return { entryId, target, actor, content, salt, digest: auditDigest(digest, salt, content) };
};

/** Chains rows behind the previous one. */
const chainRows = (
  { digest }: Tools,
  start: PreviousRow,
  unplacedRows: readonly UnplacedRow[],
): FollowingRows => {
  let previous = start;
  const rows = unplacedRows.map((unplaced): AuditRow => {
    const placed = { ...unplaced, number: previous.number + 1 };
    const row = { ...placed, value: digest.keyed('audit-chain', chainText(previous.value, placed)) };
    previous = row;
    return row;
  });
  const { number, value } = previous;
  return { rows, head: { number, value, signature: digest.keyed('audit-head', `${number}.${value}`) } };
};

/**
 * The first row of a new log says whether the store was in use already. If an attacker removes the log with its head, the
 * first row of the next log shows it: without the hash key nobody can forge another one.
 */
const beginningRow = (tools: Tools, { inUse }: Pick<StoreUsage, 'inUse'>): UnplacedRow =>
  unplacedRow(
    tools,
    tools.entries.audit({ action: OPENED, actor: 'system', target: 'audit', after: { inUse }, caller: null }),
  );

/**
 * Appends entries to the log, each once: a repetition changes nothing. A process calls this once and shares the result,
 * so that concurrent entries share a write.
 */
export const makeAppendAudit = (tools: Tools) => {
  const { audit } = tools;

  const appendAll = async (newRows: readonly UnplacedRow[]): Promise<void> => {
    // By id: an entry that stands in the batch twice gets one row, and rows that turn out to be in the log are removed below.
    const rows = new Map(newRows.map((row) => [row.entryId, row]));
    for (let attempt = 0; attempt < ATTEMPTS && rows.size > 0; attempt += 1) {
      const isAppended = await audit.append(async (head) => {
        if (head !== undefined) return chainRows(tools, head, [...rows.values()]);
        const first = beginningRow(tools, await audit.usage());
        return chainRows(tools, NONE, [first, ...rows.values()]);
      });
      if (isAppended) return;
      // Another process was faster, or an entry is a repetition.
      for (const id of await audit.listExisting([...rows.keys()])) rows.delete(id);
    }
    if (rows.size > 0)
      throw unavailable('audit_contended', 'Too many processes write to the audit log at once.', 1);
  };

  const append = batched(async (batch: readonly UnplacedRow[]): Promise<readonly undefined[]> => {
    await appendAll(batch);
    return batch.map(() => undefined);
  }, MAX_BATCH);
  // Computes salt and digest while the previous batch is written.
  return (entry: AuditEntry): Promise<undefined> => append(unplacedRow(tools, entry));
};

/**
 * Begins the log of a new store. In a store in use, a missing log stays missing until the next entry. Logs an error if
 * the log was written under a hash key that is not configured here: nothing that was made under that key is recognised.
 */
export const makeOpenAudit = (tools: Tools & Pick<AccountsPorts, 'log'>) => {
  const { audit, digest, log } = tools;
  return async (): Promise<void> => {
    const head = await audit.head();
    if (head !== undefined) {
      const reason = 'the store was last used with a hash key that is not set here';
      if (!isSigned(digest, head)) log.error('hash_key.unknown', { reason });
      return;
    }
    const first = chainRows(tools, NONE, [beginningRow(tools, { inUse: false })]);
    // A single row; in a store in use `appendFirst` does nothing.
    for (const row of first.rows) await audit.appendFirst(row, first.head);
  };
};

/**
 * Logs the head, so that any copy of the process log reveals a truncated audit log. Returns 0: as a
 * background job it would run again at once after any other number.
 */
export const makeLogAuditHead =
  ({ audit, log }: Pick<AccountsPorts, 'audit' | 'log'>) =>
  async (): Promise<number> => {
    const head = await audit.head();
    if (head !== undefined)
      log.info('audit.head', { count: head.number, id: `${head.value}.${head.signature}` });
    return 0;
  };
