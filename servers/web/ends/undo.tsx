import { accounts, outcome } from '../api.ts';
import { news } from '../carried.ts';
import { Button } from '../kit/button.tsx';
import { CodeField, Field } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { leaveTo } from '../session.ts';
import { FormPage } from '../start/shell.tsx';
import { t } from '../text/language.ts';

const Undo = () => {
  const form = useForm({ invalid_email: 'email', invalid_code: 'code' });
  const { start } = t();
  const { undo } = t();
  return (
    <>
      <p>{undo.lead}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const body = { email: values('email').trim(), code: values('code').trim() };
          const { problem } = await outcome(accounts.POST('/api/auth/email/undo', { body }));
          if (problem !== undefined) return problem;
          news.value = 'undone';
          leaveTo('/account/sign-in');
          return undefined;
        }}
      >
        <Field
          name="email"
          type="email"
          label={undo.email}
          autocomplete="username"
          wrong={form.wrong('email')}
        />
        <CodeField
          name="code"
          letters
          label={start.code}
          hint={start.reset.codeHint}
          wrong={form.wrong('code')}
        />
        <Button type="submit" whole busy={form.busy.value && start.reset.busy}>
          {undo.act}
        </Button>
      </Form>
    </>
  );
};

/** Takes a change of the email back, by the code that went to the old one. */
export const UndoPage = () => (
  <FormPage>
    <Undo />
  </FormPage>
);
