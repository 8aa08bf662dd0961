import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { problem } from '../kit/problem.ts';
import { c } from './text.ts';

const LONGEST = 500;

/** The reason of an action, which the audit log stores. */
export const Reason = ({ error }: { readonly error: string | undefined }) => {
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
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-note`}
        onInput={(event) => {
          length.value = [...event.currentTarget.value].length;
        }}
      />
      <p class="hint row apart" id={`${id}-note`}>
        <span class={error === undefined ? undefined : 'wrong'}>{error ?? reason.hint}</span>{' '}
        <span>{reason.count(length.value, LONGEST)}</span>
      </p>
    </div>
  );
};

/** Validates a reason before it is sent. */
export const noReason = (reason: string) => (reason.trim() === '' ? problem('invalid_reason') : undefined);
