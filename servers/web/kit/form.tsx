import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { words } from '../text/language.ts';
import { Button, type ButtonProps } from './button.tsx';
import { Notice } from './messages.tsx';
import { type Outcome, offline, type Problem, wordsOf } from './problem.ts';
import { showToast } from './toast.ts';

/** The name of the field that a refusal is about, by the refusal's code. */
export type FieldOfCode = Readonly<Record<string, string>>;

/** Shows the refusals of a new password at the field `name`. */
export const passwordFaults = (name: string): FieldOfCode => ({
  password_too_short: name,
  password_too_long: name,
  password_too_common: name,
  password_not_allowed: name,
});

type Work = () => Promise<Problem | undefined>;

/** The state of a form: it ignores presses while work runs, and shows each refusal at its field. */
export const useForm = (fieldOfCode: FieldOfCode = {}) => {
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const ref = useRef<HTMLFormElement>(null);
  /** The work that *Try again* repeats. */
  const latest = useRef<Work | undefined>(undefined);
  /** The first field that was left empty, or has no email where one is due. */
  const invalidField = useRef<string | undefined>(undefined);

  /** The field that the problem is about. The server's `invalid_request` names none, so the browser's check does. */
  const problemField = (): string | undefined => {
    const code = problem.value?.code ?? '';
    return code === 'invalid_request' ? invalidField.current : fieldOfCode[code];
  };

  /** Runs the work unless other work is running, and stores its problem. */
  const run = async (work: Work): Promise<void> => {
    if (busy.value) return;
    latest.current = work;
    invalidField.current = ref.current?.querySelector<HTMLInputElement>('input:invalid')?.name;
    busy.value = true;
    problem.value = undefined;
    try {
      problem.value = await work();
    } catch (error) {
      // A module that the work needs could not be loaded.
      problem.value = offline;
      reportError(error);
    } finally {
      busy.value = false;
    }
    const fieldName = problemField();
    if (fieldName === undefined) return;
    const field = ref.current?.elements.namedItem(fieldName);
    if (field instanceof HTMLElement) field.focus();
  };

  return {
    busy,
    problem,
    /** The element `form`. */
    ref,
    run,
    /** Shows the problem of work outside of the form; undefined clears it. */
    show: (newProblem: Problem | undefined): void => {
      latest.current = undefined;
      problem.value = newProblem;
    },
    /** Returns the function that repeats the failed work; undefined where it cannot succeed. */
    retry: (): (() => Promise<void>) | undefined => {
      const work = latest.current;
      if (work === undefined || !problem.value?.isTemporary) return undefined;
      return () => {
        // The pressed button is about to disappear.
        ref.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
        return run(work);
      };
    },
    errorOf: (name: string): string | undefined =>
      problem.value !== undefined && problemField() === name ? wordsOf(problem.value) : undefined,
    /** The refusal that is about no field. */
    rest: (): Problem | undefined => (problemField() === undefined ? problem.value : undefined),
  };
};

export type FormState = ReturnType<typeof useForm>;

/** Says that a change is done, and reloads. The refusal `alreadyDone` counts as success: the change was made before. */
export const saveChange = async (
  request: Promise<Outcome<unknown>>,
  doneText: string,
  reload: () => Promise<unknown>,
  alreadyDone?: string,
): Promise<Problem | undefined> => {
  const { problem } = await request;
  if (problem !== undefined && problem.code !== alreadyDone) return problem;
  showToast(doneText);
  await reload();
  return undefined;
};

export const Submit = ({
  form,
  text,
  busyText,
  ...rest
}: Pick<ButtonProps, 'kind' | 'fullWidth'> & {
  readonly form: FormState;
  readonly text: string;
  readonly busyText: string;
}) => (
  <Button {...rest} type="submit" busy={form.busy.value && busyText}>
    {text}
  </Button>
);

interface FormProps {
  readonly state: FormState;
  /** Gets the values of the fields by name. */
  readonly onSubmit: (values: (name: string) => string) => Promise<Problem | undefined>;
  readonly children: ComponentChildren;
  /** Replaces the text of a refusal. */
  readonly explain?: ((problem: Problem) => ComponentChildren | undefined) | undefined;
}

export const Refusal = ({ state, explain }: Pick<FormProps, 'state' | 'explain'>) => {
  const problem = state.rest();
  if (problem === undefined) return null;
  const retry = state.retry();
  return (
    <Notice tone="danger">
      {explain?.(problem) ?? <p>{wordsOf(problem)}</p>}
      {retry === undefined ? null : (
        <Button kind="link" onPress={retry}>
          {words().kit.tryAgain}
        </Button>
      )}
    </Notice>
  );
};

export const Form = ({ state, onSubmit, children, explain }: FormProps) => (
  <form
    ref={state.ref}
    class="stack"
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      const form = event.currentTarget;
      // Read again at each attempt: the typed values may have changed.
      void state.run(() => {
        const values = new FormData(form);
        return onSubmit((name) => String(values.get(name) ?? ''));
      });
    }}
  >
    <Refusal state={state} explain={explain} />
    {children}
  </form>
);
