import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface TabsProps<Name extends string> {
  readonly names: readonly Name[];
  readonly titleOf: (name: Name) => string;
  readonly shown: Name;
  readonly onShow: (name: Name) => void;
  /** What the shown one holds. */
  readonly children: ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Several contents in one place. By keyboard the row is one stop, in which arrow keys move. */
export const Tabs = <Name extends string>({ names, titleOf, shown, onShow, children }: TabsProps<Name>) => {
  const row = useRef<HTMLDivElement>(null);
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const way = document.dir === 'rtl' ? -step : step;
    const at = (names.indexOf(shown) + way + names.length) % names.length;
    const next = names[at];
    if (next === undefined) return;
    onShow(next);
    const tab = row.current?.children[at];
    if (tab instanceof HTMLElement) tab.focus();
  };
  return (
    <div class="sections">
      <div class="tabs" role="tablist" ref={row} onKeyDown={move}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === shown}
            aria-controls={`${id}-panel`}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => onShow(name)}
          >
            {titleOf(name)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        {children}
      </div>
    </div>
  );
};
