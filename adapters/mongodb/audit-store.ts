import type { Filter } from 'mongodb';
import type { AuditParty, AuditRow, AuditStore } from '../../core/accounts/ports.ts';
import { type AuditBlock, blockOf, NUMBERED, rowsOf } from './documents/audit-blocks.ts';
import { makeAuditHeads } from './documents/audit-heads.ts';
import type { MongoDatabase } from './engine/client.ts';
import { insertOnce } from './engine/idempotent-writes.ts';
import { among, is, limitOf, text, whole } from './engine/scalars.ts';
import type { Indexes } from './engine/schema.ts';
import { findUsage } from './usage.ts';

export const auditStoreIndexes = {
  audit: [
    { name: 'target', keys: { 'rows.target': 1, _id: 1 } },
    { name: 'actor', keys: { 'rows.actor': 1, _id: 1 } },
    { name: 'entry', keys: { 'rows.entryId': 1 } },
    { name: 'head', keys: { 'head.number': 1 }, where: { 'head.number': { $exists: true } } },
  ],
  audit_head: [],
} satisfies Indexes;

/** Blocks that one query reads. */
const PAGE = 50;

/**
 * The audit log in MongoDB: one document for each append, with the number of its first row as its id. Parallel appends after
 * the same head need the same number, so exactly one of them succeeds, with all of its rows.
 */
export const makeMongoAuditStore = (database: MongoDatabase): AuditStore => {
  const { call, collection } = database;
  const blocks = collection<AuditBlock>('audit');
  const heads = makeAuditHeads(database, blocks);

  const insert = async (block: ReturnType<typeof blockOf>): Promise<boolean> => {
    const inserted = await insertOnce(database, blocks, block);
    if (inserted) await heads.set(block.head);
    return inserted;
  };

  const known = async (entryIds: readonly string[]): Promise<readonly string[]> => {
    const filter = { ...NUMBERED, 'rows.entryId': among(entryIds) };
    const options = { projection: { 'rows.entryId': 1 } } as const;
    const found = await call(() => blocks.find(filter, options).toArray());
    const asked = new Set(entryIds);
    return found.flatMap(({ rows }) => rows.map(({ entryId }) => entryId)).filter((id) => asked.has(id));
  };

  const list = (
    from: number,
    limit: number,
    filter: Filter<AuditBlock> = {},
    isWanted: (row: AuditRow) => boolean = () => true,
  ): Promise<readonly AuditRow[]> => {
    const most = limitOf(limit);
    const wantedIn = (block: AuditBlock) =>
      rowsOf(block).filter((row) => row.number >= from && isWanted(row));
    return call(async () => {
      // One block may begin before the first row asked for and contain it.
      const before = { ...filter, _id: { ...NUMBERED._id, $lt: from } };
      const rows = (await blocks.find(before, { sort: { _id: -1 }, limit: 1 }).toArray()).flatMap(wantedIn);
      const following = blocks.find(
        { ...filter, _id: { $gte: from } },
        { sort: { _id: 1 }, batchSize: PAGE },
      );
      for await (const block of following) {
        // No later block can have one of the first rows, not even in a tampered log.
        if (rows.length >= most && rows.every(({ number }) => number < block._id)) break;
        rows.push(...wantedIn(block));
      }
      return firstOf(rows, most);
    });
  };

  return {
    head: heads.newest,
    usage: () => findUsage(database),
    begin: async (row, head) => {
      const block = blockOf([row], head);
      if ((await findUsage(database)).inUse) return false;
      const anything = await call(() => blocks.findOne({}, { projection: { _id: 1 } }));
      return anything === null && insert(block);
    },
    append: async (rows, head) => {
      const block = blockOf(rows, head);
      const entryIds = rows.map(({ entryId }) => entryId);
      const isSequence = rows.every(({ number }, place) => number === block._id + place);
      if (!isSequence || new Set(entryIds).size < rows.length) return false;
      // An append after this read of the head takes the number that these rows need.
      if (((await heads.newest())?.number ?? 0) + 1 !== block._id) return false;
      return (await known(entryIds)).length === 0 && insert(block);
    },
    known,
    list: async (from, limit) => list(from === Number.NEGATIVE_INFINITY ? from : whole(from), limit),
    listAbout: async (userId, from, limit) => {
      const user: AuditParty = { id: userId, as: 'either' };
      return list(whole(from), limit, ofParty(user), isOf(user));
    },
    listBack: async (before, limit, party) => {
      const most = limitOf(limit);
      const end = before === Number.POSITIVE_INFINITY ? before : whole(before);
      const isWanted = party === undefined ? () => true : isOf(party);
      return call(async () => {
        const filter = { ...(party && ofParty(party)), _id: { ...NUMBERED._id, $lt: end } };
        const rows: AuditRow[] = [];
        // Each block has such a row, but for the first, which may reach beyond the end.
        for await (const block of blocks.find(filter, {
          sort: { _id: -1 },
          limit: most + 1,
          batchSize: PAGE,
        })) {
          rows.push(
            ...rowsOf(block)
              .filter((row) => row.number < end && isWanted(row))
              .reverse(),
          );
          if (rows.length >= most) break;
        }
        return rows.slice(0, most);
      });
    },
    eraseAbout: async (userId, keep) => {
      const kept = new Set(keep.map(text));
      const user: AuditParty = { id: userId, as: 'either' };
      const isTheirs = isOf(user);
      const isErased = (row: AuditRow) =>
        isTheirs(row) && !kept.has(row.entryId) && (row.content !== null || row.salt !== null);
      let count = 0;
      let after = Number.NEGATIVE_INFINITY;
      for (;;) {
        const filter = { ...ofParty(user), _id: { $gt: after } };
        const found = await call(() => blocks.find(filter, { sort: { _id: 1 }, limit: PAGE }).toArray());
        for (const block of found) {
          const places = [...rowsOf(block).entries()].filter(([, row]) => isErased(row));
          if (places.length === 0) continue;
          const gone = places.flatMap(([place]) => [`rows.${place}.content`, `rows.${place}.salt`]);
          const change = { $set: Object.fromEntries(gone.map((name) => [name, null])) };
          await call(() => blocks.updateOne({ _id: { $eq: block._id } }, change));
          count += places.length;
        }
        if (found.length < PAGE) return count;
        after = found.at(-1)?._id ?? after;
      }
    },
  };
};

/** Blocks that have rows of a party. */
const ofParty = ({ id, as }: AuditParty): Filter<AuditBlock> => {
  const [target, actor] = [{ 'rows.target': is(id) }, { 'rows.actor': is(id) }];
  if (as === 'either') return { $or: [target, actor] };
  return as === 'target' ? target : actor;
};

const isOf =
  ({ id, as }: AuditParty) =>
  ({ target, actor }: AuditRow): boolean =>
    (as !== 'actor' && target === id) || (as !== 'target' && actor === id);

/** Keeps rows with the same number on one page. Only a tampered log has such rows. */
const firstOf = (rows: readonly AuditRow[], most: number): readonly AuditRow[] => {
  const inOrder = rows.toSorted((one, other) => one.number - other.number);
  const last = inOrder[most - 1]?.number;
  return inOrder.filter(({ number }, place) => place < most || number === last);
};
