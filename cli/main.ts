import { CommanderError } from 'commander';
import {
  backupStore,
  exportInstallation,
  importInstallation,
  migrateStore,
  NoStoreHere,
  openKeyFiles,
  requireKeys,
  requireStore,
  restoreStore,
} from '../adapters/compose/tools.ts';
import { compose, makeKeyFile, StoreUnusable } from '../adapters/compose.ts';
import { ConfigError, describeConfig, personHere, readConfig } from '../adapters/config.ts';
import { CoreError, type Log, type LogFields } from '../core/index.ts';
import type { Desk, Product } from './desk.ts';
import { say } from './output.ts';
import { makeProgram } from './program.ts';

const WRONG_USAGE = 2;
const WRONG_SETTINGS = 78;
const UNUSABLE_STORE = 75;

/** What an event is about, as far as a person wants to know. */
const about = ({ reason, userId, id }: LogFields = {}): string => {
  const facts = [reason, userId, id].filter((fact) => fact !== undefined);
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
};

/** What goes wrong on the way is for people; what was done stands in the audit log. */
const log: Log = {
  info: () => undefined,
  warn: (event, fields) => say(`Warning: ${event}${about(fields)}`),
  error: (event, fields) => say(`Error: ${event}${about(fields)}`),
};

const clock = { now: () => Date.now() };

const ownConfig = () => {
  const config = readConfig();
  requireStore(config);
  requireKeys(config, true);
  return config;
};

const work = async <T>(job: (product: Product) => Promise<T>, settles: boolean): Promise<T> => {
  const composition = await compose(ownConfig(), { log, onlyExisting: true });
  try {
    const result = await job(composition);
    // What was asked for is done; what it leaves, the servers can do as well.
    if (settles) await composition.settle().catch((error) => log.warn('settle.failed', { error }));
    return result;
  } finally {
    await composition.close();
  }
};

const desk: Desk = {
  by: ({ as, reason }) => ({
    actor: 'operator:cli',
    person: as ?? personHere(),
    ...(reason !== undefined && { reason }),
  }),
  settings: () => describeConfig(readConfig()),
  look: (job) => work(job, false),
  act: (job) => work(job, true),
  makeKeyFile,
  keys: {
    list: async () => openKeyFiles(ownConfig()).list(),
    rotateSigning: async (how) => openKeyFiles(ownConfig()).rotateSigning(how),
    retireSigning: async (id) => openKeyFiles(ownConfig()).retireSigning(id),
    retireMaster: async (id) => openKeyFiles(ownConfig()).retireMaster(id),
  },
  store: {
    migrate: () => migrateStore(readConfig()),
    exportTo: (file, onProgress) => exportInstallation(readConfig(), { clock, log }, file, onProgress),
    importFrom: (file, onProgress) => importInstallation(readConfig(), { clock, log }, file, onProgress),
    backup: (file) => backupStore(ownConfig(), file),
    restore: (file) => restoreStore(readConfig(), file),
  },
};

/** Commander has said what was wrong by then; its own code for it is 1, which here means that the work failed. */
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  say(error instanceof Error ? error.message : String(error));
  if (error instanceof ConfigError || error instanceof NoStoreHere) return WRONG_SETTINGS;
  if (error instanceof StoreUnusable) return UNUSABLE_STORE;
  return error instanceof CoreError && error.kind === 'invalid' ? WRONG_USAGE : 1;
};

// Whoever reads may stop reading, as `head` does: then there is nothing left to do.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0);
  throw error;
});
// Messages that nobody reads change neither what is done nor the exit code.
process.stderr.on('error', () => undefined);

// Not awaited: modules that are loaded late import this one, and would wait for its end.
makeProgram(desk)
  .parseAsync()
  .catch((error: unknown) => {
    process.exitCode = exitCodeOf(error);
  });
