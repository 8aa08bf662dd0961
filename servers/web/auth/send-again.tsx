import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import type { Problem } from '../kit/problem.ts';
import { showToast } from '../kit/toast.ts';
import { t } from '../text/language.ts';

/** The pause between two mails; after a refusal, the server's `Retry-After` counts instead. */
const PAUSE_SECONDS = 30;

/** A button that sends a code again after a pause. `isSent`: a code has just been sent. */
export const SendAgain = ({
  send,
  isSent,
}: {
  readonly send: () => Promise<Problem | undefined>;
  readonly isSent: boolean;
}) => {
  const secondsLeft = useSignal(isSent ? PAUSE_SECONDS : 0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (secondsLeft.value > 0) secondsLeft.value -= 1;
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  const press = async () => {
    secondsLeft.value = PAUSE_SECONDS;
    const problem = await send();
    if (problem === undefined) showToast(t().auth.verify.sentAgain);
    else secondsLeft.value = Math.max(0, Math.ceil((problem.until - Date.now()) / 1_000));
  };
  const { again: label, againIn } = t().auth.verify;
  return (
    <Button kind="link" disabled={secondsLeft.value > 0} onPress={press}>
      {label}
      {/* Hidden from screen readers, which would speak the name of the focused button every second. */}
      {secondsLeft.value > 0 ? <span aria-hidden="true">&nbsp;{againIn(secondsLeft.value)}</span> : null}
    </Button>
  );
};
