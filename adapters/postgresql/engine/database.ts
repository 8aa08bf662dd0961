import { type Client, type ClientBase, DatabaseError, type QueryResult } from 'pg';
import type { Log } from '../../../core/ports.ts';
import { BULK, makeStoreCalls, STORE_DEADLINE } from '../../calls/store-calls.ts';
import {
  checkScalars,
  type Database,
  type Outcome,
  type Result,
  type Row,
  type Scalar,
  type Unit,
} from '../../sql/database.ts';
import { postgresqlDialect } from '../dialect.ts';
import { makeConnections } from './connections.ts';
import {
  failureWord,
  isConflict,
  isOutage,
  isPassing,
  isStatementElsewhere,
  isUnique,
  sqlStateOf,
  Unsettled,
} from './failures.ts';
import { parameterOf, preparedText } from './statements.ts';

/** A database on a PostgreSQL server. */
export interface PostgresDatabase extends Database {
  /** The same database with the deadlines of bulk work. */
  readonly bulk: Database;
  /** Runs SQL texts in one transaction, one after another. Throws the driver's error. */
  runScript(texts: readonly string[]): Promise<void>;
  /** Opens a connection for notifications. Throws the driver's error. */
  openClient(): Promise<Client>;
  /** Whether the server answers and takes writes, judged by the last one. */
  isUp(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Differs after a fail-over, which raises the timeline, and after a crash, which resets the server's statistics: a number of
 * a transaction whose log was lost is then given to another one.
 */
const HISTORY = `left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || ' ' ||
  extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()) AS history`;
/** The query that runs in every transaction before its commit, to ask for its fate if the answer is lost. */
const TRANSACTION = `SELECT pg_current_xact_id_if_assigned()::text AS id, ${HISTORY}`;
/** The message makes the commit of this query wait for the replicas that an earlier commit was to wait for. */
const STATUS = `SELECT pg_xact_status(CAST(? AS xid8)) AS status, ${HISTORY},
  pg_logical_emit_message(true, 'gatehouse', '')`;
/** A write of the server's log alone. */
const PROBE: Unit = [{ sql: "SELECT pg_logical_emit_message(true, 'gatehouse', '')", params: [] }];
/** The transaction failed earlier, and this statement was not run. */
const NOT_RUN = '25P02';
/** The number of a transaction that this server has not begun. */
const NOT_BEGUN = '22023';

interface Transaction {
  /** Null if it changed nothing. */
  readonly id: string | null;
  readonly history: string;
}

type Run = (sql: string, params: readonly Scalar[]) => Promise<QueryResult<Row>>;

const resultOf = ({ rowCount, rows }: QueryResult<Row>): Result => ({ changes: rowCount ?? 0, rows });

const rejectionIn = (settled: readonly PromiseSettledResult<unknown>[]): unknown =>
  settled.find((each) => each.status === 'rejected' && sqlStateOf(each.reason) !== NOT_RUN);

/** Runs the statements of a unit, and tells which transaction they are in. Takes one round trip. */
const runStatements = async (
  run: Run,
  unit: Unit,
): Promise<{ readonly results: readonly Result[]; readonly transaction: Transaction }> => {
  const sent = [
    run('BEGIN', []),
    ...unit.map(({ sql, params }) => run(sql, params)),
    run(TRANSACTION, []),
  ] as const;
  const settled = await Promise.allSettled(sent);
  const rejection = rejectionIn(settled) as PromiseRejectedResult | undefined;
  if (rejection !== undefined) throw rejection.reason;
  const answers = await Promise.all(sent);
  const row = answers.at(-1)?.rows[0];
  return {
    results: answers.slice(1, -1).map(resultOf),
    transaction: { id: row?.id == null ? null : String(row.id), history: String(row?.history) },
  };
};

/**
 * Opens the database that the URL names, without a connection yet. Units run side by side, each in a transaction of its
 * own (READ COMMITTED), so that a statement sees what was committed before it. Throws the driver's error for a URL that it
 * cannot read.
 */
export const openPostgres = ({
  url,
  log,
  deadline = STORE_DEADLINE,
}: {
  readonly url: string;
  readonly log?: Log | undefined;
  /** Milliseconds for a call with all its repetitions. */
  readonly deadline?: number;
}): PostgresDatabase => {
  const connections = makeConnections(url);
  const call = makeStoreCalls({ isConflict, isPassing, isOutage, failureWord }, { log, deadline });
  let usesPreparedStatements = true;
  let isTakingWrites = true;

  const runOn =
    (client: ClientBase, within: number): Run =>
    async (sql, params) => {
      const { text, name } = preparedText(sql);
      const query = { text, values: params.map(parameterOf), query_timeout: within };
      try {
        return await client.query<Row>(
          usesPreparedStatements && params.length > 0 ? { ...query, name } : query,
        );
      } catch (error) {
        if (isStatementElsewhere(error)) usesPreparedStatements = false;
        throw error;
      }
    };

  /** Calls the server. The message of its error may quote values, and goes no further. */
  const callSafely = async <T>(work: () => Promise<T>, within: number): Promise<T> => {
    try {
      return await call(work, within);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      throw new Error(`A call to the store is wrong: ${failureWord(error)}.`);
    }
  };

  /** Whether a transaction was committed whose answer was lost. Throws `Unsettled` after a fail-over or a crash. */
  const isCommitted = async ({ id, history }: Transaction, within: number): Promise<boolean> => {
    const { rows } = await connections
      .reserve((client) => runOn(client, within)(STATUS, [id]))
      .catch((error: unknown) => {
        throw sqlStateOf(error) === NOT_BEGUN ? new Unsettled() : error;
      });
    if (rows[0]?.history !== history || rows[0].status === null) throw new Unsettled();
    // The server has not noticed yet that the connection is lost.
    if (rows[0].status === 'in progress') throw new Error('The transaction is in progress.');
    return rows[0].status === 'committed';
  };

  const write = (unit: Unit, within: number): Promise<Outcome> => {
    for (const { params } of unit) checkScalars(params);
    let unconfirmed: { readonly transaction: Transaction; readonly outcome: Outcome } | undefined;

    const runUnit = async (client: ClientBase): Promise<Outcome> => {
      const run = runOn(client, within);
      try {
        const { results, transaction } = await runStatements(run, unit);
        const isUndone = unit.some(({ need }, place) => need === true && results[place]?.changes === 0);
        const outcome: Outcome = isUndone ? { done: false, because: 'need' } : { done: true, results };
        // A unit that changed nothing may be repeated; its commit still sends notifications.
        if (!isUndone && transaction.id !== null) unconfirmed = { transaction, outcome };
        await run(isUndone ? 'ROLLBACK' : 'COMMIT', []);
        return outcome;
      } catch (error) {
        if (sqlStateOf(error) !== undefined) await run('ROLLBACK', []);
        if (isUnique(error)) return { done: false, because: 'unique' };
        throw error;
      }
    };

    return callSafely(async () => {
      if (unconfirmed !== undefined && (await isCommitted(unconfirmed.transaction, within)))
        return unconfirmed.outcome;
      unconfirmed = undefined;
      try {
        const outcome = await connections.reserve(runUnit);
        isTakingWrites = true;
        return outcome;
      } catch (error) {
        if (isOutage(error) && !isConflict(error)) isTakingWrites = false;
        throw error;
      }
    }, within);
  };

  const databaseWithin = (within: number): Database => {
    const query = (sql: string, params: readonly Scalar[]) => {
      checkScalars(params);
      return callSafely(() => connections.share((client) => runOn(client, within)(sql, params)), within);
    };
    return {
      dialect: postgresqlDialect,
      read: {
        get: async (sql, params) => (await query(sql, params)).rows[0],
        all: async (sql, params) => (await query(sql, params)).rows,
      },
      write: async (unit) => write(unit, within),
      writeAtStart: async (unit) => write(unit, within),
    };
  };

  const database = databaseWithin(deadline);
  return {
    ...database,
    bulk: databaseWithin(Math.max(deadline, BULK)),
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
      }),
    openClient: connections.openClient,
    isUp: () => {
      // After a failed write nobody else may write, so that this check does.
      const check = isTakingWrites ? database.read.get('SELECT 1 AS up', []) : database.write(PROBE);
      return check.then(
        () => isTakingWrites,
        () => false,
      );
    },
    close: connections.close,
  };
};
