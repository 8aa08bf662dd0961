import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../text/language.ts';
import { Button } from './button.tsx';

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  /** The initial value. Rendering again keeps the typed text. */
  readonly value?: string | undefined;
  readonly hint?: string;
  /** The error of the typed value, shown in place of the hint. */
  readonly error?: string | undefined;
  /** Whether the field has the focus when it is shown. */
  readonly isFirst?: boolean | undefined;
  readonly type?: 'text' | 'email';
  readonly inputMode?: 'text' | 'numeric' | 'email' | 'url';
  readonly code?: boolean;
  readonly onInput?: (value: string) => void;
  readonly optional?: boolean;
}

interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly children: ComponentChildren;
}

const Frame = ({ id, label, hint, error, children }: FrameProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {(error ?? hint) === undefined ? null : (
      <p class={error === undefined ? 'hint' : 'wrong'} id={`${id}-note`}>
        {error ?? hint}
      </p>
    )}
  </div>
);

const noteOf = (id: string, hint: string | undefined, error: string | undefined) =>
  (error ?? hint) === undefined ? undefined : `${id}-note`;

const focus = (input: HTMLInputElement | null): void => input?.focus();

/** A line of text with its label, hint and error. */
export const Field = ({
  label,
  value,
  hint,
  error,
  type = 'text',
  code,
  inputMode,
  onInput,
  optional,
  isFirst,
  ...rest
}: FieldProps) => {
  const id = useId();
  // Preact types each kind of input by itself.
  const kind: { readonly type: 'text' } | { readonly type: 'email' } = { type };
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input
        {...rest}
        {...kind}
        ref={isFirst ? focus : null}
        id={id}
        defaultValue={value}
        class={code ? 'input code' : 'input'}
        required={!optional}
        spellcheck={false}
        autocapitalize="none"
        inputMode={inputMode ?? (type === 'email' ? 'email' : 'text')}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={noteOf(id, hint, error)}
        onInput={(event) => {
          const { currentTarget: typed, inputType } = event;
          if (code && inputType === 'insertFromPaste') typed.value = bareCode(typed.value);
          onInput?.(typed.value);
        }}
      />
    </Frame>
  );
};

/** A password that can be shown. */
export const PasswordField = ({
  label,
  hint,
  error,
  isFirst,
  ...rest
}: Pick<FieldProps, 'name' | 'label' | 'autocomplete' | 'hint' | 'error' | 'isFirst'>) => {
  const id = useId();
  const isShown = useSignal(false);
  const kind: { readonly type: 'text' } | { readonly type: 'password' } = {
    type: isShown.value ? 'text' : 'password',
  };
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <div class="with-button">
        <input
          {...rest}
          {...kind}
          ref={isFirst ? focus : null}
          id={id}
          class="input"
          required
          spellcheck={false}
          autocapitalize="none"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={noteOf(id, hint, error)}
        />
        <Button
          kind="plain"
          label={words().kit.showPassword}
          pressed={isShown.value}
          onPress={() => {
            isShown.value = !isShown.value;
          }}
        >
          {isShown.value ? words().kit.hide : words().kit.show}
        </Button>
      </div>
    </Frame>
  );
};

/** A code from a mail or an app: one field, into which it may be pasted with blanks and dashes. */
export const CodeField = (
  props: Pick<FieldProps, 'name' | 'label' | 'hint' | 'error' | 'isFirst'> & { readonly letters?: boolean },
) => {
  const { letters = false, ...rest } = props;
  return <Field {...rest} code autocomplete="one-time-code" inputMode={letters ? 'text' : 'numeric'} />;
};

/** A code as it is sent: digits without what people put between them. */
export const bareCode = (typed: string): string =>
  /^[\d\s-]*$/.test(typed) ? typed.replaceAll(/\D/g, '') : typed.trim();
