import type { Document } from 'mongodb';
import { indexes } from '../../../../adapters/mongodb/collections.ts';
import { faultOf } from './command-faults.ts';
import { comparedFields, indexFor, type Query, queriesOf } from './plans.ts';

/** A query that may scan a whole collection or sort in memory. */
export interface Exception {
  readonly collection: string;
  /** The fields of its filter. */
  readonly fields: readonly string[];
  readonly because: string;
}

/** Replaces values by their types, so that queries with different values have one shape. */
const shapeOf = (value: unknown): unknown => {
  if (typeof value === 'string' || typeof value === 'number') return typeof value;
  if (typeof value !== 'object' || value === null) return value;
  if ('_bsontype' in value || value instanceof Date) return 'value';
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
};

const covers = ({ collection, fields }: Exception, query: Query): boolean =>
  collection === query.collection && fields.join() === Object.keys(query.filter).join();

/** Records one command of each shape. */
export const makeQueryShapes = () => {
  const commands = new Map<string, Document>();
  const forbidden = new Set<string>();

  return {
    record: (command: Document): void => {
      const fault = faultOf(command);
      if (fault !== undefined) forbidden.add(fault);
      const queries = queriesOf(command);
      const shape = queries.map(({ filter, ...rest }) => ({ ...rest, filter: shapeOf(filter) }));
      if (queries.length > 0) commands.set(JSON.stringify(shape), command);
    },

    /** Forbidden commands, queries that no index serves, needless exceptions, and the commands that indexes serve. */
    judge: (exceptions: readonly Exception[]) => {
      const unserved = (command: Document) =>
        queriesOf(command).filter((query) => indexFor(indexes, query) === undefined);
      const all = [...commands.values()];
      const open = all.flatMap(unserved);
      return {
        forbidden: [...forbidden],
        faults: open.filter((query) => !exceptions.some((exception) => covers(exception, query))),
        needless: exceptions.filter((exception) => !open.some((query) => covers(exception, query))),
        indexed: all.filter((command) => unserved(command).length === 0),
      };
    },

    /** Queries that compare fields outside the index, and the indexes in use except those of ids. */
    uses: () => {
      const queries = [...commands.values()].flatMap(queriesOf);
      const used = queries.map((query) => `${query.collection}.${indexFor(indexes, query)}`);
      return {
        compared: queries.filter((query) => comparedFields(indexes, query).length > 0),
        used: [...new Set(used)].filter((name) => !name.endsWith('._id_')).sort(),
      };
    },
  };
};
