import { StoreUnusable } from '../../adapters/compose.ts';
import { ConfigError } from '../../adapters/config.ts';
import { CoreError } from '../../core/index.ts';
import { CannotListen } from '../http/listen/listen.ts';

const WRONG_SETTINGS = 78;
const UNUSABLE_STORE = 75;

/** Why a process ends, as who started it is told. */
export interface Failure {
  /** The exit code (sysexits.h). */
  readonly code: number;
  readonly lines: readonly string[];
}

/** The exit code and the lines for what can be mended by who starts us; everything else is ours to mend. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof ConfigError) return { code: WRONG_SETTINGS, lines: error.lines };
  if (error instanceof CannotListen) return { code: WRONG_SETTINGS, lines: [error.message] };
  if (error instanceof StoreUnusable) return { code: UNUSABLE_STORE, lines: [error.message] };
  // What it stands on went away while it started.
  if (error instanceof CoreError && error.kind === 'unavailable')
    return { code: UNUSABLE_STORE, lines: [error.message] };
  return { code: 1, lines: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
};

// Without a listener, a full disk or a reader that is gone would end the process.
process.stderr.on('error', () => undefined);

/** Tells who started us. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export const endWith = ({ code, lines }: Failure): never => {
  for (const line of lines) say(line);
  process.exit(code);
};

/** Drains when `asked` is aborted, and ends the process with the exit code that the drain gives. */
export const endWhen = (asked: AbortSignal, drain: () => Promise<number>): void => {
  const end = () =>
    void drain().then(
      (code) => process.exit(code),
      (error: unknown) => endWith(failureOf(error)),
    );
  if (asked.aborted) end();
  else asked.addEventListener('abort', end, { once: true });
};
