import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { UserText } from '../kit/user-text.tsx';
import { c } from './text.ts';

/** Characters that fit into three lines of the narrowest column. */
const SHORT = 60;

/** A word that is longer than most columns, such as a hash. */
const LONG_WORD = /\S{33}/;

/** A text that may be too long for its place. */
const Long = ({ text }: { readonly text: string }) => {
  const isOpen = useSignal(false);
  const isCut = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const { more, less } = c().frame;
  const closedClass = /\s/.test(text) ? 'text folded' : 'text cut';
  // How much fits is known by the layout alone, which changes with the window. An open text fits, but keeps its button.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = current;
      if (!isOpen.peek()) isCut.value = scrollHeight > clientHeight || scrollWidth > clientWidth;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [text]);
  return (
    <>
      <div ref={box} class={isOpen.value ? 'text' : closedClass}>
        <UserText text={text} />
      </div>
      {isCut.value ? (
        <Button
          kind="link"
          expanded={isOpen.value}
          onPress={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? less : more}
        </Button>
      ) : null}
    </>
  );
};

/** A user's text, folded after three lines until somebody unfolds it; a single long word after one. */
export const Folded = ({ text }: { readonly text: string }) =>
  text.length > SHORT || LONG_WORD.test(text) ? <Long text={text} /> : <UserText text={text} />;
