import { expect } from 'chai';
import type { Scalar, Statement } from '../../../adapters/sql/database.ts';
import { type Exception, exceptions } from './plan-exceptions.ts';

/** A step of a plan: a fault, if its time grows with the table, and the index that it uses. */
export interface Step {
  readonly fault?: string | undefined;
  readonly index?: string | undefined;
}

/** Samples of parameters that are kept for each statement. */
const SAMPLES = 5;

/** Collects the statements of a database, each with some samples of its parameters. */
export const collectStatements = () => {
  const statements = new Map<string, (readonly Scalar[])[]>();
  const collect = ({ sql, params }: Statement): void => {
    const samples = statements.get(sql) ?? [];
    if (samples.length < SAMPLES) samples.push(params);
    statements.set(sql, samples);
  };
  return { statements, collect };
};

const isMet = (exception: Exception, sql: string, fault: string): boolean =>
  (exception.step === fault ||
    (exception.step === 'SCAN' && fault.startsWith('SCAN ')) ||
    (exception.readsAll === true && /^(?:READ|COMPARE) /.test(fault))) &&
  (exception.of === undefined || exception.of.test(sql));

interface Explained {
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  /** The names of all indexes that no constraint needs: each has to serve a statement. */
  readonly indexes: readonly string[];
}

/** Checks the plans of a database for its statements. Call it inside `describe`. */
export const checkPlans = (store: Exception['only'], explainAll: () => Promise<Explained>): void => {
  const storeExceptions = exceptions.filter(({ only = store }) => only === store);
  let plans: readonly (Step & { readonly sql: string; readonly met: readonly Exception[] })[] = [];
  let indexNames: readonly string[] = [];

  before(async () => {
    const { steps, indexes } = await explainAll();
    indexNames = indexes;
    plans = [...steps].flatMap(([sql, stepsOfStatement]) => {
      const text = sql.replaceAll(/\s+/g, ' ').trim();
      return stepsOfStatement.map((step) => ({
        ...step,
        sql: text,
        met: storeExceptions.filter((each) => step.fault !== undefined && isMet(each, text, step.fault)),
      }));
    });
  });

  it('scan and sort no growing table, and read at most 3 rows for each returned row', () => {
    const faults = plans.filter(({ fault, met }) => fault !== undefined && met.length === 0);
    expect([...new Set(faults.map(({ sql, fault }) => `${fault}: ${sql}`))]).to.deep.equal([]);
  });

  it('meet each exception', () => {
    const met = new Set(plans.flatMap((plan) => plan.met));
    expect(storeExceptions.filter((exception) => !met.has(exception))).to.deep.equal([]);
  });

  it('use every index', () => {
    expect(indexNames).not.to.deep.equal([]);
    const used = new Set(
      plans.filter(({ met }) => !met.some(({ takesAnyIndex }) => takesAnyIndex)).map(({ index }) => index),
    );
    expect(indexNames.filter((name) => !used.has(name))).to.deep.equal([]);
  });
};
