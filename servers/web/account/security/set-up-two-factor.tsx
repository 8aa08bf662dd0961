import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { AccountsSchemas } from '../../../client/index.ts';
import { loadUser } from '../../auth/arrive-and-sign-out.ts';
import { accounts, outcome } from '../../base/api.ts';
import { CODE_FAULTS } from '../../base/refused-fields.ts';
import { go } from '../../base/router.ts';
import { user } from '../../base/session.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { CopyIcon } from '../../kit/copy-icon.tsx';
import { bareCode, CodeField } from '../../kit/field.tsx';
import { Form, Refusal, Submit, useForm } from '../../kit/form.tsx';
import { Load } from '../../kit/load.tsx';
import { Notice } from '../../kit/messages.tsx';
import { makeProblem, type Outcome } from '../../kit/problem.ts';
import { t } from '../../text/language.ts';
import { AccountPage } from '../account-page.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

type PendingSetup = AccountsSchemas['TwoFactorSetup'];

const begin = async (): Promise<Outcome<PendingSetup>> => {
  const { data, problem: refused } = await outcome(
    accounts.POST('/api/auth/2fa', { body: { enable: true } }),
  );
  if (data !== undefined && 'secret' in data) return { data };
  return { problem: refused ?? makeProblem('unexpected') };
};

const Steps = ({ at }: { readonly at: number }) => (
  <ol class="steps no-print">
    {t().setup.steps.map((name, place) => (
      <li key={name} class={place < at ? 'done' : ''} aria-current={place === at ? 'step' : undefined}>
        {name}
      </li>
    ))}
  </ol>
);

const Scan = ({ pending, onNext }: { readonly pending: PendingSetup; readonly onNext: () => void }) => {
  const { setup } = t();
  return (
    <>
      <p>{setup.scan}</p>
      <div class="scan">
        <img class="qr" src={pending.qrCode} alt={setup.qr} />
        <div>
          <p class="muted small">{setup.key}</p>
          <p class="with-icon">
            <code>{pending.manualEntryKey}</code>
            <CopyIcon text={pending.secret} />
          </p>
        </div>
      </div>
      <Button onPress={onNext}>{t().kit.next}</Button>
    </>
  );
};

interface SetupProps {
  readonly pending: PendingSetup;
  readonly reload: () => Promise<void>;
}

const Setup = ({ pending, reload }: SetupProps) => {
  /** 0: scan the key, 1: enter a code, 2: save the recovery codes. */
  const step = useSignal(0);
  const codes = useSignal<readonly string[]>([]);
  const form = useForm(CODE_FAULTS);
  const { setup } = t();
  return (
    <Card>
      <Steps at={step.value} />
      {step.value !== 0 ? null : (
        <>
          <Refusal state={form} />
          <Scan
            pending={pending}
            onNext={() => {
              form.show(undefined);
              step.value = 1;
            }}
          />
        </>
      )}
      {step.value !== 1 ? null : (
        <Form
          state={form}
          onSubmit={async (values) => {
            const body = { enable: true, secret: pending.secret, verificationCode: bareCode(values('code')) };
            const { data, problem: refusal } = await outcome(accounts.POST('/api/auth/2fa', { body }));
            if (refusal?.code === 'two_factor_not_pending') {
              // The key has expired: the person scans a new one.
              await reload();
              step.value = 0;
            }
            if (data === undefined || !('success' in data)) return refusal;
            codes.value = data.recoveryCodes ?? [];
            step.value = 2;
            return undefined;
          }}
        >
          <CodeField form={form} label={setup.code} isFirst />
          <div class="row">
            <Submit form={form} text={t().kit.next} busyText={t().kit.checking} />
            <Button
              kind="link"
              onPress={() => {
                form.show(undefined);
                step.value = 0;
              }}
            >
              {setup.previous}
            </Button>
          </div>
        </Form>
      )}
      {step.value !== 2 ? null : (
        <RecoveryCodes
          codes={codes.value}
          onDone={async () => {
            await loadUser();
            go('/account/security');
          }}
        />
      )}
    </Card>
  );
};

const IsOn = () => (
  <Card>
    <Notice tone="good">{t().problems.codes.two_factor_on}</Notice>
    <LinkButton to="/account/security" kind="plain">
      {t().account.toSecurity}
    </LinkButton>
  </Card>
);

const SetupOrOn = () => {
  // Read when the page is opened: while it shows the codes, the account already has its second factor.
  const wasOn = useRef(user.peek()?.twoFactorEnabled).current;
  return wasOn ? (
    <IsOn />
  ) : (
    <Load request={begin}>{(pending, reload) => <Setup pending={pending} reload={reload} />}</Load>
  );
};

export const SetupPage = () => (
  <AccountPage>
    <SetupOrOn />
  </AccountPage>
);
