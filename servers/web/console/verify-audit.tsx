import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { CopyIcon } from '../kit/copy-icon.tsx';
import { Notice } from '../kit/messages.tsx';
import { type Problem, wordsOf } from '../kit/problem.ts';
import { utc } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { call, read } from './api.ts';
import type { Verification } from './response-types.ts';
import { State } from './state-signs.tsx';
import { c, shownNumber } from './text.ts';

/** The pause between two polls of a running check. */
const PAUSE_MS = 1_000;

const Verdict = ({ verdict }: Pick<Verification, 'verdict'>) => {
  const { verify } = c().audit;
  if (verdict === null) return <span class="muted">{verify.never}</span>;
  if (verdict.broken !== null)
    return (
      <Notice tone="danger">
        <p>
          <b>{verify.broken(shownNumber(verdict.broken.number))}</b>{' '}
          <UserText text={verdict.broken.problem} />
        </p>
        <p>{verify.what}</p>
      </Notice>
    );
  return (
    <>
      <State sign="good">{verify.intact(shownNumber(verdict.rows), shownNumber(verdict.erased))}</State>
      {verdict.head === null ? null : (
        <span class="row small">
          <span class="muted">{verify.headNote}</span>
          <code class="cut" title={verdict.head}>
            {verdict.head}
          </code>
          <CopyIcon text={verdict.head} of={verify.head} />
        </span>
      )}
    </>
  );
};

const Running = ({ state }: { readonly state: Verification }) => {
  const { verify } = c().audit;
  const id = useId();
  const total = state.rows ?? undefined;
  return (
    <div class="stack">
      <label for={id}>{verify.progress(shownNumber(state.checked))}</label>
      <progress id={id} {...(total === undefined ? {} : { max: Math.max(1, total), value: state.checked })} />
      {state.startedAt === null ? null : <p class="muted small">{verify.begun(utc(state.startedAt))}</p>}
    </div>
  );
};

/** Starts a check of the audit log, and shows its progress and the last result. */
export const Verify = () => {
  const state: Signal<Verification | undefined> = useSignal(undefined);
  const problem: Signal<Problem | undefined> = useSignal(undefined);
  const poll = async () => {
    const result = await read<Verification>('audit/verify');
    problem.value = result.problem;
    // A copy even after a failure: the effect below schedules the next poll whenever this object is a new one.
    state.value = result.data ?? (state.value && { ...state.value });
  };
  useEffect(() => void poll(), []);
  const isRunning = state.value?.state === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(poll, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [state.value]);
  const begin = async () => {
    const { problem: refusal } = await call<Verification>('POST', 'audit/verify', {});
    // If another operator's check is running, the page shows that check.
    if (refusal === undefined || refusal.code === 'already_running') await poll();
    else problem.value = refusal;
  };
  const { verify } = c().audit;
  return (
    <Card>
      <div class="row apart">
        <div>
          <h2>{verify.title}</h2>
          <p class="muted small">{verify.lead}</p>
        </div>
        <Button kind="plain" busy={isRunning && c().kit.checking} onPress={begin}>
          {verify.button}
        </Button>
      </div>
      {problem.value === undefined ? null : <Notice tone="danger">{wordsOf(problem.value)}</Notice>}
      {isRunning && state.value !== undefined ? <Running state={state.value} /> : null}
      <div role="status" class="row verdict">
        {isRunning || state.value === undefined ? null : <Verdict verdict={state.value.verdict} />}
      </div>
    </Card>
  );
};
