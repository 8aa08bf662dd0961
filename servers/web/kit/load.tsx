import { type Signal, useSignal } from '@preact/signals';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { addTexts, type Source } from '../text/language.ts';
import { Failed, Skeleton } from './messages.tsx';
import { type Outcome, offline, type Problem } from './problem.ts';

interface LoadProps<T> {
  readonly request: () => Promise<Outcome<T>>;
  /** Identifies the data: a changed key reads them again, and the old data are shown until then. */
  readonly requestKey?: string;
  /** `isOld`: the data are of the former key, and the new ones are being read. */
  readonly children: (data: T, reload: () => Promise<void>, isOld: boolean) => ComponentChildren;
  /** Stands above a problem while there are no data. For pages whose heading is part of `children`, which need data. */
  readonly heading?: ComponentChildren;
  /** Content instead of refusals that are no failures, by code. */
  readonly instead?: Readonly<Record<string, () => ComponentChildren>>;
}

/** Loads a piece of a page, with its texts, after the first paint. */
export const lazyPiece =
  <T,>(load: () => Promise<T>, texts: readonly Source[] = []) =>
  async (): Promise<Outcome<T>> => {
    try {
      const [data] = await Promise.all([load(), addTexts(texts)]);
      return { data };
    } catch {
      return { problem: offline };
    }
  };

/** Waits for both. Returns one object with the members of both, or a problem. No name may be a member of both. */
export const joinOutcomes = async <A extends object, B extends object>(
  first: Promise<Outcome<A>>,
  second: Promise<Outcome<B>>,
): Promise<Outcome<A & B>> => {
  const [a, b] = await Promise.all([first, second]);
  if (a.problem !== undefined) return a;
  return b.problem === undefined ? { data: { ...a.data, ...b.data } } : b;
};

/** Reads data and shows them, or the problem of reading them. */
export const Load = <T,>({ request, requestKey = '', children, heading, instead = {} }: LoadProps<T>) => {
  const shown: Signal<{ readonly data: T; readonly key: string } | undefined> = useSignal(undefined);
  const problem: Signal<Problem | undefined> = useSignal(undefined);
  const latestTurn = useSignal(0);
  const load = async () => {
    latestTurn.value += 1;
    const turn = latestTurn.value;
    const result = await request();
    // Other data were requested meanwhile.
    if (turn !== latestTurn.value) return;
    problem.value = result.problem;
    if (result.data !== undefined) shown.value = { data: result.data, key: requestKey };
  };
  useEffect(() => void load(), [requestKey]);
  const substitute = problem.value && instead[problem.value.code];
  if (substitute !== undefined) return <>{substitute()}</>;
  const failure = problem.value === undefined ? null : <Failed problem={problem.value} onRetry={load} />;
  // Data stay while they are read again, even if that fails: their content may have typed text, or be shown only once. Data of
  // another key stay only while the new data are being read.
  const visible = failure === null || shown.value?.key === requestKey ? shown.value : undefined;
  if (visible === undefined)
    return failure === null ? (
      <Skeleton />
    ) : (
      <>
        {heading}
        {failure}
      </>
    );
  // The key makes Preact keep the children, with typed text, when a failure appears above them.
  return (
    <>
      {failure}
      <Fragment key="data">{children(visible.data, load, visible.key !== requestKey)}</Fragment>
    </>
  );
};
