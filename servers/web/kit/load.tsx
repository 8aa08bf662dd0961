import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Outcome, Problem } from '../api.ts';
import { Failed, Skeleton } from './parts.tsx';

interface LoadProps<T> {
  readonly from: () => Promise<Outcome<T>>;
  readonly children: (data: T, again: () => Promise<void>) => ComponentChildren;
  /** What stands in the place of refusals that are no failures, by their codes. */
  readonly instead?: Readonly<Record<string, () => ComponentChildren>>;
}

/** Reads something and shows it; says so if it cannot be read. */
export const Load = <T,>({ from, children, instead = {} }: LoadProps<T>) => {
  const data: Signal<T | undefined> = useSignal(undefined);
  const problem: Signal<Problem | undefined> = useSignal(undefined);
  const load = async () => {
    const found = await from();
    problem.value = found.problem;
    if (found.data !== undefined) data.value = found.data;
  };
  useEffect(() => void load(), []);
  const found = problem.value;
  if (found !== undefined) {
    return <>{instead[found.code]?.() ?? <Failed problem={found} again={load} />}</>;
  }
  return <>{data.value === undefined ? <Skeleton /> : children(data.value, load)}</>;
};
