import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';

interface MenuProps {
  readonly text: ComponentChildren;
  readonly kind?: NonNullable<ButtonProps['kind']>;
  /** `close` closes the list and moves the focus to the button. */
  readonly children: (close: () => void) => ComponentChildren;
}

/**
 * The state of a list that the first button in the element `menu` opens. Escape closes it, and so does a press or the focus
 * elsewhere.
 */
export const useMenu = () => {
  const isOpen = useSignal(false);
  const menu = useRef<HTMLDivElement>(null);
  const close = () => {
    isOpen.value = false;
    menu.current?.querySelector('button')?.focus();
  };
  // An effect after the paint would miss keys that are pressed at once.
  useLayoutEffect(() => {
    if (!isOpen.value) return undefined;
    const onEvent = (event: Event) => {
      if (event instanceof KeyboardEvent) {
        if (event.key === 'Escape') close();
      } else if (!(event.target instanceof Node && menu.current?.contains(event.target)))
        isOpen.value = false;
    };
    const types = ['keydown', 'pointerdown', 'focusin'];
    for (const type of types) addEventListener(type, onEvent);
    return () => {
      for (const type of types) removeEventListener(type, onEvent);
    };
  }, [isOpen.value]);
  return { isOpen, menu, close };
};

/** A button that opens a list below itself. */
export const Menu = ({ text, kind = 'plain', children }: MenuProps) => {
  const { isOpen, menu, close } = useMenu();
  return (
    <div class="menu" ref={menu}>
      <Button
        kind={kind}
        expanded={isOpen.value}
        onPress={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {text} <span aria-hidden="true">▾</span>
      </Button>
      {isOpen.value ? <div class="menu-list">{children(close)}</div> : null}
    </div>
  );
};
