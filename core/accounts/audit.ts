import { unavailable } from '../errors.ts';
import type { Digest } from '../ports.ts';
import type { Needs } from './needs.ts';
import type { AuditEntry } from './pending.ts';
import type { AuditHead, AuditRow } from './ports.ts';

/** What a row says, in the one spelling that its digest is taken of. */
const contentOf = ({ id, at, actor, action, target, reason, before, after, requestId }: AuditEntry): string =>
  JSON.stringify({ id, at, actor, action, target, reason, before, after, requestId });

/** The digest of a row's content: salted, so that it tells nothing once content and salt are erased. */
export const auditDigest = (digest: Digest, salt: string, content: string): string =>
  digest.sha256(`${salt}.${content}`);

/** A row's place in the chain: over the value before it, its number and its digest. */
export const chainText = (previous: string, number: number, rowDigest: string): string =>
  `${previous}.${number}.${rowDigest}`;

const headOf = (digest: Digest, number: number, value: string): AuditHead => ({
  number,
  value,
  signature: digest.keyed('audit-head', `${number}.${value}`),
});

/** Appends an entry to the log once; a repetition changes nothing. */
export const makeAppendAudit =
  ({ audit, digest, random }: Pick<Needs, 'audit' | 'digest' | 'random'>) =>
  async (entry: AuditEntry): Promise<void> => {
    const content = contentOf(entry);
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const last = (await audit.head()) ?? { number: 0, value: '' };
      const number = last.number + 1;
      const salt = random.text(16);
      const rowDigest = auditDigest(digest, salt, content);
      const value = digest.keyed('audit-chain', chainText(last.value, number, rowDigest));
      const { id: entryId, target, actor } = entry;
      const row: AuditRow = { number, entryId, target, actor, content, salt, digest: rowDigest, value };
      if (await audit.append(row, headOf(digest, number, value))) return;
    }
    throw unavailable('audit_contended', 'The audit log is written by too many at once.', 1);
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
