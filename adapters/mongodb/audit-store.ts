import type { Filter } from 'mongodb';
import type { AuditFilter, AuditRow, AuditStore, StoreUsage } from '../../core/accounts/ports.ts';
import { pagesOf } from '../../core/pagination.ts';
import { STORE_LEASE } from '../transfer/store-lease.ts';
import { indexes } from './collections.ts';
import { type AuditBlock, blockOf, NUMBERED, rowsOf } from './documents/audit-blocks.ts';
import { makeAuditHeads } from './documents/audit-heads.ts';
import type { MongoDatabase } from './engine/client.ts';
import { insertOnce } from './engine/idempotent-writes.ts';
import { among, integer, is, limitOf, text } from './engine/scalars.ts';

/** Collections that may have documents before anybody works with the store. */
const BEFORE_USE = ['audit', 'audit_head', 'rates', 'leases'];
const USED = Object.keys(indexes).filter((name) => !BEFORE_USE.includes(name));

export const hasDocument = async (
  { call, collection }: MongoDatabase,
  name: string,
  filter: object = {},
): Promise<boolean> =>
  (await call(() => collection(name).findOne(filter, { projection: { _id: 1 } }))) !== null;

/** Looks for signs of use in all collections but those that may have documents before any use. */
export const findUsage = async (database: MongoDatabase): Promise<StoreUsage> => {
  const { call, collection } = database;
  const accounts = collection<{ readonly _id: string }>('accounts');
  const lowestId = { sort: { _id: 1 }, projection: { _id: 1 } } as const;
  const [first, ...used] = await Promise.all([
    call(() => accounts.findOne({}, lowestId)),
    // Leases are never deleted, so each shows that a server has worked here, except `STORE_LEASE`: every start and every import
    // takes it first, also in an empty store.
    hasDocument(database, 'leases', { _id: { $ne: STORE_LEASE } }),
    ...USED.map((name) => hasDocument(database, name)),
  ]);
  return { inUse: used.includes(true), firstAccount: first?._id ?? null };
};

/** Blocks that one query reads. */
const PAGE = 50;

