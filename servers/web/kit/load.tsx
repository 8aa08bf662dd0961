import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Outcome, type Problem, wordsOf } from '../api.ts';
import { words } from '../text/language.ts';
import { Button } from './button.tsx';
import { Notice, Skeleton } from './parts.tsx';

interface LoadProps<T> {
  readonly from: () => Promise<Outcome<T>>;
  readonly children: (data: T, again: () => Promise<void>) => ComponentChildren;
}

/** Reads something and shows it; says so if it cannot be read. */
export const Load = <T,>({ from, children }: LoadProps<T>) => {
  const data: Signal<T | undefined> = useSignal(undefined);
  const problem: Signal<Problem | undefined> = useSignal(undefined);
  const load = async () => {
    const found = await from();
    problem.value = found.problem;
    if (found.data !== undefined) data.value = found.data;
  };
  useEffect(() => void load(), []);
  if (problem.value !== undefined)
    return (
      <Notice tone="danger">
        <p>{wordsOf(problem.value)}</p>
        <Button kind="link" onPress={load}>
          {words().kit.tryAgain}
        </Button>
      </Notice>
    );
  return <>{data.value === undefined ? <Skeleton /> : children(data.value, load)}</>;
};
