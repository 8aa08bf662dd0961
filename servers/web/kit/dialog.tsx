import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Called when it is closed without an answer: by Escape. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks for something before anything else. The focus goes back to where it was. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const before = useRef(document.activeElement as HTMLElement | null);
  const id = useId();
  // An effect after the paint would leave the focus nowhere until then: somebody who types at once types into nothing.
  useLayoutEffect(() => {
    const own = dialog.current;
    own?.showModal();
    return () => {
      // While it is open nothing else can have the focus.
      own?.close();
      queueMicrotask(() => before.current?.focus());
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
    >
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};
