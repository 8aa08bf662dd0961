import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Called when Escape is pressed. The dialog closes when it is no longer rendered. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Closing it restores the focus. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const previousFocus = useRef(document.activeElement as HTMLElement | null);
  const id = useId();
  // An effect after the paint would leave the focus nowhere until then, and lose keys typed at once.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      // Nothing behind an open modal dialog can have the focus, so the dialog closes first. The focus moves in a microtask: by
      // then Preact has removed the dialog from the page.
      element?.close();
      queueMicrotask(() => previousFocus.current?.focus());
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // At a second Escape browsers close the dialog without a `cancel` event.
      onClose={() => {
        // The `close()` of the effect above causes this event, too, but then the dialog is no longer rendered.
        if (!dialog.current) return;
        onClose();
        // If the dialog is still there after the render, it must stay open.
        setTimeout(() => dialog.current?.showModal());
      }}
    >
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};
