import { accounts, outcome } from '../api.ts';
import { carried } from '../carried.ts';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { go, kept } from '../router.ts';
import { t } from '../text/language.ts';
import { FormPage } from './shell.tsx';

export const Forgot = () => {
  const form = useForm({ invalid_email: 'email' });
  const { start } = t();
  return (
    <FormPage>
      <p>{start.forgot.lead}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const email = values('email').trim();
          const { problem } = await outcome(accounts.POST('/api/auth/password-reset', { body: { email } }));
          if (problem !== undefined) return problem;
          carried.value = { ...carried.value, email };
          go(kept('/account/reset'));
          return undefined;
        }}
      >
        <Field
          name="email"
          type="email"
          label={start.email}
          autocomplete="username"
          value={carried.value.email}
          wrong={form.wrong('email')}
        />
        <Button type="submit" whole busy={form.busy.value && start.forgot.busy}>
          {start.forgot.act}
        </Button>
      </Form>
      <div class="row apart">
        <a href={kept('/account/sign-in')}>{start.forgot.back}</a>
        <a href={kept('/account/reset')}>{start.forgot.haveCode}</a>
      </div>
    </FormPage>
  );
};
