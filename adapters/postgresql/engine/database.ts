import { type Client, type ClientBase, DatabaseError, type QueryResult } from 'pg';
import type { Log } from '../../../core/ports.ts';
import { BULK_MS, makeStoreCalls, STORE_DEADLINE_MS } from '../../calls/store-calls.ts';
import {
  checkScalars,
  type Database,
  type Outcome,
  type Result,
  type Row,
  type Scalar,
  type Statement,
  type Unit,
} from '../../sql/database.ts';
import { postgresqlDialect } from '../dialect.ts';
import { corkTurn, LOCK_TIMEOUT, makeConnections } from './connections.ts';
import {
  failureWord,
  isAnswer,
  isConflict,
  isLost,
  isOutage,
  isPassing,
  isStatementMissing,
  isStatementThere,
  isUnique,
  sqlStateOf,
} from './failures.ts';
import { parameterOf, preparedText } from './statements.ts';
import { FENCE, NOTE, newWriter, REMOVE_UNUSED, type Writer, withNote } from './writers.ts';

/** A database on a PostgreSQL server. */
export interface PostgresDatabase extends Database {
  /** The same database with the deadlines of bulk work. */
  readonly bulk: Database;
  /** Runs SQL texts in one transaction, one after another. Throws the driver's error. */
  runScript(texts: readonly string[]): Promise<void>;
  /** Opens a connection for notifications. Throws the driver's error. */
  openClient(): Promise<Client>;
  /** Whether the server answers and takes writes, judged by the last write. */
  isUp(): Promise<boolean>;
  close(): Promise<void>;
}

/** Writes to the server's write-ahead log, and to no table. */
const PROBE: Unit = [{ sql: "SELECT pg_logical_emit_message(true, 'gatehouse', '')", params: [] }];
/** The time until an upgrade of the schema must have begun. */
const UPGRADE_TIMEOUT_MS = 60_000;
/** The SQLSTATE of a statement that was not run, since its transaction had failed before. */
const NOT_RUN = '25P02';

const namesByClient = new WeakMap<ClientBase, Set<string>>();
/** The names of statements that were prepared on a connection. */
const preparedOn = (client: ClientBase): Set<string> => {
  const names = namesByClient.get(client) ?? new Set();
  namesByClient.set(client, names);
  return names;
};

type Run = (sql: string, params: readonly Scalar[]) => Promise<QueryResult<Row>>;

const resultOf = ({ rowCount, rows }: QueryResult<Row>): Result => ({ changes: rowCount ?? 0, rows });

const outcomeOf = (changes: number): Outcome => ({ done: true, results: [{ changes, rows: [] }] });

/** The answers of queries that were sent one after another, or the error of the one that failed first. */
const answersOf = async (
  queries: readonly Promise<QueryResult<Row>>[],
): Promise<readonly QueryResult<Row>[]> => {
  for (const each of await Promise.allSettled(queries))
    if (each.status === 'rejected' && sqlStateOf(each.reason) !== NOT_RUN) throw each.reason;
  return Promise.all(queries);
};

/** Statements that change no rows. */
const CHANGES_NOTHING = /^\s*(?:SELECT|SET)\b/;
const RETURNS_ROWS = /\bRETURNING\b/;

/** Runs one statement, which also notes that its unit took effect (see `Writer`). Takes one round trip. */
const runStatement = async (
  run: Run,
  { sql, params, need }: Statement,
  { id, number }: Writer,
): Promise<Outcome> => {
  const { rows } = await run(withNote(sql, params.length), [...params, id, number]);
  const changes = Number(rows[0]?.changes ?? 0);
  return need === true && changes === 0 ? { done: false, because: 'need' } : outcomeOf(changes);
};

/** How a unit is made from the row of a query, which runs once all units before it in the turn have ended. */
interface Following {
  readonly turn: string;
  readonly query: Statement;
  follow(row: Row | undefined): Promise<Unit>;
}

// If a process hangs in its turn, the server ends its session after the time for which others wait for the lock.
const SHORT_TURN = `SET LOCAL idle_in_transaction_session_timeout TO '${LOCK_TIMEOUT}'`;

