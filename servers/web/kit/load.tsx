import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Outcome, offline, type Problem } from '../api.ts';
import { addTexts, type Source } from '../text/language.ts';
import { Failed, Skeleton } from './parts.tsx';

interface LoadProps<T> {
  readonly from: () => Promise<Outcome<T>>;
  /** What is read: with another one it is read anew, and the old is shown until then. */
  readonly what?: string;
  /** Whether it fills more than a window: the foot of the page is not shown before it. */
  readonly tall?: boolean;
  readonly children: (data: T, again: () => Promise<void>) => ComponentChildren;
  /** What stands in the place of refusals that are no failures, by their codes. */
  readonly instead?: Readonly<Record<string, () => ComponentChildren>>;
}

/** Has a piece of a page, with what it says, loaded after what is looked at first. */
export const late =
  <T,>(load: () => Promise<T>, texts: readonly Source[] = []) =>
  async (): Promise<Outcome<T>> => {
    try {
      const [data] = await Promise.all([load(), addTexts(texts)]);
      return { data };
    } catch {
      return { problem: offline };
    }
  };

/** Reads something and shows it; says so if it cannot be read. */
export const Load = <T,>({ from, what = '', tall = false, children, instead = {} }: LoadProps<T>) => {
  const data: Signal<T | undefined> = useSignal(undefined);
  const problem: Signal<Problem | undefined> = useSignal(undefined);
  const latest = useSignal(0);
  const load = async () => {
    latest.value += 1;
    const turn = latest.value;
    const found = await from();
    // Something else was asked for meanwhile.
    if (turn !== latest.value) return;
    problem.value = found.problem;
    if (found.data !== undefined) data.value = found.data;
  };
  useEffect(() => void load(), [what]);
  const found = problem.value;
  if (found !== undefined) {
    return <>{instead[found.code]?.() ?? <Failed problem={found} again={load} />}</>;
  }
  return <>{data.value === undefined ? <Skeleton tall={tall} /> : children(data.value, load)}</>;
};
