import { useSignal } from '@preact/signals';
import type { AccountsSchemas } from '../../client/index.ts';
import { accounts, type Outcome, outcome, problem } from '../api.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { bareCode, CodeField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { Load } from '../kit/load.tsx';
import { Card, Copy, Notice } from '../kit/parts.tsx';
import { go } from '../router.ts';
import { loadUser, user } from '../session.ts';
import { AccountPage } from '../settings/account-page.tsx';
import { t } from '../text/language.ts';
import { Codes } from './codes.tsx';

type Begun = AccountsSchemas['TwoFactorSetup'];

const begin = async (): Promise<Outcome<Begun>> => {
  const { data, problem: refused } = await outcome(
    accounts.POST('/api/auth/2fa', { body: { enable: true } }),
  );
  if (data !== undefined && 'secret' in data) return { data };
  return { problem: refused ?? problem('unexpected') };
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

const Scan = ({ begun, onNext }: { readonly begun: Begun; readonly onNext: () => void }) => {
  const { setup } = t();
  return (
    <>
      <p>{setup.scan}</p>
      <img class="qr" src={begun.qrCode} alt={setup.qr} />
      <div>
        <p class="muted small">{setup.key}</p>
        <p>
          <code>{begun.manualEntryKey}</code>
        </p>
      </div>
      <div class="row">
        <Button onPress={onNext}>{setup.next}</Button>
        <Copy text={begun.secret} />
      </div>
    </>
  );
};

const Setup = ({ begun }: { readonly begun: Begun }) => {
  const step = useSignal(0);
  const codes = useSignal<readonly string[]>([]);
  const form = useForm({ invalid_two_factor_code: 'code', code_required: 'code' });
  const { setup } = t();
  return (
    <Card>
      <Steps at={step.value} />
      {step.value !== 0 ? null : (
        <Scan
          begun={begun}
          onNext={() => {
            step.value = 1;
          }}
        />
      )}
      {step.value !== 1 ? null : (
        <Form
          state={form}
          onSubmit={async (values) => {
            const body = { enable: true, secret: begun.secret, verificationCode: bareCode(values('code')) };
            const { data, problem: wrong } = await outcome(accounts.POST('/api/auth/2fa', { body }));
            if (data === undefined || !('success' in data)) return wrong;
            codes.value = data.recoveryCodes ?? [];
            step.value = 2;
            return undefined;
          }}
        >
          <CodeField name="code" label={setup.code} wrong={form.wrong('code')} />
          <Button type="submit" busy={form.busy.value && t().proof.busy}>
            {setup.next}
          </Button>
        </Form>
      )}
      {step.value !== 2 ? null : (
        <Codes
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
    <Notice tone="good">{t().setup.on}</Notice>
    <LinkButton to="/account/security" kind="plain">
      {t().setup.back}
    </LinkButton>
  </Card>
);

export const SetupPage = () => (
  <AccountPage>
    {() =>
      user.peek()?.twoFactorEnabled ? (
        <IsOn />
      ) : (
        <Load from={begin}>{(begun) => <Setup begun={begun} />}</Load>
      )
    }
  </AccountPage>
);
