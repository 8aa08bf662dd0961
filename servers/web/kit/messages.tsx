import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { words } from '../text/language.ts';
import { BusyButton } from './button.tsx';
import { type Problem, wordsOf } from './problem.ts';
import { keepMessage, message, releaseMessage } from './toast.ts';

type Tone = 'info' | 'good' | 'warn' | 'danger';

const SIGNS: Readonly<Record<Tone, string>> = { info: 'i', good: '✓', warn: '!', danger: '✕' };

/** A message in the page, with a sign and a word beside its colour. */
export const Notice = ({
  tone = 'info',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}) => (
  <div class={`notice ${tone}`} role={tone === 'danger' ? 'alert' : undefined}>
    <span class="sign">
      <span aria-hidden="true">{SIGNS[tone]}</span>
      <span class="visually-hidden">{words().kit.tones[tone]}</span>
    </span>
    <div>{children}</div>
  </div>
);

/** Shows a message for some seconds. Its element stays in the page, since screen readers announce only a change within it. */
export const Toast = () => {
  const shown = message.value;
  return (
    <div
      role="status"
      class={shown ? `notice ${shown.tone} toast` : 'visually-hidden'}
      onMouseEnter={keepMessage}
      onMouseLeave={releaseMessage}
    >
      {shown && (
        <>
          <span class="sign" aria-hidden="true">
            {SIGNS[shown.tone]}
          </span>
          {/* Another key makes another element, so that the same message is announced again. */}
          <div key={shown.at}>{shown.text}</div>
        </>
      )}
    </div>
  );
};

interface FailedProps {
  readonly problem: Problem;
  readonly onRetry: () => Promise<unknown>;
}

export const Failed = ({ problem, onRetry }: FailedProps) => (
  <Notice tone="danger">
    <p>{wordsOf(problem)}</p>
    {problem.isTemporary || problem.code === 'rate_limited' ? (
      <BusyButton kind="link" text={words().kit.tryAgain} onPress={onRetry} />
    ) : null}
  </Notice>
);

/** The time after which the page says that it still waits. */
const LONG_MS = 5_000;

/** A placeholder while content loads. The styles show it after a moment. */
export const Skeleton = () => {
  const isLong = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isLong.value = true;
    }, LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton">
      <p role="status" class="muted">
        {isLong.value ? words().kit.stillWaiting : null}
      </p>
      <span />
      <span />
      <span />
    </div>
  );
};
