import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { Own } from '../kit/parts.tsx';
import { tell } from '../kit/tell.ts';
import { call } from './api.ts';
import { noReason, Reason } from './reason.tsx';
import { c } from './text.ts';

/** An act on something that is no user. */
export interface Deed {
  readonly title: string;
  readonly effect: string;
  /** What it is done to, in the words of its row. */
  readonly subject?: string;
  /** After `/api/admin/`. */
  readonly path: string;
  readonly done: (count: number) => string;
}

interface DeedProps {
  readonly deed: Deed;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

/** Says what happens, asks why, and does it. */
export const ReasonDialog = ({ deed, onClose, onDone }: DeedProps) => {
  const form = useForm({ invalid_reason: 'reason' });
  const { kit } = c();
  // An act that was sent cannot be taken back, and its answer would close what was opened since.
  const close = () => {
    if (!form.busy.value) onClose();
  };
  return (
    <Dialog title={deed.title} onClose={close}>
      {deed.subject === undefined ? null : (
        <p>
          <b>
            <Own text={deed.subject} />
          </b>
        </p>
      )}
      <p>{deed.effect}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const reason = values('reason').trim();
          const missing = noReason(reason);
          if (missing !== undefined) return missing;
          const { data, problem } = await call<{ readonly count: number }>(
            'POST',
            `/api/admin/${deed.path}`,
            { body: { reason } },
          );
          if (problem !== undefined) return problem;
          onClose();
          tell(deed.done(data.count));
          await onDone();
          return undefined;
        }}
      >
        <Reason wrong={form.wrong('reason')} />
        <div class="row">
          <Button type="submit" busy={form.busy.value && c().reason.busy}>
            {deed.title}
          </Button>
          <Button kind="plain" onPress={close}>
            {kit.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
};
