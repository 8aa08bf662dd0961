import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { bareCode, CodeField } from '../../kit/field.tsx';
import { Form, useForm } from '../../kit/form.tsx';
import { problem, wordsOf } from '../../kit/problem.ts';
import { t } from '../../text/language.ts';

export interface ProofCodeProps {
  readonly wasWrong: boolean;
  readonly answer: (code: string) => void;
}

/** Asks for the code of the second factor, for a proof by a provider. */
export const ProofCode = ({ wasWrong, answer }: ProofCodeProps) => {
  const form = useForm();
  /** The answered question. The next question is another function. */
  const answeredQuestion = useSignal<ProofCodeProps['answer'] | undefined>(undefined);
  const { kit, proof } = t();
  useEffect(() => {
    const field = form.form.current?.elements.namedItem('code');
    if (wasWrong && field instanceof HTMLElement) field.focus();
  }, [answer]);
  return (
    <Form
      state={form}
      onSubmit={async (values) => {
        answeredQuestion.value = answer;
        answer(bareCode(values('code')));
        return undefined;
      }}
    >
      <p>{proof.text}</p>
      <CodeField
        name="code"
        letters
        label={proof.code}
        error={wasWrong ? wordsOf(problem('invalid_two_factor_code')) : undefined}
      />
      <Button type="submit" fullWidth busy={answeredQuestion.value === answer && kit.checking}>
        {proof.button}
      </Button>
    </Form>
  );
};
