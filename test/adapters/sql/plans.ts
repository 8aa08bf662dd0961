import { expect } from 'chai';
import type { Scalar, Statement } from '../../../adapters/sql/database.ts';
import { type Exception, exceptions } from './plan-exceptions.ts';

/** What a database does for a statement that takes the longer, the more rows there are; and the index that it uses. */
export interface Step {
  readonly fault?: string | undefined;
  readonly index?: string | undefined;
}

/** Parameters that are kept of a statement. */
const SAMPLES = 5;

/** Keeps the statements that a database is given, each with some of its parameters. */
export const keepStatements = () => {
  const statements = new Map<string, (readonly Scalar[])[]>();
  const keep = ({ sql, params }: Statement): void => {
    const samples = statements.get(sql) ?? [];
    if (samples.length < SAMPLES) samples.push(params);
    statements.set(sql, samples);
  };
  return { statements, keep };
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

/** Judges how a database goes about its statements. Call it inside `describe`. */
export const judgePlans = (store: Exception['only'], explainAll: () => Promise<Explained>): void => {
  const ofStore = exceptions.filter(({ only = store }) => only === store);
  let plans: readonly (Step & { readonly sql: string; readonly met: readonly Exception[] })[] = [];
  let all: readonly string[] = [];

  before(async () => {
    const { steps, indexes } = await explainAll();
    all = indexes;
    plans = [...steps].flatMap(([sql, ofStatement]) => {
      const plain = sql.replaceAll(/\s+/g, ' ').trim();
      return ofStatement.map((step) => ({
        ...step,
        sql: plain,
        met: ofStore.filter((each) => step.fault !== undefined && isMet(each, plain, step.fault)),
      }));
    });
  });

  it('go over no table that grows, sort none of it, and read no more than 3 rows for one', () => {
    const faults = plans.filter(({ fault, met }) => fault !== undefined && met.length === 0);
    expect([...new Set(faults.map(({ sql, fault }) => `${fault}: ${sql}`))]).to.deep.equal([]);
  });

  it('are but for reasons that hold', () => {
    const met = new Set(plans.flatMap((plan) => plan.met));
    expect(ofStore.filter((exception) => !met.has(exception))).to.deep.equal([]);
  });

  it('use every index', () => {
    expect(all).not.to.deep.equal([]);
    const used = new Set(
      plans.filter(({ met }) => !met.some(({ takesAnyIndex }) => takesAnyIndex)).map(({ index }) => index),
    );
    expect(all.filter((name) => !used.has(name))).to.deep.equal([]);
  });
};
