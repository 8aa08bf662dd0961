import { accounts, outcome } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { bareCode, CodeField, Field, PasswordField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { Card, Notice } from '../kit/parts.tsx';
import { leaveTo, user } from '../session.ts';
import { news } from '../start/carried.ts';
import { AccountPage } from './account-page.tsx';
import { a } from './texts.ts';

/** A refusal of the page itself, before anything is sent. */
const MISMATCH = { code: 'mismatch', message: '', until: 0, details: {} } as const;

const Delete = () => {
  const form = useForm({
    wrong_credentials: 'password',
    password_required: 'password',
    invalid_two_factor_code: 'code',
    code_required: 'code',
    mismatch: 'email',
  });
  const { remove } = a();
  const email = user.value?.email ?? '';
  return (
    <Card>
      <Notice tone="danger">{remove.lead}</Notice>
      <ul>
        {remove.list.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      <Form
        state={form}
        onSubmit={async (values) => {
          if (values('email').trim().toLowerCase() !== email.toLowerCase())
            return { ...MISMATCH, message: remove.mismatch };
          const verificationCode = bareCode(values('code'));
          const body = { password: values('password'), ...(verificationCode !== '' && { verificationCode }) };
          const { problem } = await outcome(accounts.POST('/api/auth/delete-account', { body }));
          if (problem !== undefined) return problem;
          news.value = 'deleted';
          leaveTo('/account/sign-in');
          return undefined;
        }}
      >
        <Field
          name="email"
          type="email"
          autocomplete="off"
          label={remove.type(email)}
          wrong={form.wrong('email')}
        />
        <PasswordField
          name="password"
          autocomplete="current-password"
          label={remove.password}
          wrong={form.wrong('password')}
        />
        {user.value?.twoFactorEnabled ? (
          <CodeField name="code" label={remove.code} wrong={form.wrong('code')} />
        ) : null}
        <Button type="submit" kind="danger" busy={form.busy.value && remove.busy}>
          {remove.act}
        </Button>
      </Form>
    </Card>
  );
};

export const DeletePage = () => <AccountPage>{() => <Delete />}</AccountPage>;
