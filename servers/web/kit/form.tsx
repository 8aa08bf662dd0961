import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { offline, type Problem, wordsOf } from '../api.ts';
import { Notice } from './parts.tsx';

/** The field that a refusal is about, by its code. */
export type Places = Readonly<Record<string, string>>;

/** The refusals that are about the new password. */
export const aboutPassword = (name: string): Places =>
  Object.fromEntries(
    ['short', 'long', 'common']
      .map((word) => [`password_too_${word}`, name])
      .concat([['password_not_allowed', name]]),
  );

/** The state of a form: it takes no second press while one runs, and shows each refusal where it belongs. */
export const useForm = (places: Places = {}) => {
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const form = useRef<HTMLFormElement>(null);

  const place = () => (problem.value === undefined ? undefined : places[problem.value.code]);

  /** Runs the work unless some is running, and keeps the problem that it gives. */
  const run = async (work: () => Promise<Problem | undefined>): Promise<void> => {
    if (busy.value) return;
    busy.value = true;
    problem.value = undefined;
    try {
      problem.value = await work();
    } catch (error) {
      // What the work needs could not be loaded.
      problem.value = offline;
      throw error;
    } finally {
      busy.value = false;
    }
    const wrong = place();
    if (wrong === undefined) return;
    const field = form.current?.elements.namedItem(wrong);
    if (field instanceof HTMLElement) field.focus();
  };

  return {
    busy,
    problem,
    form,
    run,
    /** What is wrong with a field. */
    wrong: (name: string): string | undefined =>
      problem.value !== undefined && place() === name ? wordsOf(problem.value) : undefined,
    /** The refusal that is about no field. */
    rest: (): Problem | undefined => (place() === undefined ? problem.value : undefined),
  };
};

export type FormState = ReturnType<typeof useForm>;

interface FormProps {
  readonly state: FormState;
  /** Gets what the fields hold, by name. */
  readonly onSubmit: (values: (name: string) => string) => Promise<Problem | undefined>;
  readonly children: ComponentChildren;
  /** In place of the words of a refusal. */
  readonly explain?: (problem: Problem) => ComponentChildren | undefined;
}

const textIn = (values: FormData, name: string): string => {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
};

/** The refusal that is about no field. */
export const Refusal = ({ state, explain }: Pick<FormProps, 'state' | 'explain'>) => {
  const problem = state.rest();
  return problem === undefined ? null : (
    <Notice tone="danger">{explain?.(problem) ?? wordsOf(problem)}</Notice>
  );
};

export const Form = ({ state, onSubmit, children, explain }: FormProps) => (
  <form
    ref={state.form}
    class="stack"
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      const values = new FormData(event.currentTarget);
      void state.run(() => onSubmit((name) => textIn(values, name)));
    }}
  >
    <Refusal state={state} {...(explain !== undefined && { explain })} />
    {children}
  </form>
);
