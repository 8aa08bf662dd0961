import { useSignal } from '@preact/signals';
import { accounts, outcome } from '../api.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { bareCode, CodeField, PasswordField } from '../kit/field.tsx';
import { aboutPassword, Form, useForm } from '../kit/form.tsx';
import { Card, Tag } from '../kit/parts.tsx';
import { tell } from '../kit/tell.ts';
import { loadUser, user } from '../session.ts';
import { t } from '../text/language.ts';
import { AccountPage } from './account-page.tsx';
import { Codes } from './codes.tsx';
import { EmailCard } from './email.tsx';
import { a } from './texts.ts';

const WRONG_CODE = { invalid_two_factor_code: 'code', code_required: 'code' } as const;

const PasswordCard = () => {
  const opened = useSignal(false);
  const form = useForm({
    ...aboutPassword('newPassword'),
    ...WRONG_CODE,
    wrong_credentials: 'currentPassword',
    password_required: 'currentPassword',
  });
  const { security, proof } = a();
  return (
    <Card title={security.password}>
      <p class="muted">{security.passwordText}</p>
      {opened.value ? (
        <Form
          state={form}
          onSubmit={async (values) => {
            const verificationCode = bareCode(values('code'));
            const body = {
              currentPassword: values('currentPassword'),
              newPassword: values('newPassword'),
              ...(verificationCode !== '' && { verificationCode }),
            };
            const { problem } = await outcome(accounts.POST('/api/auth/password', { body }));
            if (problem !== undefined) return problem;
            opened.value = false;
            tell(security.passwordChanged);
            return undefined;
          }}
        >
          <PasswordField
            name="currentPassword"
            label={security.current}
            autocomplete="current-password"
            wrong={form.wrong('currentPassword')}
          />
          <PasswordField
            name="newPassword"
            label={security.next}
            autocomplete="new-password"
            hint={security.nextHint}
            wrong={form.wrong('newPassword')}
          />
          {user.value?.twoFactorEnabled ? (
            <CodeField name="code" label={proof.code} wrong={form.wrong('code')} />
          ) : null}
          <div class="row">
            <Button type="submit" busy={form.busy.value && proof.busy}>
              {t().kit.save}
            </Button>
            <a href="/account/forgot">{security.forgot}</a>
          </div>
        </Form>
      ) : (
        <Button
          kind="plain"
          onPress={() => {
            opened.value = true;
          }}
        >
          {security.changePassword}
        </Button>
      )}
    </Card>
  );
};

/** What a code of the second factor is asked for. */
type Asked = 'off' | 'codes';

const SecondFactorOn = () => {
  const asked = useSignal<Asked | null>(null);
  const codes = useSignal<readonly string[] | null>(null);
  const form = useForm(WRONG_CODE);
  const { security, proof } = a();
  const ask = (what: Asked | null) => () => {
    asked.value = what;
  };
  const submit = async (verificationCode: string) => {
    if (asked.value === 'off') {
      const body = { enable: false, verificationCode };
      const { problem } = await outcome(accounts.POST('/api/auth/2fa', { body }));
      if (problem !== undefined) return problem;
      await loadUser();
      tell(security.switchedOff);
      return undefined;
    }
    const { data, problem } = await outcome(
      accounts.POST('/api/auth/2fa/recovery-codes', { body: { verificationCode } }),
    );
    codes.value = data?.recoveryCodes ?? null;
    return problem;
  };
  if (codes.value !== null)
    return (
      <Codes
        codes={codes.value}
        onDone={() => {
          codes.value = null;
          asked.value = null;
        }}
      />
    );
  if (asked.value === null)
    return (
      <div class="row">
        <Button kind="plain" onPress={ask('codes')}>
          {security.newCodes}
        </Button>
        <Button kind="danger" onPress={ask('off')}>
          {security.switchOff}
        </Button>
      </div>
    );
  return (
    <Form state={form} onSubmit={(values) => submit(values('code').trim())}>
      {asked.value === 'codes' ? <p>{security.newCodesText}</p> : null}
      <CodeField name="code" letters label={security.code} wrong={form.wrong('code')} />
      <div class="row">
        <Button
          type="submit"
          kind={asked.value === 'off' ? 'danger' : 'primary'}
          busy={form.busy.value && proof.busy}
        >
          {asked.value === 'off' ? security.switchOff : security.newCodes}
        </Button>
        <Button kind="link" onPress={ask(null)}>
          {t().kit.cancel}
        </Button>
      </div>
    </Form>
  );
};

const SecondFactorCard = () => {
  const { security } = a();
  const isOn = user.value?.twoFactorEnabled ?? false;
  return (
    <Card title={security.second}>
      <div class="row">
        <Tag tone={isOn ? 'good' : 'warn'}>{isOn ? security.on : security.off}</Tag>
        <span class="muted">{security.secondText}</span>
      </div>
      {isOn ? (
        <SecondFactorOn />
      ) : (
        <LinkButton to="/account/security/two-factor">{security.switchOn}</LinkButton>
      )}
    </Card>
  );
};

export const SecurityPage = () => (
  <AccountPage>
    {() => (
      <>
        <PasswordCard />
        <SecondFactorCard />
        <EmailCard />
      </>
    )}
  </AccountPage>
);
