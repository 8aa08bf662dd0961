import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { c } from './text.ts';

const LONGEST = 500;

/** Why something is done, as the audit log keeps it. */
export const Reason = ({ wrong }: { readonly wrong: string | undefined }) => {
  const id = useId();
  const length = useSignal(0);
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
        maxLength={LONGEST}
        dir="auto"
        autocomplete="off"
        aria-invalid={wrong === undefined ? undefined : true}
        aria-describedby={wrong === undefined ? `${id}-hint` : `${id}-wrong ${id}-hint`}
        onInput={(event) => {
          length.value = [...event.currentTarget.value].length;
        }}
      />
      <p class="hint row apart" id={`${id}-hint`}>
        <span>{reason.hint}</span> <span>{reason.count(length.value, LONGEST)}</span>
      </p>
      {wrong === undefined ? null : (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
};

/** What is wrong with a reason before it is sent. */
export const noReason = (reason: string) =>
  reason.trim() === '' ? { code: 'invalid_reason', message: '', until: 0, details: {} } : undefined;
