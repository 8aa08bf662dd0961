import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Problem } from '../api.ts';
import { t } from '../text/language.ts';
import { Button } from './button.tsx';
import { tell } from './tell.ts';

/** Seconds between two mails, unless the server asks for more. */
const PAUSE = 30;

/** Has a code sent again, not before the time has come. `begun`: one has just been sent. */
export const SendAgain = ({
  send,
  begun = false,
}: {
  readonly send: () => Promise<Problem | undefined>;
  readonly begun?: boolean;
}) => {
  const left = useSignal(begun ? PAUSE : 0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (left.value > 0) left.value -= 1;
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  const press = async () => {
    left.value = PAUSE;
    const problem = await send();
    if (problem === undefined) tell(t().start.verify.sentAgain);
    else left.value = Math.max(0, Math.ceil((problem.until - Date.now()) / 1_000));
  };
  const { again, againIn } = t().start.verify;
  return (
    <Button kind="link" disabled={left.value > 0} onPress={press}>
      {left.value > 0 ? againIn(left.value) : again}
    </Button>
  );
};
