import { isId } from '../ids.ts';
import type { Deps } from './deps.ts';
import { fileNotFound } from './errors.ts';

/**
 * Lets parallel calls for one key share one run of `load`. A call joins only a run that has not started: a run under way
 * may have read before a write that the caller knows of. So at most one run is active and one waits for each key.
 */
export const makeSingleFlight = <T>(load: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<T>>();

  const run = (key: string): Promise<T> => {
    const flight = load(key);
    const ended = flight.catch(() => undefined);
    running.set(key, ended);
    void ended.then(() => {
      if (running.get(key) === ended) running.delete(key);
    });
    return flight;
  };

  return (key) => {
    const active = running.get(key);
    if (active === undefined) return run(key);
    const waitingRun = waiting.get(key);
    if (waitingRun !== undefined) return waitingRun;
    const next = active.then(() => {
      waiting.delete(key);
      return run(key);
    });
    waiting.set(key, next);
    return next;
  };
};

export const makeReadFile = ({ accesses, entries, files }: Pick<Deps, 'accesses' | 'entries' | 'files'>) => {
  const read = makeSingleFlight((id) => entries.read(id, () => files.find(id)));

  return async (id: string): Promise<string> => {
    const entry = isId(id) ? await read(id) : undefined;
    if (entry === undefined) throw fileNotFound();
    accesses.note(id);
    return entry;
  };
};
