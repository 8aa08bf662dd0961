import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { batched } from '../../core/batched-calls.ts';
import type { Announcer, Log } from '../../core/index.ts';
import { postgresqlDialect } from './dialect.ts';
import { endClient, withTimeout } from './engine/connections.ts';
import type { PostgresDatabase } from './engine/database.ts';
import { failureWord } from './engine/failures.ts';

const CHANNEL = 'gatehouse_written';
const NOTIFY = `SELECT pg_notify('${CHANNEL}', value) FROM ${postgresqlDialect.each('?')}`;
/** The most announcements in one commit. PostgreSQL runs commits with notifications one after another. */
const MAX_BATCH = 1_000;
/** The time between two checks of the connection, and the time limit of their queries. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Announces writes by NOTIFY to the processes that share the database. The server stores no notifications: while a process
 * has no connection, or a pooler shares its connection with others, it misses announcements, and sees the writes of other
 * processes only when its cached reads expire after a second.
 */
export const openPostgresAnnouncer = async (
  { openClient, write }: Pick<PostgresDatabase, 'openClient' | 'write'>,
  log: Log,
): Promise<Announcer> => {
  const listeners: ((userId: string | null) => void)[] = [];
  const callListeners = (userId: string | null) => {
    for (const listener of listeners) listener(userId);
  };
  let client: Client | undefined;
  let isOpen = true;
  let isFailing = false;

  const connect = async (): Promise<void> => {
    const next = await openClient();
    if (!isOpen) return endClient(next);
    client = next;
    // Without a user id, as from another program, the notification may be about any user.
    next.on('notification', ({ payload }) => callListeners(payload || null));
    await next.query(withTimeout(`LISTEN ${CHANNEL}`, CHECK_INTERVAL_MS));
    if (isFailing) log.info('announcements.back');
    isFailing = false;
    // Null: announcements may have been missed until now.
    callListeners(null);
  };

  /** Only a query shows that a connection is broken. Opens a missing connection. */
  const check = async (): Promise<void> => {
    if (client === undefined) return connect();
    await client.query(withTimeout('SELECT 1', CHECK_INTERVAL_MS));
  };

  const onFailure = async (error: unknown): Promise<void> => {
    if (isOpen && !isFailing) log.warn('announcements.failed', { reason: failureWord(error) });
    isFailing = true;
    const broken = client;
    client = undefined;
    if (broken !== undefined) await endClient(broken);
  };

  const stayConnected = async (): Promise<void> => {
    while (isOpen) {
      await pause(CHECK_INTERVAL_MS, undefined, { ref: false });
      if (isOpen) await check().catch(onFailure);
    }
  };

  await connect().catch(onFailure);
  void stayConnected();
  return {
    announce: batched(async (userIds: readonly string[]) => {
      const unit = [
        // A notification is not stored, so its commit need not wait for the disk.
        { sql: 'SET LOCAL synchronous_commit TO off', params: [] },
        { sql: NOTIFY, params: [JSON.stringify(userIds)] },
      ];
      await write(unit).catch(() => undefined);
      return userIds.map(() => undefined);
    }, MAX_BATCH),
    onAnnounced: (listener) => {
      listeners.push(listener);
    },
    close: async () => {
      isOpen = false;
      if (client !== undefined) await endClient(client);
    },
  };
};
