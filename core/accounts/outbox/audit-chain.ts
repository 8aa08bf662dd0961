import { batched } from '../../batched-calls.ts';
import { unavailable } from '../../errors.ts';
import type { Digest } from '../../ports.ts';
import type { Deps } from '../deps.ts';
import type { AuditEntry } from '../outbox-entries.ts';
import type { AuditHead, AuditRow } from '../ports.ts';

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

const headOf = (digest: Digest, number: number, value: string): AuditHead => ({
  number,
  value,
  signature: digest.keyed('audit-head', `${number}.${value}`),
});

/** Whether the head was signed under one of the configured hash keys. */
export const isSigned = (digest: Digest, { number, value, signature }: AuditHead): boolean =>
  digest.everyKeyed('audit-head', `${number}.${value}`).some((expected) => digest.equal(expected, signature));

/** The first row of every log. */
export const OPENED = 'audit.begun';

/** Rows appended in one write. */
const MAX_BATCH = 256;
const ATTEMPTS = 100;

type Tools = Pick<Deps, 'audit' | 'digest' | 'entries' | 'random'>;

type PreviousRow = Pick<AuditRow, 'number' | 'value'>;

const NONE: PreviousRow = { number: 0, value: '' };

const makeRowAfter =
  ({ digest, random }: Tools) =>
  (previous: PreviousRow, entry: AuditEntry): AuditRow => {
    const content = contentOf(entry);
    const salt = random.text(16);
    const number = previous.number + 1;
    const rowDigest = auditDigest(digest, salt, content);
    const { id: entryId, target, actor } = entry;
    const placed = { number, entryId, target, actor, digest: rowDigest };
    return {
      ...placed,
      content,
      salt,
      value: digest.keyed('audit-chain', chainText(previous.value, placed)),
    };
  };

/**
 * The first row of every log says whether the store was in use already. An attacker who removes the log with its head
 * cannot forge another first row.
 */
const beginningEntry = ({ entries }: Tools, inUse: boolean): AuditEntry =>
  entries.audit({ action: OPENED, actor: 'system', target: 'audit', after: { inUse }, caller: null });

/** Appends entries to the log, each once: a repetition changes nothing. Concurrent entries share a write. */
export const makeAppendAudit = (tools: Tools) => {
  const { audit, digest } = tools;
  const rowAfter = makeRowAfter(tools);

  const appendAll = async (newEntries: readonly AuditEntry[]): Promise<void> => {
    const entries = new Map(newEntries.map((entry) => [entry.id, entry]));
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const [existing, head] = await Promise.all([audit.listExisting([...entries.keys()]), audit.head()]);
      for (const id of existing) entries.delete(id);
      if (entries.size === 0) return;
      const beginning = head === undefined ? [beginningEntry(tools, (await audit.usage()).inUse)] : [];
      let previous: PreviousRow = head ?? NONE;
      const rows: AuditRow[] = [];
      for (const entry of [...beginning, ...entries.values()]) {
        const row = rowAfter(previous, entry);
        rows.push(row);
        previous = row;
      }
      if (await audit.append(rows, headOf(digest, previous.number, previous.value))) return;
    }
    throw unavailable('audit_contended', 'Too many processes write to the audit log at once.', 1);
  };

  return batched(async (batch: readonly AuditEntry[]): Promise<readonly undefined[]> => {
    await appendAll(batch);
    return batch.map(() => undefined);
  }, MAX_BATCH);
};

/**
 * Begins the log of a new store. In a store in use, a missing log stays missing until the next entry. Logs an error if
 * the log was written under a hash key that is not configured here: codes and MACs under that key are not recognised,
 * and the log verifies only with both keys.
 */
export const makeOpenAudit = (tools: Tools & Pick<Deps, 'log'>) => {
  const { audit, digest, log } = tools;
  const rowAfter = makeRowAfter(tools);
  return async (): Promise<void> => {
    const head = await audit.head();
    if (head !== undefined) {
      const reason = 'the store was last used with a hash key that is not set here';
      if (!isSigned(digest, head)) log.error('hash_key.unknown', { reason });
      return;
    }
    const row = rowAfter(NONE, beginningEntry(tools, false));
    await audit.appendFirst(row, headOf(digest, row.number, row.value));
  };
};

/** Logs the head, so that any copy of the process log reveals a truncated audit log. */
export const makeLogAuditHead =
  ({ audit, log }: Pick<Deps, 'audit' | 'log'>) =>
  async (): Promise<number> => {
    const head = await audit.head();
    if (head !== undefined)
      log.info('audit.head', { count: head.number, id: `${head.value}.${head.signature}` });
    return 0;
  };