/** The audit log in MongoDB: a document for each append. Its id is its first row's number, for which parallel appends compete. */
export const makeMongoAuditStore = (database: MongoDatabase): AuditStore => {
  const { call, collection } = database;
  const blocks = collection<AuditBlock>('audit');
  const heads = makeAuditHeads(database, blocks);

  const insert = async (block: ReturnType<typeof blockOf>): Promise<boolean> => {
    const inserted = await insertOnce(database, blocks, block);
    if (inserted) await heads.set(block.head);
    return inserted;
  };

  const findExisting = async (entryIds: readonly string[]): Promise<readonly string[]> => {
    const filter = { ...NUMBERED, 'rows.entryId': among(entryIds) };
    const options = { projection: { 'rows.entryId': 1 } } as const;
    const documents = await call(() => blocks.find(filter, options).toArray());
    const requested = new Set(entryIds);
    return documents
      .flatMap(({ rows }) => rows.map(({ entryId }) => entryId))
      .filter((id) => requested.has(id));
  };

  const list = (
    from: number,
    limit: number,
    filter: Filter<AuditBlock> = {},
    matches: (row: AuditRow) => boolean = () => true,
  ): Promise<readonly AuditRow[]> => {
    const most = limitOf(limit);
    const matchingRows = (block: AuditBlock) =>
      rowsOf(block).filter((row) => row.number >= from && matches(row));
    return call(async () => {
      // The last block that begins before the first requested row may contain that row.
      const before = { ...filter, _id: { ...NUMBERED._id, $lt: from } };
      const blocksBefore = await blocks.find(before, { sort: { _id: -1 }, limit: 1 }).toArray();
      const rows = blocksBefore.flatMap(matchingRows);
      const following = blocks.find(
        { ...filter, _id: { $gte: from } },
        { sort: { _id: 1 }, batchSize: PAGE },
      );
      for await (const block of following) {
        // The rows of a block are numbered from its `_id` on. So once all rows read have lower numbers, no later row is among
        // the first `most`. Only in a tampered log may a row that was read have a higher number.
        if (rows.length >= most && rows.every(({ number }) => number < block._id)) break;
        rows.push(...matchingRows(block));
      }
      return firstPage(rows, most);
    });
  };

  return {
    head: heads.newest,
    usage: () => findUsage(database),
    appendFirst: async (row, head) => {
      const block = blockOf([row], head);
      if ((await findUsage(database)).inUse) return false;
      const anything = await call(() => blocks.findOne({}, { projection: { _id: 1 } }));
      return anything === null && insert(block);
    },
    append: async (follow) => {
      const newest = await heads.newest();
      const { rows, head } = await follow(newest);
      const block = blockOf(rows, head);
      const entryIds = rows.map(({ entryId }) => entryId);
      const isSequence = rows.every(({ number }, index) => number === block._id + index);
      if (!isSequence || new Set(entryIds).size < rows.length) return false;
      // The rows must follow the head. If another append came after the read of the head, it has the same `_id`: `insert` fails.
      if ((newest?.number ?? 0) + 1 !== block._id) return false;
      return (await findExisting(entryIds)).length === 0 && insert(block);
    },
    listExisting: findExisting,
    list: async (from, limit) => list(from === Number.NEGATIVE_INFINITY ? from : integer(from), limit),
    listAbout: async (userId, from, limit) => {
      const user: AuditFilter = { id: userId, as: 'either' };
      return list(integer(from), limit, blocksWith(user), rowMatcher(user));
    },
    listBack: async (before, limit, auditFilter) => {
      const most = limitOf(limit);
      const end = before === Number.POSITIVE_INFINITY ? before : integer(before);
      const matches = auditFilter === undefined ? () => true : rowMatcher(auditFilter);
      return call(async () => {
        const filter = { ...(auditFilter && blocksWith(auditFilter)), _id: { ...NUMBERED._id, $lt: end } };
        const rows: AuditRow[] = [];
        // Each block contains a matching row, which in the first block may lie beyond the end: hence one block more than `most`.
        for await (const block of blocks.find(filter, {
          sort: { _id: -1 },
          limit: most + 1,
          batchSize: PAGE,
        })) {
          rows.push(
            ...rowsOf(block)
              .filter((row) => row.number < end && matches(row))
              .reverse(),
          );
          if (rows.length >= most) break;
        }
        return rows.slice(0, most);
      });
    },
    eraseAbout: async (userId, keep) => {
      const preserved = new Set(keep.map(text));
      const user: AuditFilter = { id: userId, as: 'either' };
      const isAboutUser = rowMatcher(user);
      const mustErase = (row: AuditRow) =>
        isAboutUser(row) && !preserved.has(row.entryId) && (row.content !== null || row.salt !== null);
      const pages = pagesOf<AuditBlock>(PAGE, (after, limit) => {
        const filter = { ...blocksWith(user), _id: { $gt: after?._id ?? Number.NEGATIVE_INFINITY } };
        return call(() => blocks.find(filter, { sort: { _id: 1 }, limit }).toArray());
      });
      let count = 0;
      for await (const page of pages) {
        for (const block of page) {
          const erasedRows = [...rowsOf(block).entries()].filter(([, row]) => mustErase(row));
          if (erasedRows.length === 0) continue;
          const fields = erasedRows.flatMap(([index]) => [`rows.${index}.content`, `rows.${index}.salt`]);
          const change = { $set: Object.fromEntries(fields.map((name) => [name, null])) };
          await call(() => blocks.updateOne({ _id: { $eq: block._id } }, change));
          count += erasedRows.length;
        }
      }
      return count;
    },
  };
};

/** The filter for blocks that have rows of the user in this role. */
const blocksWith = ({ id, as }: AuditFilter): Filter<AuditBlock> => {
  const target = { 'rows.target': is(id) };
  const actor = { 'rows.actor': is(id) };
  if (as === 'either') return { $or: [target, actor] };
  return as === 'target' ? target : actor;
};

const rowMatcher =
  ({ id, as }: AuditFilter) =>
  ({ target, actor }: AuditRow): boolean =>
    (as !== 'actor' && target === id) || (as !== 'target' && actor === id);

/** The first rows by number. Rows with equal numbers, which only a tampered log has, stay on one page. */
const firstPage = (rows: readonly AuditRow[], most: number): readonly AuditRow[] => {
  const inOrder = rows.toSorted((a, b) => a.number - b.number);
  const last = inOrder[most - 1]?.number;
  return inOrder.filter(({ number }, index) => index < most || number === last);
};
