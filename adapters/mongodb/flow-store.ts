import type { Flow, FlowStore } from '../../core/accounts/store-ports.ts';
import type { MongoDatabase } from './engine/client.ts';
import { changeOnce, deleteFirst, type IdempotentDocument, insertOnce } from './engine/idempotent-writes.ts';
import { integer, is, text, textOrNull } from './engine/scalars.ts';

interface FlowDocument extends IdempotentDocument, Omit<Flow, 'id' | 'keptUntil'> {
  /** The flow's id; the shard key. */
  readonly _id: string;
  /** A date, for the TTL index, which a day later deletes what no sweep has deleted. */
  readonly keptUntil: Date;
}

/** Sign-in flows, and records of used single-use values, in MongoDB. */
export const makeMongoFlowStore = (database: MongoDatabase): FlowStore => {
  const { call, collection } = database;
  const flows = collection<FlowDocument>('flows');
  const liveFlow = (id: string, now: number) => ({ _id: is(id), expiresAt: { $gt: integer(now) } }) as const;

  return {
    add: async ({ id, ...flow }) =>
      insertOnce(database, flows, {
        _id: text(id),
        stage: flow.stage,
        codeDigest: textOrNull(flow.codeDigest),
        content: textOrNull(flow.content),
        expiresAt: integer(flow.expiresAt),
        keptUntil: dateOf(flow.keptUntil),
      }),
    find: async (id, now) => {
      const document = await call(() => flows.findOne(liveFlow(id, now)));
      return document === null ? undefined : flowOf(document);
    },
    step: async ({ id, from, to, codeDigest, expiresAt }, now) => {
      const current = {
        ...liveFlow(id, now),
        stage: { $eq: from },
        ...(codeDigest !== undefined && { codeDigest: is(codeDigest) }),
      } as const;
      return changeOnce(database, flows, current, { $set: { stage: to, expiresAt: integer(expiresAt) } });
    },
    count: () => call(() => flows.estimatedDocumentCount()),
    sweep: async (now, most) =>
      deleteFirst(database, flows, { keptUntil: { $lte: dateOf(now) } }, 'keptUntil', most),
  };
};

const dateOf = (time: number): Date => new Date(integer(time));

const flowOf = ({ _id: id, write: _, keptUntil, ...flow }: FlowDocument): Flow => ({
  id,
  ...flow,
  keptUntil: keptUntil.getTime(),
});
