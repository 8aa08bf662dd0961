import { getPriority, setPriority } from 'node:os';
import { CommanderError } from 'commander';
import {
  createGatehouse,
  makeKeyFile,
  previewMails,
  readOwnFiles,
  StoreUnusable,
  sendTestMail,
} from '../adapters/compose.ts';
import { ConfigError, operatorName, readConfig } from '../adapters/config.ts';
import { exitCodes } from '../adapters/exit-codes.ts';
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
} from '../adapters/installation.ts';
import { version } from '../adapters/version.ts';
import { CoreError, type Log, type LogFields } from '../core/index.ts';
import type { CommandContext, Product } from './context.ts';
import { makeProgram } from './program.ts';
import { say } from './terminal/print-results.ts';
import { safeJson } from './terminal/safe-text.ts';

/** The facts of a log event, for people. */
const describeFacts = ({ reason, userId, id, error }: LogFields = {}): string => {
  const code = error instanceof CoreError ? error.code : undefined;
  const facts = [reason, userId, id, code].filter((fact) => fact !== undefined);
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
};

/** Prints warnings and errors only: the audit log has the actions. */
const log: Log = {
  info: () => undefined,
  warn: (event, fields) => say(`Warning: ${event}${describeFacts(fields)}`),
  error: (event, fields) => say(`Error: ${event}${describeFacts(fields)}`),
};

const clock = { now: () => Date.now() };

/** Reads the settings. Throws unless their store and key files exist: no command may create them by accident. */
const readInstalledConfig = () => {
  const config = readConfig();
  requireStore(config);
  // `true`: the store exists already, so a missing key file is an error.
  requireKeys(config, true);
  return config;
};

const withProduct = async <T>(
  job: (product: Product) => Promise<T>,
  { settles }: { readonly settles: boolean },
): Promise<T> => {
  const composition = await createGatehouse(readInstalledConfig(), { log, onlyExisting: true });
  try {
    const result = await job(composition);
    // The command has succeeded even if this fails: the servers process what is still pending.
    if (settles) await composition.settle().catch((error) => log.warn('settle.failed', { error }));
    return result;
  } finally {
    await composition.close();
  }
};

/** Niceness of long work, as `nice -n 5` gives it: the servers on this machine get the processor first. */
const NICENESS = 5;

const context: CommandContext = {
  by: ({ as, reason }) => ({
    actor: 'operator:cli',
    person: as ?? operatorName(),
    ...(reason !== undefined && { reason }),
  }),
  settings: () => {
    const config = readConfig();
    // Checks the files of the brand and the mail templates, too: it throws for a wrong one.
    readOwnFiles(config);
    return config.shown;
  },
  withReadOnly: (job) => withProduct(job, { settles: false }),
  withChanges: (job) => withProduct(job, { settles: true }),
  // Threads and processes that the work starts inherit the niceness.
  lowerPriority: () => {
    if (getPriority() < NICENESS) setPriority(NICENESS);
  },
  makeKeyFile,
  mails: {
    preview: async (folder, choice) => previewMails(readConfig(), folder, choice),
    test: (address, choice) => sendTestMail(readConfig(), address, choice),
  },
  keys: {
    list: async () => openKeyFiles(readInstalledConfig()).list(),
    rotateSigning: async (how) => openKeyFiles(readInstalledConfig()).rotateSigning(how),
    retireSigning: async (id) => openKeyFiles(readInstalledConfig()).retireSigning(id),
    retireMaster: async (id) => openKeyFiles(readInstalledConfig()).retireMaster(id),
  },
  // A command uses `readConfig` if it creates the store, or if it needs no key files and checks the store itself.
  store: {
    migrate: () => migrateStore(readConfig()),
    exportTo: (file, onProgress) => exportInstallation(readConfig(), { clock, log }, file, onProgress),
    importFrom: (file, onProgress) => importInstallation(readConfig(), { clock, log }, file, onProgress),
    backup: (file) => backupStore(readInstalledConfig(), file),
    restore: (file) => restoreStore(readConfig(), file),
  },
};

/** Codes of `invalid` errors that the state of the installation causes, not wrong usage. */
const REFUSED_BY_STATE = ['limit_exceeded', 'unknown_key', 'current_key'];

/** What failed calls of the file system mean, by their codes. */
const FILE_FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'You may not read or write here.',
  EDQUOT: 'The quota of the disk is used up.',
  EEXIST: 'This is a file, and a folder is needed.',
  EISDIR: 'This is a folder, and a file is needed.',
  ENOENT: 'This file or its folder does not exist.',
  ENOSPC: 'The disk is full.',
  ENOTDIR: 'A part of this path is not a folder.',
  ESPIPE: 'This is a pipe, and the file is read more than once: write it to a file first.',
};

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { code, path, syscall, message }: NodeJS.ErrnoException = error;
  const meaning = FILE_FAILURES[code ?? ''];
  const isOfFile = path !== undefined || syscall === 'read' || syscall === 'write';
  if (meaning === undefined || !isOfFile) return message;
  // Errors of reads and writes have no path. The user knows the file, which is an argument of the command.
  return path === undefined ? meaning : `${path}: ${meaning}`;
};

const failureOf = (error: unknown) => {
  const message = messageOf(error);
  if (error instanceof CommanderError) return { status: exitCodes.wrongUsage, code: 'wrong_usage', message };
  if (error instanceof ConfigError)
    return { status: exitCodes.wrongSettings, code: 'wrong_settings', message };
  if (error instanceof NoStoreHere) return { status: exitCodes.wrongSettings, code: 'no_store', message };
  if (error instanceof StoreUnusable) return { status: exitCodes.tryLater, code: 'store_unusable', message };
  if (!(error instanceof CoreError)) return { status: exitCodes.failed, code: 'failed', message };
  const { kind, code } = error;
  const isMisuse = kind === 'invalid' && !REFUSED_BY_STATE.includes(code);
  return { status: isMisuse ? exitCodes.wrongUsage : exitCodes.failed, code, message };
};

/** Prints the failure and returns the exit code. */
const fail = (error: unknown, json: boolean): number => {
  // The user asked for help or the version.
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
  const { status, code, message } = failureOf(error);
  // Commander begins its messages with `error: `.
  if (json) say(safeJson({ error: { code, message: message.replace(/^error: /, '') } }));
  // Commander has already printed its message.
  else if (!(error instanceof CommanderError)) say(message);
  return status;
};

// The reader of a pipe may stop early, as `head` does. Then the command ends with the exit code that it has set, if any.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit();
  say(`The output could not be written: ${error.message}`);
  process.exit(exitCodes.failed);
});
// A closed standard error changes neither the work nor the exit code.
process.stderr.on('error', () => undefined);

/** Runs one command. A failure is printed and sets the exit code. */
export const run = async (args: readonly string[]): Promise<void> => {
  const json = args.includes('--json');
  try {
    await makeProgram(context, { version, quiet: json }).parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = fail(error, json);
  }
};

// Not awaited: a command loads modules of the bundle that import this module. Such modules run only after this module has
// ended. If this module awaited the command, the command would wait for those modules, and they for this module.
void run(process.argv.slice(2));
