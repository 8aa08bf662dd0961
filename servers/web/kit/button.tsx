import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { words } from '../text/language.ts';
import { link } from './link.ts';
import { showToast } from './toast.ts';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'plain' | 'danger' | 'link' | 'quiet';
  readonly type?: 'submit' | 'button';
  /** The text while the work runs; the button is disabled then. */
  readonly busy?: string | false | undefined;
  readonly fullWidth?: boolean;
  readonly label?: string | undefined;
  /** For a button that folds content: true while the content is shown. */
  readonly expanded?: boolean;
  readonly disabled?: boolean;
  readonly onPress?: () => unknown;
}

const classOf = (kind: string, fullWidth: boolean, isBusy = false) =>
  ['button', kind !== 'primary' && kind, fullWidth && 'whole', isBusy && 'busy'].filter(Boolean).join(' ');

export const Button = ({
  children,
  kind = 'primary',
  type = 'button',
  busy = false,
  fullWidth = false,
  label,
  expanded,
  disabled = false,
  onPress,
}: ButtonProps) => {
  // `aria-disabled` alone: `disabled` would take the focus from the button.
  const stopped = disabled || busy !== false;
  return (
    <button
      type={type}
      class={classOf(kind, fullWidth, busy !== false)}
      aria-disabled={stopped || undefined}
      aria-label={label}
      aria-expanded={expanded}
      onClick={(event) => {
        if (stopped) event.preventDefault();
        else onPress?.();
      }}
    >
      {busy === false ? children : busy}
    </button>
  );
};

interface BusyButtonProps extends Pick<ButtonProps, 'kind'> {
  readonly text: string;
  readonly busyText?: string;
  readonly onPress: () => Promise<unknown>;
}

/** A button that is disabled until its work has ended. */
export const BusyButton = ({ text, busyText = text, onPress, ...rest }: BusyButtonProps) => {
  const busy = useSignal(false);
  const press = async () => {
    busy.value = true;
    try {
      await onPress();
    } finally {
      busy.value = false;
    }
  };
  return (
    <Button {...rest} busy={busy.value && busyText} onPress={press}>
      {text}
    </Button>
  );
};

export const LinkButton = ({
  to,
  children,
  kind = 'primary',
  fullWidth = false,
}: Pick<ButtonProps, 'children' | 'kind' | 'fullWidth'> & { readonly to: string }) => (
  <a href={link(to)} class={classOf(kind, fullWidth)}>
    {children}
  </a>
);

/** The button that copied last: the clipboard holds one text. */
const copiedBy = signal<object | null>(null);

/** Returns whether this button copied last, and the function that copies the text and announces *Copied* to screen readers. */
export const useCopy = (text: string) => {
  // The ref holds no element: `copiedBy` tells the buttons apart by these objects.
  const button = useRef(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      copiedBy.value = button;
      showToast(words().kit.copied);
    } catch {
      // The browser or its user denies the clipboard.
      showToast(words().kit.notCopied, 'warn');
    }
  };
  return [copiedBy.value === button, copy] as const;
};

/** Browsers have no clipboard over plain http. */
export const canCopy = (): boolean => 'clipboard' in navigator;

export const Copy = ({ text }: { readonly text: string }) => {
  const [copied, copy] = useCopy(text);
  if (!canCopy()) return null;
  return (
    <Button kind="plain" onPress={copy}>
      {copied ? words().kit.copied : words().kit.copy}
    </Button>
  );
};
