import { useSignal } from '@preact/signals';
import { Button } from '../kit/button.tsx';
import { useForm } from '../kit/form.tsx';
import { tell } from '../kit/toast.ts';
import { call } from './api.ts';
import { ReasonDialog } from './reason-field.tsx';
import { c } from './text.ts';

/** Retries a mail or a delivery. */
interface RetryAction {
  readonly title: string;
  readonly effect: string;
  /** The target of the action, as its row names it. */
  readonly subject?: string;
  /** After `/api/admin/`. */
  readonly path: string;
  readonly doneText: (count: number) => string;
}

interface RetryDialogProps {
  readonly action: RetryAction;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

const RetryDialog = ({ action, onClose, onDone }: RetryDialogProps) => {
  const form = useForm({ invalid_reason: 'reason' });
  const { title, effect, subject, path, doneText } = action;
  const run = async (reason: string) => {
    const { data, problem } = await call<{ readonly count: number }>('POST', path, { reason });
    if (problem !== undefined) return problem;
    onClose();
    tell(data.count === 0 ? c().frame.unchanged : doneText(data.count));
    await onDone();
    return undefined;
  };
  return (
    <ReasonDialog
      form={form}
      title={title}
      effect={effect}
      subject={subject}
      onClose={onClose}
      onSubmit={run}
    />
  );
};

/** The dialog of retries: a button for an action, which opens it, and the dialog while it is open. */
export const useRetryDialog = (onDone: () => Promise<void>) => {
  const openAction = useSignal<RetryAction | null>(null);
  const buttonFor = (action: RetryAction) => (
    <Button
      kind={action.subject === undefined ? 'plain' : 'link'}
      label={action.subject && `${action.title}: ${action.subject}`}
      onPress={() => {
        openAction.value = action;
      }}
    >
      {action.title}
    </Button>
  );
  const dialog =
    openAction.value === null ? null : (
      <RetryDialog
        action={openAction.value}
        onDone={onDone}
        onClose={() => {
          openAction.value = null;
        }}
      />
    );
  return { buttonFor, dialog };
};
