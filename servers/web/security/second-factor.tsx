import { useSignal } from '@preact/signals';
import { accounts, outcome } from '../api.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { bareCode, CodeField } from '../kit/field.tsx';
import { Form, Refusal, useForm } from '../kit/form.tsx';
import { Card, Notice, Tag } from '../kit/parts.tsx';
import { tell } from '../kit/tell.ts';
import { loadUser } from '../session.ts';
import { shownMoment, t } from '../text/language.ts';
import type { CardProps } from './card.ts';
import { Codes } from './codes.tsx';

/** What a code of the second factor is asked for. */
type Asked = 'off' | 'codes';

type ShowCodes = (codes: readonly string[]) => void;

const On = ({ again, show }: Pick<CardProps, 'again'> & { readonly show: ShowCodes }) => {
  const asked = useSignal<Asked | null>(null);
  const form = useForm({ invalid_two_factor_code: 'code', code_required: 'code' });
  const { security, proof } = t();
  const ask = (what: Asked | null) => () => {
    form.problem.value = undefined;
    asked.value = what;
  };
  const switchOff = async (verificationCode: string) => {
    const body = { enable: false, verificationCode };
    const { problem } = await outcome(accounts.POST('/api/auth/2fa', { body }));
    if (problem !== undefined) return problem;
    tell(security.switchedOff);
    await Promise.all([loadUser(), again()]);
    return undefined;
  };
  const makeCodes = async (verificationCode: string) => {
    const body = { verificationCode };
    const { data, problem } = await outcome(accounts.POST('/api/auth/2fa/recovery-codes', { body }));
    if (data !== undefined) show(data.recoveryCodes);
    return problem;
  };
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
  const isOff = asked.value === 'off';
  return (
    <Form state={form} onSubmit={(values) => (isOff ? switchOff : makeCodes)(bareCode(values('code')))}>
      {isOff ? null : <p>{security.newCodesText}</p>}
      <CodeField name="code" letters label={security.code} wrong={form.wrong('code')} />
      <div class="row">
        <Button type="submit" kind={isOff ? 'danger' : 'primary'} busy={form.busy.value && proof.busy}>
          {isOff ? security.switchOff : security.newCodes}
        </Button>
        <Button kind="link" onPress={ask(null)}>
          {t().kit.cancel}
        </Button>
      </div>
    </Form>
  );
};

const Off = ({ security: { passkeys }, show }: CardProps & { readonly show: ShowCodes }) => {
  const form = useForm();
  const { security } = t();
  const byPasskey = () =>
    form.run(async () => {
      const { data, problem } = await outcome(
        accounts.POST('/api/auth/2fa/passkey', { body: { enable: true } }),
      );
      if (data !== undefined) show(data.recoveryCodes ?? []);
      return problem;
    });
  return (
    <>
      <Refusal state={form} />
      <div class="row">
        <LinkButton to="/account/security/two-factor">{security.switchOn}</LinkButton>
        {passkeys.length === 0 ? null : (
          <Button kind="plain" busy={form.busy.value && t().proof.busy} onPress={byPasskey}>
            {security.byPasskey}
          </Button>
        )}
      </div>
    </>
  );
};

/** The second factor: on or off, and the codes for who loses it. */
export const SecondFactorCard = (props: CardProps) => {
  const codes = useSignal<readonly string[] | null>(null);
  const { security } = t();
  const { on, recoveryCodesLeft, heldUntil } = props.security.twoFactor;
  const show: ShowCodes = (made) => {
    codes.value = made;
  };
  const finish = async () => {
    codes.value = null;
    await Promise.all([loadUser(), props.again()]);
  };
  return (
    <Card title={security.second}>
      <div class="row">
        <Tag tone={on ? 'good' : 'warn'}>{on ? security.on : security.off}</Tag>
        <span class="muted">{on ? security.codesLeft(recoveryCodesLeft ?? 0) : security.secondText}</span>
      </div>
      {heldUntil === null ? null : (
        <Notice tone="warn">{security.held(shownMoment(Date.parse(heldUntil)))}</Notice>
      )}
      {codes.value !== null ? (
        <Codes codes={codes.value} onDone={finish} />
      ) : on ? (
        <On again={props.again} show={show} />
      ) : (
        <Off {...props} show={show} />
      )}
    </Card>
  );
};
