import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { type Problem, wordsOf } from '../../api.ts';
import { Button } from '../../kit/button.tsx';
import { Card, Copy, Notice, Own } from '../../kit/parts.tsx';
import { utc } from '../../kit/time.tsx';
import { locale } from '../../text/language.ts';
import { call, read } from '../api.ts';
import type { Verification } from '../shapes.ts';
import { c } from '../text.ts';

/** Milliseconds between two looks at a walk that runs. */
const PAUSE = 1_000;

const shown = (count: number): string => new Intl.NumberFormat(locale()).format(count);

const Verdict = ({ verdict }: { readonly verdict: NonNullable<Verification['verdict']> }) => {
  const { verify } = c().audit;
  if (verdict.broken !== null)
    return (
      <Notice tone="danger">
        <p>
          <b>{verify.broken(shown(verdict.broken.number))}</b> <Own text={verdict.broken.problem} />
        </p>
        <p>{verify.what}</p>
      </Notice>
    );
  return (
    <>
      <Notice tone="good">{verify.intact(shown(verdict.rows), shown(verdict.erased))}</Notice>
      {verdict.head === null ? null : (
        <div class="row">
          <span class="muted small">{verify.head}</span>
          <code class="small breaks">{verdict.head}</code>
          <Copy text={verdict.head} />
        </div>
      )}
    </>
  );
};

const Running = ({ state }: { readonly state: Verification }) => {
  const { verify } = c().audit;
  const id = useId();
  const most = state.rows ?? undefined;
  return (
    <div class="stack">
      <label for={id}>{verify.progress(shown(state.checked))}</label>
      <progress id={id} {...(most === undefined ? {} : { max: Math.max(1, most), value: state.checked })} />
      {state.startedAt === null ? null : <p class="muted small">{verify.begun(utc(state.startedAt))}</p>}
    </div>
  );
};

/** Has the log verified, shows how far that is, and what came of it last. */
export const Verify = () => {
  const state: Signal<Verification | undefined> = useSignal(undefined);
  const problem: Signal<Problem | undefined> = useSignal(undefined);
  const look = async () => {
    const found = await read<Verification>('audit/verify');
    problem.value = found.problem;
    // A look that failed ends no walk: the next one follows.
    state.value = found.data ?? (state.value && { ...state.value });
  };
  useEffect(() => void look(), []);
  const isRunning = state.value?.state === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(look, PAUSE);
    return () => clearTimeout(timer);
  }, [state.value]);
  const begin = async () => {
    const begun = await call<Verification>('POST', '/api/admin/audit/verify', { body: {} });
    // Another operator was quicker: then it is that walk which is shown.
    if (begun.problem !== undefined && begun.problem.code !== 'already_running')
      problem.value = begun.problem;
    else await look();
  };
  const { verify } = c().audit;
  const verdict = state.value?.verdict ?? null;
  return (
    <Card title={verify.title}>
      <p>{verify.lead}</p>
      {problem.value === undefined ? null : <Notice tone="danger">{wordsOf(problem.value)}</Notice>}
      {isRunning && state.value !== undefined ? <Running state={state.value} /> : null}
      <div role="status" class="stack">
        {!isRunning && verdict !== null ? <Verdict verdict={verdict} /> : null}
      </div>
      <Button kind="plain" busy={isRunning && verify.busy} onPress={begin}>
        {verify.act}
      </Button>
    </Card>
  );
};
