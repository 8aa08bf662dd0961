import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Form, type FormState, Submit } from '../kit/form.tsx';
import { makeProblem, type Problem } from '../kit/problem.ts';
import { UserText } from '../kit/user-text.tsx';
import { c } from './text.ts';

const MOST_CHARACTERS = 500;

/** The reason of an action, which the audit log stores. */
const Reason = ({ form }: { readonly form: FormState }) => {
  const id = useId();
  const length = useSignal(0);
  const error = form.errorOf('reason');
  const { reason } = c();
  return (
    <div class="field">
      <label for={id}>{reason.label}</label>
      <textarea
        id={id}
        name="reason"
        class="input"
        rows={3}
        required
        dir="auto"
        autocomplete="off"
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-note`}
        onInput={(event) => {
          length.value = [...event.currentTarget.value].length;
        }}
      />
      <p class="hint row apart">
        <span key={error} class={error && 'wrong'} role={error ? 'alert' : undefined} id={`${id}-note`}>
          {error ?? reason.hint}
        </span>{' '}
        {/* Outside the note, which describes the field: screen readers would speak the count at every keystroke. */}
        <span>{reason.count(length.value, MOST_CHARACTERS)}</span>
      </p>
    </div>
  );
};

interface ReasonDialogProps {
  /** A form that shows the problem `invalid_reason` at the field `reason`. */
  readonly form: FormState;
  readonly title: string;
  readonly effect: string;
  /** The target of the action. */
  readonly subject?: string;
  readonly kind?: 'primary' | 'danger';
  readonly children?: ComponentChildren;
  readonly onClose: () => void;
  readonly onSubmit: (reason: string, values: (name: string) => string) => Promise<Problem | undefined>;
}

/** Explains an action and asks for its reason. */
export const ReasonDialog = ({
  form,
  title,
  effect,
  subject,
  kind = 'primary',
  children,
  onClose,
  onSubmit,
}: ReasonDialogProps) => {
  const { kit, reason: texts } = c();
  // Not while the action runs: its response would close the dialog that the operator opened next.
  const close = () => {
    if (!form.busy.value) onClose();
  };
  return (
    <Dialog title={title} onClose={close}>
      {subject === undefined ? null : (
        <p>
          <UserText bold text={subject} />
        </p>
      )}
      <p>{effect}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const reason = values('reason').trim();
          // `maxLength` would count an emoji as two characters.
          const { length } = [...reason];
          return length === 0 || length > MOST_CHARACTERS
            ? makeProblem('invalid_reason')
            : onSubmit(reason, values);
        }}
      >
        {children}
        <Reason form={form} />
        <div class="row">
          <Submit form={form} kind={kind} text={title} busyText={texts.busy} />
          <Button kind="plain" onPress={close}>
            {kit.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
};
