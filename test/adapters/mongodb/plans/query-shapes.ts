import type { Document } from 'mongodb';
import { indexes } from '../../../../adapters/mongodb/collections.ts';
import { faultOf } from './command-faults.ts';
import { comparedFields, indexFor, type Question, questionsOf } from './plans.ts';

/** What may go over a whole collection, or sort in memory. */
export interface Exception {
  readonly collection: string;
  /** The fields of its filter. */
  readonly fields: readonly string[];
  readonly because: string;
}

/** The same for all texts and numbers. */
const shapeOf = (value: unknown): unknown => {
  if (typeof value === 'string' || typeof value === 'number') return typeof value;
  if (typeof value !== 'object' || value === null) return value;
  if ('_bsontype' in value || value instanceof Date) return 'value';
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
};

const isOf = ({ collection, fields }: Exception, question: Question): boolean =>
  collection === question.collection && fields.join() === Object.keys(question.filter).join();

/** Keeps a command of each shape that a server is asked. */
export const makeQueryShapes = () => {
  const commands = new Map<string, Document>();
  const forbidden = new Set<string>();

  return {
    note: (command: Document): void => {
      const fault = faultOf(command);
      if (fault !== undefined) forbidden.add(fault);
      const questions = questionsOf(command);
      const shape = questions.map(({ filter, ...rest }) => ({ ...rest, filter: shapeOf(filter) }));
      if (questions.length > 0) commands.set(JSON.stringify(shape), command);
    },

    /** What some servers lack, what no index serves, the exceptions that nothing needs, and the commands beside these. */
    judge: (exceptions: readonly Exception[]) => {
      const unserved = (command: Document) =>
        questionsOf(command).filter((question) => indexFor(indexes, question) === undefined);
      const all = [...commands.values()];
      const open = all.flatMap(unserved);
      return {
        forbidden: [...forbidden],
        faults: open.filter((question) => !exceptions.some((exception) => isOf(exception, question))),
        needless: exceptions.filter((exception) => !open.some((question) => isOf(exception, question))),
        others: all.filter((command) => unserved(command).length === 0),
      };
    },

    /** Fields that are compared in vain, and the indexes that led to something, beside those of ids. */
    uses: () => {
      const questions = [...commands.values()].flatMap(questionsOf);
      const used = questions.map((question) => `${question.collection}.${indexFor(indexes, question)}`);
      return {
        compared: questions.filter((question) => comparedFields(indexes, question).length > 0),
        used: [...new Set(used)].filter((name) => !name.endsWith('._id_')).sort(),
      };
    },
  };
};
