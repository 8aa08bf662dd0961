import { StoreUnusable } from '../../adapters/compose.ts';
import { ConfigError } from '../../adapters/config.ts';
import { exitCodes } from '../../adapters/exit-codes.ts';
import { CoreError } from '../../core/index.ts';
import { CannotListen } from '../http/listen/bind-port.ts';

/** Why a process ends, for the person or program that started it. */
export interface Failure {
  /** One of `exitCodes`. */
  readonly code: number;
  readonly lines: readonly string[];
}

/** The exit code and the lines to print. For an unexpected error, which is a defect, the stack is printed. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof ConfigError) return { code: exitCodes.wrongSettings, lines: error.lines };
  if (error instanceof CannotListen) return { code: exitCodes.wrongSettings, lines: [error.message] };
  if (error instanceof StoreUnusable) return { code: exitCodes.tryLater, lines: [error.message] };
  // A dependency went away during the start.
  if (error instanceof CoreError && error.kind === 'unavailable')
    return { code: exitCodes.tryLater, lines: [error.message] };
  return {
    code: exitCodes.failed,
    lines: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  };
};

// Without a listener a write error, such as a closed pipe or a full disk, would end the process.
process.stderr.on('error', () => undefined);

/** Prints a line for the person who started the process. */
export const printLine = (text: string): void => void process.stderr.write(`${text}\n`);

export const endWith = ({ code, lines }: Failure): never => {
  for (const line of lines) printLine(line);
  process.exit(code);
};

/** When `endSignal` is aborted, drains and ends the process with the exit code that `drain` gives. */
export const endWhen = (endSignal: AbortSignal, drain: () => Promise<number>): void => {
  const end = () =>
    void drain().then(
      (code) => process.exit(code),
      (error: unknown) => endWith(failureOf(error)),
    );
  if (endSignal.aborted) end();
  else endSignal.addEventListener('abort', end, { once: true });
};
