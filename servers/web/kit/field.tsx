import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../text/language.ts';
import { Button } from './button.tsx';
import type { FormState } from './form.tsx';

interface FieldProps {
  /** The form whose error the field shows. */
  readonly form?: FormState;
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  /** The initial value. Rendering again keeps the typed text. */
  readonly value?: string | undefined;
  readonly hint?: string;
  /** An error of the typed value, in place of the form's; it replaces the hint. */
  readonly error?: string | undefined;
  /** Whether the field has the focus when it is shown. */
  readonly isFirst?: boolean | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'date';
  readonly inputMode?: 'text' | 'numeric' | 'url';
  /** Whether it takes a code: a pasted one is stripped by `bareCode`. */
  readonly code?: boolean;
  readonly optional?: boolean;
  /** Stands beside the field. */
  readonly button?: ComponentChildren;
}

const focus = (input: HTMLInputElement | null): void => input?.focus();

/** A line of text with its label, hint and error. */
export const Field = ({
  form,
  label,
  value,
  hint,
  error: ownError,
  type = 'text',
  code,
  optional,
  isFirst,
  button,
  ...rest
}: FieldProps) => {
  const id = useId();
  const error = ownError ?? form?.errorOf(rest.name);
  const note = error ?? hint;
  const noteId = note === undefined ? undefined : `${id}-note`;
  const input = (
    <input
      {...rest}
      // Preact's types have one member for each type, and none for a union of them.
      type={type as 'text'}
      ref={isFirst ? focus : null}
      id={id}
      defaultValue={value}
      class={code ? 'input code' : 'input'}
      required={!optional}
      dir="auto"
      spellcheck={false}
      autocapitalize="none"
      aria-invalid={error === undefined ? undefined : true}
      aria-describedby={noteId}
      onInput={({ currentTarget: typed, inputType }) => {
        if (code && inputType === 'insertFromPaste') typed.value = bareCode(typed.value);
      }}
    />
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {button === undefined ? (
        input
      ) : (
        <div class="with-button">
          {input}
          {button}
        </div>
      )}
      {note === undefined ? null : (
        // Another key makes another element: screen readers announce an alert when it appears.
        <p key={error} class={error ? 'wrong' : 'hint'} role={error ? 'alert' : undefined} id={noteId}>
          {note}
        </p>
      )}
    </div>
  );
};

/** The field `email`; the user's own, unless `autocomplete` says otherwise. */
export const EmailField = (
  props: Pick<FieldProps, 'form' | 'value' | 'isFirst'> & Partial<Pick<FieldProps, 'label' | 'autocomplete'>>,
) => <Field label={words().kit.email} autocomplete="username" {...props} name="email" type="email" />;

type PasswordProps = Pick<FieldProps, 'form' | 'hint' | 'isFirst'> &
  Partial<Pick<FieldProps, 'name' | 'label' | 'autocomplete'>>;

/** A password that can be shown; the current one, unless `autocomplete` says otherwise. */
export const PasswordField = (props: PasswordProps) => {
  const isShown = useSignal(false);
  const { kit } = words();
  const verb = isShown.value ? kit.hide : kit.show;
  const press = () => {
    isShown.value = !isShown.value;
  };
  return (
    <Field
      name="password"
      label={kit.password}
      autocomplete="current-password"
      {...props}
      type={isShown.value ? 'text' : 'password'}
      button={
        <Button kind="plain" label={`${verb}: ${props.label ?? kit.password}`} onPress={press}>
          {verb}
        </Button>
      }
    />
  );
};

/** The field for a code from a mail or an app; `letters`: the code may have letters. */
export const CodeField = ({
  letters = false,
  ...rest
}: Pick<FieldProps, 'form' | 'label' | 'hint' | 'error' | 'isFirst'> & { readonly letters?: boolean }) => (
  <Field {...rest} name="code" code autocomplete="one-time-code" inputMode={letters ? 'text' : 'numeric'} />
);

/** A code as it is sent: digits without the blanks and dashes between them, other codes trimmed. */
export const bareCode = (typed: string): string =>
  /^[\d\s-]*$/.test(typed) ? typed.replaceAll(/\D/g, '') : typed.trim();
