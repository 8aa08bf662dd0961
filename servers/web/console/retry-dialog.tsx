import { useSignal } from '@preact/signals';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { tell } from '../kit/toast.ts';
import { UserText } from '../kit/user-text.tsx';
import { call } from './api.ts';
import { noReason, Reason } from './reason-field.tsx';
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

/** Explains an action, asks for a reason, and runs it. */
const RetryDialog = ({ action, onClose, onDone }: RetryDialogProps) => {
  const form = useForm({ invalid_reason: 'reason' });
  const { kit } = c();
  // The dialog cannot be closed while the action runs: its response would close a dialog that was opened since.
  const close = () => {
    if (!form.busy.value) onClose();
  };
  return (
    <Dialog title={action.title} onClose={close}>
      {action.subject === undefined ? null : (
        <p>
          <b>
            <UserText text={action.subject} />
          </b>
        </p>
      )}
      <p>{action.effect}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const reason = values('reason').trim();
          const missing = noReason(reason);
          if (missing !== undefined) return missing;
          const { data, problem } = await call<{ readonly count: number }>('POST', action.path, { reason });
          if (problem !== undefined) return problem;
          onClose();
          tell(data.count === 0 ? c().frame.unchanged : action.doneText(data.count));
          await onDone();
          return undefined;
        }}
      >
        <Reason error={form.errorOf('reason')} />
        <div class="row">
          <Button type="submit" busy={form.busy.value && c().reason.busy}>
            {action.title}
          </Button>
          <Button kind="plain" onPress={close}>
            {kit.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
};

/** A dialog that `open` shows for an action, and what renders it. */
export const useRetryDialog = (onDone: () => Promise<void>) => {
  const action = useSignal<RetryAction | null>(null);
  return {
    open: (next: RetryAction) => {
      action.value = next;
    },
    dialog:
      action.value === null ? null : (
        <RetryDialog
          action={action.value}
          onDone={onDone}
          onClose={() => {
            action.value = null;
          }}
        />
      ),
  };
};
