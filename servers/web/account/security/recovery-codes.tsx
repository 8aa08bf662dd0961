import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { config } from '../../base/config.ts';
import { guardLeaving } from '../../base/router.ts';
import { user } from '../../base/session.ts';
import { Button, Copy } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { download } from '../../kit/download.ts';
import { UserText } from '../../kit/user-text.tsx';
import { shownDate, t } from '../../text/language.ts';

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

/** Asks before the page is left while the codes are not saved. Returns the function that answers the open question, or null. */
const useQuestion = (isSaved: boolean): Answer | null => {
  const question = useSignal<Answer | null>(null);
  // Before the paint: the user can leave as soon as the codes show.
  useLayoutEffect(() => {
    if (isSaved) return undefined;
    const stop = guardLeaving(() => {
      // A new question replaces the previous one.
      question.value?.(false);
      return new Promise((resolve) => {
        question.value = (mayLeave) => {
          question.value = null;
          resolve(mayLeave);
        };
      });
    });
    return () => {
      stop();
      question.value?.(false);
    };
  }, [isSaved]);
  return question.value;
};

/** Recovery codes, which are shown once, so leaving the page needs a confirmation. Of the page, only this part is printed. */
export const RecoveryCodes = ({
  codes,
  onDone,
}: {
  readonly codes: readonly string[];
  readonly onDone: () => Promise<void>;
}) => {
  const saved = useSignal(false);
  const answer = useQuestion(saved.value);
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
        <Button kind="plain" onPress={() => download(setup.fileName, text, 'text/plain')}>
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
      {answer === null ? null : <Leave answer={answer} />}
    </div>
  );
};
