import type { ComponentChildren } from 'preact';
import { link } from './link.ts';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'plain' | 'danger' | 'link' | 'quiet';
  readonly type?: 'submit' | 'button';
  /** The text while the work runs. The button then takes no press. */
  readonly busy?: string | false | undefined;
  /** As wide as the form. */
  readonly whole?: boolean;
  readonly label?: string;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly onPress?: () => unknown;
}

const classOf = (kind: string, whole: boolean) =>
  ['button', kind === 'primary' ? '' : kind, whole ? 'whole' : ''].filter((word) => word !== '').join(' ');

export const Button = ({
  children,
  kind = 'primary',
  type = 'button',
  busy = false,
  whole = false,
  label,
  pressed,
  disabled = false,
  onPress,
}: ButtonProps) => {
  const stopped = disabled || busy !== false;
  return (
    <button
      type={type}
      class={classOf(kind, whole)}
      aria-disabled={stopped || undefined}
      aria-label={label}
      aria-pressed={pressed}
      onClick={(event) => {
        if (stopped) event.preventDefault();
        else onPress?.();
      }}
    >
      {busy === false ? children : busy}
    </button>
  );
};

/** A link that looks like a button. */
export const LinkButton = ({
  to,
  children,
  kind = 'primary',
  whole = false,
}: Pick<ButtonProps, 'children' | 'kind' | 'whole'> & { readonly to: string }) => (
  <a href={link(to)} class={classOf(kind, whole)}>
    {children}
  </a>
);
