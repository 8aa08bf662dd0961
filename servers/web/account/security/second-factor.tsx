import { useSignal } from '@preact/signals';
import { loadUser } from '../../auth/arrive-and-sign-out.ts';
import { accounts, outcome } from '../../base/api.ts';
import { CODE_FAULTS } from '../../base/refused-fields.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Card, Tag } from '../../kit/card.tsx';
import { bareCode, CodeField } from '../../kit/field.tsx';
import { Form, Refusal, Submit, saveChange, useForm } from '../../kit/form.tsx';
import { lazyPiece } from '../../kit/load.tsx';
import { Notice } from '../../kit/messages.tsx';
import type { Outcome, Problem } from '../../kit/problem.ts';
import { shownMoment, t } from '../../text/language.ts';
import type { CardProps } from './card-props.ts';
import type { RecoveryCodes } from './recovery-codes.tsx';

type CodePurpose = 'off' | 'codes';

const loadCodes = lazyPiece(() => import('./recovery-codes.tsx'));

/** Sends the request that makes new codes, and shows them. */
type ShowCodes = (
  request: () => Promise<Outcome<{ readonly recoveryCodes?: readonly string[] }>>,
) => Promise<Problem | undefined>;

const SwitchedOn = ({ security: overview, reload, show }: CardProps & { readonly show: ShowCodes }) => {
  const asking = useSignal<CodePurpose | null>(null);
  const form = useForm(CODE_FAULTS);
  const { kit, problems, proof, security } = t();
  const setAsking = (purpose: CodePurpose | null) => {
    form.show(undefined);
    asking.value = purpose;
  };
  const turnsOff = asking.value === 'off';
  // Owners with a passkey may have no app. Once their recovery codes are used, the server asks for a fresh proof instead.
  const takesCode = overview.passkeys.length === 0 || overview.twoFactor.recoveryCodesLeft !== 0;
  const submit = (values: (name: string) => string) => {
    const code = takesCode && { verificationCode: bareCode(values('code')) };
    if (!turnsOff)
      return show(() => outcome(accounts.POST('/api/auth/2fa/recovery-codes', { body: { ...code } })));
    const request = outcome(accounts.POST('/api/auth/2fa', { body: { enable: false, ...code } }));
    // The toast borrows the text of the refusal to turn it off a second time: “Two-factor authentication is off.”
    return saveChange(request, problems.codes.two_factor_off, () => Promise.all([loadUser(), reload()]));
  };
  if (asking.value === null)
    return (
      <div class="row">
        <Button kind="plain" onPress={() => setAsking('codes')}>
          {security.newCodes}
        </Button>
        <Button kind="danger" onPress={() => setAsking('off')}>
          {security.switchOff}
        </Button>
      </div>
    );
  return (
    <Form state={form} onSubmit={submit}>
      {turnsOff ? null : <p>{security.newCodesText}</p>}
      {takesCode ? <CodeField form={form} letters label={proof.code} /> : null}
      <div class="row">
        <Submit
          form={form}
          kind={turnsOff ? 'danger' : 'primary'}
          text={turnsOff ? security.switchOff : security.newCodes}
          busyText={kit.checking}
        />
        <Button kind="link" onPress={() => setAsking(null)}>
          {kit.cancel}
        </Button>
      </div>
    </Form>
  );
};

const SwitchedOff = ({ security: { passkeys }, show }: CardProps & { readonly show: ShowCodes }) => {
  const form = useForm();
  const { security } = t();
  const byPasskey = () =>
    form.run(() => show(() => outcome(accounts.POST('/api/auth/2fa/passkey', { body: { enable: true } }))));
  return (
    <>
      <Refusal state={form} />
      <div class="row">
        <LinkButton to="/account/security/two-factor">{security.switchOn}</LinkButton>
        {passkeys.length === 0 ? null : (
          <Button kind="plain" busy={form.busy.value && t().kit.checking} onPress={byPasskey}>
            {security.byPasskey}
          </Button>
        )}
      </div>
    </>
  );
};

export const SecondFactorCard = (props: CardProps) => {
  const shownCodes = useSignal<{
    readonly codes: readonly string[];
    readonly List: typeof RecoveryCodes;
  } | null>(null);
  const { security, titles } = t();
  const { on, recoveryCodesLeft, heldUntil } = props.security.twoFactor;
  const show: ShowCodes = async (request) => {
    // The component is loaded first: the server sends the codes only once.
    const { data: module, problem } = await loadCodes();
    if (module === undefined) return problem;
    const { data, problem: refused } = await request();
    if (data !== undefined)
      shownCodes.value = { codes: data.recoveryCodes ?? [], List: module.RecoveryCodes };
    return refused;
  };
  const finish = async () => {
    shownCodes.value = null;
    await Promise.all([loadUser(), props.reload()]);
  };
  const actions = on ? <SwitchedOn {...props} show={show} /> : <SwitchedOff {...props} show={show} />;
  return (
    <Card title={titles['/account/security/two-factor']}>
      {/* Not shown beside new codes: the state was read before the server made them. */}
      {shownCodes.value !== null ? null : (
        <div class="row">
          <Tag tone={on ? 'good' : 'warn'}>{on ? security.on : security.off}</Tag>
          <span class="muted">{on ? security.codesLeft(recoveryCodesLeft ?? 0) : security.secondText}</span>
        </div>
      )}
      {heldUntil === null ? null : (
        <Notice tone="warn">{security.held(shownMoment(Date.parse(heldUntil)))}</Notice>
      )}
      {shownCodes.value !== null ? (
        <shownCodes.value.List codes={shownCodes.value.codes} onDone={finish} />
      ) : (
        actions
      )}
    </Card>
  );
};