/** Begins a transaction and waits for the turn. Takes one round trip. */
const beginInTurn = async (run: Run, { turn, query, follow }: Following): Promise<Unit> => {
  const { lock } = postgresqlDialect;
  const begun = [run('BEGIN', []), run(SHORT_TURN, []), run(lock, [turn]), run(query.sql, query.params)];
  const queryAnswer = (await answersOf(begun)).at(-1);
  const unit = await follow(queryAnswer?.rows[0]);
  for (const { params } of unit) checkScalars(params);
  return unit;
};

/** Runs the statements of a unit, and others before them. Takes one round trip. */
const runStatements = async (run: Run, unit: Unit, first: readonly string[]): Promise<Outcome> => {
  const answers = await answersOf([
    ...first.map((sql) => run(sql, [])),
    ...unit.map(({ sql, params }) => run(sql, params)),
  ]);
  const results = answers.slice(first.length).map(resultOf);
  const isUndone = unit.some(({ need }, index) => need === true && results[index]?.changes === 0);
  return isUndone ? { done: false, because: 'need' } : { done: true, results };
};

/**
 * Opens the database, without a connection yet. Transactions are READ COMMITTED, so that a statement sees what was committed
 * before it. Throws the driver's error for a URL that it cannot read.
 */
export const openPostgres = ({
  url,
  log,
  deadline = STORE_DEADLINE_MS,
}: {
  readonly url: string;
  readonly log?: Log | undefined;
  /** Milliseconds for a call with all its repetitions. */
  readonly deadline?: number;
}): PostgresDatabase => {
  const connections = makeConnections(url);
  const call = makeStoreCalls({ isAnswer, isConflict, isPassing, isOutage, failureWord }, { log, deadline });
  let usesPreparedStatements = true;
  let isTakingWrites = true;

  const runOn =
    (client: ClientBase, within: number): Run =>
    async (sql, params) => {
      const { text, name } = preparedText(sql);
      const query = { text, values: params.map(parameterOf), query_timeout: within };
      corkTurn(client);
      if (!usesPreparedStatements || params.length === 0) return client.query<Row>(query);
      try {
        const result = await client.query<Row>({ ...query, name });
        preparedOn(client).add(name);
        return result;
      } catch (error) {
        // A pooler such as PgBouncer switches between sessions of the server, which have other prepared statements. The error
        // counts as passing: the call is repeated, from now on without prepared statements.
        if (isStatementThere(error) || (isStatementMissing(error) && preparedOn(client).has(name)))
          usesPreparedStatements = false;
        throw error;
      }
    };

  /** Calls the server. The message of its error may quote values, so another error replaces it. */
  const callSafely = async <T>(work: (until: number) => Promise<T>, within: number): Promise<T> => {
    try {
      return await call((_, until) => work(until), within);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      throw new Error(`A call to the store is wrong: ${failureWord(error)}.`);
    }
  };

  /** Writers that no unit uses now. */
  const writers: Writer[] = [];
  const takeWriter = async (run: Run): Promise<Writer> => {
    const free = writers.pop();
    if (free !== undefined) return free;
    await run(REMOVE_UNUSED, []);
    return newWriter();
  };

  /** With `following`, which makes the unit in its turn, `unit` is empty. */
  const write = (unit: Unit, within: number, following?: Following): Promise<Outcome> => {
    for (const { params } of unit) checkScalars(params);
    const [first] = unit;
    /** A query that finds a row only if the statement took effect: it is run after a lost answer. With it a unit needs no note. */
    const again = unit.length === 1 ? first?.again : undefined;
    /** Whether an attempt whose answer was lost may have been committed. */
    let isPerhapsDone = false;
    const changesRows = following !== undefined || unit.some(({ sql }) => !CHANGES_NOTHING.test(sql));
    // A single statement without `RETURNING` notes itself or has `again`: it shares a connection and needs no transaction.
    const isSingle = unit.length === 1 && first !== undefined && changesRows && !RETURNS_ROWS.test(first.sql);
    /**
     * The attempt under way, or the last one if its answer was lost. Its note tells whether it was committed. The results of a
     * transaction are not in the note: `outcome` has them.
     */
    let inDoubt: { readonly writer: Writer; outcome?: Outcome } | undefined;

    const giveWriterBack = () => {
      if (inDoubt !== undefined) writers.push(inDoubt.writer);
      inDoubt = undefined;
    };

    /** The outcome of the attempt in doubt; undefined if it was not committed, and by the fence never will be. */
    const settle = async (until: number): Promise<Outcome | undefined> => {
      if (inDoubt === undefined) return undefined;
      const { writer, outcome } = inDoubt;
      const params = [writer.id, writer.number];
      const { rows } = await connections.write((client) => runOn(client, within)(FENCE, params), until);
      giveWriterBack();
      if (rows[0]?.number !== writer.number) return undefined;
      return outcome ?? outcomeOf(Number(rows[0].changes));
    };

    const runTransaction = async (run: Run): Promise<Outcome> => {
      try {
        const outcome =
          following === undefined
            ? await runStatements(run, unit, ['BEGIN'])
            : await runStatements(run, await beginInTurn(run, following), []);
        // A unit that changed nothing may be repeated, so it needs no note. A unit of queries alone has no writer to note it.
        const needsNote = outcome.done && outcome.results.some(({ changes }) => changes > 0);
        if (!outcome.done) await run('ROLLBACK', []);
        else if (inDoubt === undefined || !needsNote) await run('COMMIT', []);
        else {
          inDoubt.outcome = outcome;
          const { id, number } = inDoubt.writer;
          await answersOf([run(NOTE, [id, number]), run('COMMIT', [])]);
        }
        return outcome;
      } catch (error) {
        if (!isLost(error)) await run('ROLLBACK', []);
        throw error;
      }
    };

    const runUnit = async (client: ClientBase): Promise<Outcome> => {
      const run = runOn(client, within);
      if (!changesRows) return runTransaction(run);
      if (first !== undefined && again !== undefined) {
        const { changes } = resultOf(await run(first.sql, first.params));
        if (changes > 0 || !isPerhapsDone) return outcomeOf(changes);
        // An earlier attempt may have made the change, and this one then finds nothing to change.
        return outcomeOf(resultOf(await run(again.sql, again.params)).changes);
      }
      const writer = await takeWriter(run);
      writer.number += 1;
      inDoubt = { writer };
      try {
        const outcome = isSingle ? await runStatement(run, first, writer) : await runTransaction(run);
        giveWriterBack();
        return outcome;
      } catch (error) {
        if (!isLost(error)) giveWriterBack();
        if (isUnique(error)) return { done: false, because: 'unique' };
        throw error;
      }
    };

    return callSafely(async (until) => {
      const settled = await settle(until);
      if (settled !== undefined) return settled;
      try {
        const outcome = await (isSingle
          ? connections.write(runUnit, until)
          : connections.reserve(runUnit, until));
        isTakingWrites = true;
        return outcome;
      } catch (error) {
        isPerhapsDone ||= isLost(error);
        // A conflict counts as an outage, but shows that the server takes writes.
        if (isOutage(error) && !isConflict(error)) isTakingWrites = false;
        throw error;
      }
    }, within);
  };

  const databaseWithin = (within: number): Database => {
    const query = (sql: string, params: readonly Scalar[]) => {
      checkScalars(params);
      // A long read would delay the others on its connection.
      const { read, reserve } = connections;
      const useConnection = within > deadline ? reserve : read;
      return callSafely(
        (until) => useConnection((client) => runOn(client, within)(sql, params), until),
        within,
      );
    };
    return {
      dialect: postgresqlDialect,
      read: {
        get: async (sql, params) => (await query(sql, params)).rows[0],
        all: async (sql, params) => (await query(sql, params)).rows,
      },
      write: async (unit) => write(unit, within),
      writeInTurn: async (turn, query, follow) => write([], within, { turn, query, follow }),
      writeAtStart: async (unit) => write(unit, within),
    };
  };

  const database = databaseWithin(deadline);
  return {
    ...database,
    bulk: databaseWithin(Math.max(deadline, BULK_MS)),
    runScript: (texts) =>
      connections.reserve(async (client) => {
        await client.query('BEGIN');
        try {
          for (const text of texts) await client.query(text);
          await client.query('COMMIT');
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }, performance.now() + UPGRADE_TIMEOUT_MS),
    openClient: connections.openClient,
    isUp: async () => {
      // After a failed write it can take long until a request writes. Only a write, which sets `isTakingWrites`, shows that
      // writes succeed again: so the check makes one.
      const check = isTakingWrites ? database.read.get('SELECT 1 AS up', []) : database.write(PROBE);
      const answer = await check.catch(() => undefined);
      return answer !== undefined && isTakingWrites;
    },
    close: connections.close,
  };
};
