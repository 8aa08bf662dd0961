import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { config } from '../../base/config.ts';
import { guardLeaving } from '../../base/router.ts';
import { user } from '../../base/session.ts';
import { Button, Copy } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { shownDate, t } from '../../text/language.ts';

const download = (name: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
};

type Answer = (mayLeave: boolean) => void;

/** Asks whether to leave without saving the codes. */
const Leave = ({ answer }: { readonly answer: Answer }) => {
  const { setup } = t();
  return (
    <Dialog title={setup.leaveTitle} onClose={() => answer(false)}>
      <p>{setup.leaveText}</p>
      <div class="row">
        <Button onPress={() => answer(false)}>{setup.stay}</Button>
        <Button kind="danger" onPress={() => answer(true)}>
          {setup.leave}
        </Button>
      </div>
    </Dialog>
  );
};

type Question = Signal<Answer | null>;

/** Answers the open question. */
const settle = (question: Question, mayLeave: boolean): void => {
  const answer = question.value;
  question.value = null;
  answer?.(mayLeave);
};

/** Asks before the page is left while the codes are not saved. Returns the open question. */
const useQuestion = (isSafe: () => boolean): Question => {
  const question: Question = useSignal(null);
  // Before the codes show: whoever sees them can leave at once.
  useLayoutEffect(() => {
    const stop = guardLeaving({
      isSafe,
      ask: () => {
        // A new question replaces the previous one.
        settle(question, false);
        return new Promise((resolve) => {
          question.value = resolve;
        });
      },
    });
    return () => {
      stop();
      settle(question, false);
    };
  }, []);
  return question;
};

/** Recovery codes, which are shown once, so leaving the page needs a confirmation. The printed page shows only them. */
export const Codes = ({
  codes,
  onDone,
}: {
  readonly codes: readonly string[];
  readonly onDone: () => Promise<void>;
}) => {
  const saved = useSignal(false);
  const question = useQuestion(() => saved.value);
  const { setup } = t();
  const text = `${codes.join('\n')}\n`;
  return (
    <div class="paper stack">
      <div class="print-only">
        <h2>{setup.paper(config.product)}</h2>
        <p>
          <UserText text={user.value?.email ?? ''} />
        </p>
        <p>{shownDate(Date.now())}</p>
      </div>
      <p>
        {setup.codesText} <span class="no-print">{setup.codesOnce}</span>
      </p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div class="row no-print">
        <Copy text={text} />
        <Button kind="plain" onPress={() => download(setup.fileName, text)}>
          {setup.download}
        </Button>
        <Button kind="plain" onPress={() => print()}>
          {setup.print}
        </Button>
      </div>
      <label class="check no-print">
        <input
          type="checkbox"
          checked={saved.value}
          onChange={(event) => {
            saved.value = event.currentTarget.checked;
          }}
        />
        {setup.saved}
      </label>
      <div class="no-print">
        <Button disabled={!saved.value} onPress={onDone}>
          {setup.done}
        </Button>
      </div>
      {question.value === null ? null : <Leave answer={(mayLeave) => settle(question, mayLeave)} />}
    </div>
  );
};
