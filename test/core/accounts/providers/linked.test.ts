import { expect } from 'chai';
import type { CoreError } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { person, provider } from '../../../support/scripted-providers.ts';
import { password } from '../admin/open-operated.ts';
import { caller } from '../open-core.ts';
import { linkTokenOf, newHalf, openTravel, REDIRECT, STATE, type Travel, tokenOf } from './provider-flow.ts';

const EMAIL = 'grace@example.com';

const setOut = (half: { readonly challenge: string }) => ({
  redirectUri: REDIRECT,
  challenge: half.challenge,
  state: STATE,
});

const linkIn = async (
  opened: Travel,
  who: Awaited<ReturnType<Travel['accounts']['authenticate']>>,
  said = person(),
) => {
  const half = newHalf();
  const { ticket } = await opened.providers.beginLink(who, 'example', setOut(half), caller);
  const { code, verifier } = await opened.travel(said, half, ticket);
  return opened.providers.confirmLink(who, { code, verifier }, caller);
};

describe('An identity of an account', () => {
  it('is linked by a trip of the session, told by mail, logged, and opens the account', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.register(EMAIL);
    const { oauthAccounts } = await linkIn(opened, await who());
    expect(oauthAccounts).to.have.length(1);
    expect(oauthAccounts[0]).to.deep.include({ provider: 'example', providerAccountId: 'subject-1' });
    expect((await opened.mailTo(EMAIL))?.subject).to.include('Example ID');
    expect(await opened.rowsAbout(id)).to.deep.equal(['identity.linked']);
    expect((await opened.accounts.authenticate(tokenOf(await opened.signIn()))).user.id).to.equal(id);
  });

  it('needs a fresh proof to be added or removed (A13)', async () => {
    const opened = await openTravel();
    const { who } = await opened.register(EMAIL);
    await linkIn(opened, await who());
    const half = newHalf();
    const { ticket } = await opened.providers.beginLink(await who(), 'example', setOut(half), caller);
    expect(ticket).to.be.a('string');
    opened.pass(601_000);
    const [one] = (await who()).user.oauthAccounts;
    for (const call of [
      async () => opened.providers.beginLink(await who(), 'example', setOut(half), caller),
      async () =>
        opened.providers.unlink(await who(), one ?? { provider: '', providerAccountId: '' }, caller),
      async () => opened.providers.confirmLink(await who(), { linkToken: 'any' }, caller),
    ])
      expect(await rejectionOf(call)).to.include({ code: 'fresh_authentication_needed' });
  });

  it('is linked by the session of the ticket alone, and by a trip that was made to link (A6)', async () => {
    const opened = await openTravel();
    const [one, other] = [await opened.register(EMAIL), await opened.register('eve@example.com')];
    const half = newHalf();
    const { ticket } = await opened.providers.beginLink(await one.who(), 'example', setOut(half), caller);
    const { code, verifier } = await opened.travel(person(), half, ticket);
    expect(
      await rejectionOf(async () =>
        opened.providers.confirmLink(await other.who(), { code, verifier }, caller),
      ),
    ).to.include({ code: 'invalid_flow' });
    const login = await opened.travel(person());
    expect(
      await rejectionOf(async () => opened.providers.confirmLink(await one.who(), login, caller)),
    ).to.include({ code: 'invalid_flow' });
    const again = await opened.providers.beginLink(await one.who(), 'example', setOut(half), caller);
    const back = await opened.travel(person(), half, again.ticket);
    expect(await rejectionOf(() => opened.providers.exchange(back, caller))).to.include({
      code: 'invalid_flow',
    });
  });

  it('is begun by a ticket once, within a minute, at its provider (A9)', async () => {
    const opened = await openTravel([provider(), provider({ id: 'other' })]);
    const { who } = await opened.register(EMAIL);
    const ticketOf = async () =>
      (await opened.providers.beginLink(await who(), 'example', setOut(newHalf()), caller)).ticket;
    const used = await ticketOf();
    await opened.providers.begin('example', { ticket: used });
    const elsewhere = await ticketOf();
    const late = await ticketOf();
    const refused = async (id: string, ticket: string) =>
      expect(await rejectionOf(() => opened.providers.begin(id, { ticket }))).to.include({
        code: 'invalid_ticket',
      });
    await refused('example', used);
    await refused('other', elsewhere);
    await refused('example', 'made up');
    opened.pass(60_001);
    await refused('example', late);
  });

  it('is not linked by the trip of a ticket that was used a second time, before its answer or after it', async () => {
    for (const secondUse of ['before the answer', 'after the answer', 'a minute later']) {
      const opened = await openTravel();
      const { who } = await opened.register(EMAIL);
      const half = newHalf();
      const { ticket } = await opened.providers.beginLink(await who(), 'example', setOut(half), caller);
      const useAgain = async () =>
        expect(await rejectionOf(() => opened.providers.begin('example', { ticket }))).to.include({
          code: 'invalid_ticket',
        });
      const { location, keep } = await opened.providers.begin('example', { ticket });
      if (secondUse === 'before the answer') await useAgain();
      if (secondUse === 'a minute later') opened.pass(60_001);
      const parameters = [
        ['state', new URL(location).searchParams.get('state') ?? ''] as const,
        ['code', opened.scripted.script(person())] as const,
      ];
      const answer = () =>
        opened.providers.answer('example', { parameters, kept: keep?.value ?? '' }, caller);
      if (secondUse === 'before the answer') {
        expect(await rejectionOf(answer)).to.include({ code: 'flow_lost' });
      } else {
        const { searchParams } = new URL((await answer()).location);
        await useAgain();
        const code = searchParams.get('code') ?? '';
        const { verifier } = half;
        expect(
          await rejectionOf(async () =>
            opened.providers.confirmLink(await who(), { code, verifier }, caller),
          ),
          secondUse,
        ).to.include({ code: 'invalid_flow' });
      }
      expect((await who()).user.oauthAccounts).to.deep.equal([]);
      expect(opened.lines.map(({ event }) => event)).to.include('oidc.ticket_used_again');
    }
  });

  it('belongs to one account alone (A12)', async () => {
    const opened = await openTravel();
    const [one, other] = [await opened.register(EMAIL), await opened.register('eve@example.com')];
    await linkIn(opened, await one.who());
    expect(await rejectionOf(async () => linkIn(opened, await other.who()))).to.include({
      kind: 'conflict',
      code: 'identity_taken',
    });
    await opened.providers.unlink(
      await one.who(),
      { provider: 'example', providerAccountId: 'subject-1' },
      caller,
    );
    await opened.settle();
    expect((await linkIn(opened, await other.who())).oauthAccounts).to.have.length(1);
  });

  it('that was imported is bound by linking, and stands once', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.register(EMAIL);
    const account = await opened.ports.accounts.find(id);
    if (account === undefined) throw new Error('It is gone.');
    const imported = {
      provider: 'example',
      providerAccountId: 'subject-1',
      email: null,
      createdAt: '2020-01-01',
    };
    await opened.ports.accounts.save({ ...account, oauthAccounts: [imported] });
    expect((await linkIn(opened, await who())).oauthAccounts).to.have.length(1);
  });

  it('that takes the name of one at a former issuer is the only one of the two that opens the account', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.register(EMAIL);
    await linkIn(opened, await who(), person({ issuer: 'https://former.example' }));
    expect((await linkIn(opened, await who())).oauthAccounts).to.have.length(1);
    await opened.settle();
    expect((await opened.ports.accounts.find(id))?.loginKeys).to.have.length(1);
    const former = person({ issuer: 'https://former.example', email: null });
    expect(await opened.signIn(former)).to.include({ requiresEmail: true });
    expect((await opened.accounts.authenticate(tokenOf(await opened.signIn()))).user.id).to.equal(id);
  });

  it('is refused beyond twenty', async () => {
    const opened = await openTravel([provider()], undefined, { identitiesPerUser: 2 });
    const { who } = await opened.register(EMAIL);
    const half = newHalf();
    const { ticket } = await opened.providers.beginLink(await who(), 'example', setOut(half), caller);
    for (const subject of ['1', '2']) await linkIn(opened, await who(), person({ subject }));
    expect(
      await rejectionOf(async () => opened.providers.beginLink(await who(), 'example', setOut(half), caller)),
    ).to.include({ code: 'too_many_identities' });
    const { code, verifier } = await opened.travel(person({ subject: '3' }), half, ticket);
    expect(
      await rejectionOf(async () => opened.providers.confirmLink(await who(), { code, verifier }, caller)),
    ).to.include({ code: 'too_many_identities' });
  });

  it('is kept while it is the last way to sign in', async () => {
    const opened = await openTravel();
    const who = await opened.accounts.authenticate(tokenOf(await opened.signIn()));
    const name = { provider: 'example', providerAccountId: 'subject-1' };
    expect(await rejectionOf(() => opened.providers.unlink(who, name, caller))).to.include({
      kind: 'conflict',
      code: 'last_sign_in_method',
    });
    await opened.accounts.changePassword(who, { newPassword: password }, caller);
    const again = await opened.accounts.logIn({ email: 'ada@example.com', password }, caller);
    const owner = await opened.accounts.authenticate(tokenOf(again));
    expect(await opened.providers.unlink(owner, name, caller)).to.deep.equal({ oauthAccounts: [] });
    expect(await rejectionOf(() => opened.providers.unlink(owner, name, caller))).to.include({
      code: 'identity_not_found',
    });
    await opened.settle();
    expect(await rejectionOf(() => opened.signIn())).to.include({ code: 'account_exists' });
  });

  it('is kept as the last way to sign in where its provider has another id by now, which it takes at a sign-in', async () => {
    const opened = await openTravel();
    const who = await opened.accounts.authenticate(tokenOf(await opened.signIn()));
    const account = await opened.ports.accounts.find(who.user.id);
    if (account === undefined) throw new Error('It is gone.');
    const [one] = account.oauthAccounts;
    const former = { ...one, provider: 'former', providerAccountId: 'subject-1', email: null, createdAt: '' };
    const imported = { provider: 'example', providerAccountId: 'subject-1', email: null, createdAt: '' };
    await opened.ports.accounts.save({ ...account, oauthAccounts: [imported, former] });
    expect(await rejectionOf(() => opened.providers.unlink(who, former, caller))).to.include({
      code: 'last_sign_in_method',
    });
    const again = await opened.accounts.authenticate(tokenOf(await opened.signIn()));
    expect(again.user.oauthAccounts.map(({ provider }) => provider)).to.deep.equal(['example']);
  });

  it('stays to be seen while it opens the account, also where providers have swapped their ids', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.register(EMAIL);
    const renamed = async (...names: readonly string[]) => {
      const account = await opened.ports.accounts.find(id);
      if (account === undefined) throw new Error('It is gone.');
      const oauthAccounts = account.oauthAccounts.map((one, at) => ({ ...one, provider: names[at] ?? '' }));
      await opened.ports.accounts.save({ ...account, oauthAccounts });
    };
    await linkIn(opened, await who(), person({ issuer: 'https://other.example' }));
    await renamed('other');
    await linkIn(opened, await who());
    await renamed('example', 'other');
    await opened.signIn();
    const { oauthAccounts = [], loginKeys = [] } = (await opened.ports.accounts.find(id)) ?? {};
    expect(oauthAccounts.map(({ key }) => key)).to.have.members(loginKeys.map(({ key }) => key));
    expect(loginKeys).to.have.length(2);
  });

  it('waits for the account of its own email, not for another', async () => {
    const opened = await openTravel();
    const [one, other] = [await opened.register('ada@example.com'), await opened.register(EMAIL)];
    const linkToken = linkTokenOf(await rejectionOf(() => opened.signIn()));
    expect(
      await rejectionOf(async () => opened.providers.confirmLink(await other.who(), { linkToken }, caller)),
    ).to.include({ kind: 'forbidden', code: 'wrong_account' });
    await opened.providers.confirmLink(await one.who(), { linkToken }, caller);
  });

  it('goes with the undoing of a change of email, if it came after the ask', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.register(EMAIL);
    const NEW = 'taker@example.com';
    await opened.accounts.askEmailChange(await who(), { email: NEW }, caller);
    await opened.accounts.confirmEmailChange(await who(), { code: await opened.codeTo(NEW) }, caller);
    await linkIn(opened, await who());
    const code = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec((await opened.mailTo(EMAIL))?.text ?? '')?.[0] ?? '';
    await opened.accounts.undoEmailChange({ email: EMAIL, code }, caller);
    await opened.settle();
    expect(await opened.ports.accounts.find(id)).to.deep.include({ oauthAccounts: [], loginKeys: [] });
    const { user } = await opened.accounts.authenticate(tokenOf(await opened.signIn()));
    expect(user.id).not.to.equal(id);
  });
});

describe('A proof by a provider', () => {
  const prove = async (opened: Travel, token: string, said = person()) => {
    const who = await opened.accounts.authenticate(token, 'any');
    const half = newHalf();
    const { ticket } = await opened.providers.beginProof(who, 'example', setOut(half));
    const { code, verifier } = await opened.travel(said, half, ticket);
    return opened.accounts.reauthenticate(who, { code, verifier }, caller);
  };

  it('makes the session fresh, by an identity of the account alone', async () => {
    const opened = await openTravel();
    const token = tokenOf(await opened.signIn());
    opened.pass(601_000);
    expect(await prove(opened, token)).to.include({ success: true });
    const { session } = await opened.accounts.authenticate(token);
    expect(session.methods).to.deep.equal(['oidc']);
    expect(await rejectionOf(() => prove(opened, token, person({ subject: 'another' })))).to.include({
      code: 'invalid_flow',
    });
  });

  it('is refused where the provider last asked the person long ago', async () => {
    const opened = await openTravel();
    const token = tokenOf(await opened.signIn());
    const now = opened.ports.clock.now();
    expect(await prove(opened, token, person({ authenticatedAt: now - 60_000 }))).to.include({
      success: true,
    });
    expect(
      await rejectionOf(() => prove(opened, token, person({ authenticatedAt: now - 301_000 }))),
    ).to.include({ code: 'invalid_flow' });
  });

  it('takes the code of an authenticator app besides, and is not spent by a wrong one', async () => {
    const opened = await openTravel();
    const { accounts } = opened;
    const token = tokenOf(await opened.signIn());
    const who = () => accounts.authenticate(token);
    const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
    const secret = 'secret' in setup ? setup.secret : '';
    const codeNow = () => codeAt(secret, opened.ports.clock.now());
    await accounts.configureTwoFactor(
      await who(),
      { enable: true, secret, verificationCode: codeNow() },
      caller,
    );
    opened.pass(601_000);
    const half = newHalf();
    const beginLink = async () => opened.providers.beginLink(await who(), 'example', setOut(half), caller);
    const { facts } = (await rejectionOf(beginLink)) as CoreError;
    expect(facts.details?.methods).to.deep.equal(['oidc', 'totp', 'recovery']);

    const { ticket } = await opened.providers.beginProof(await who(), 'example', setOut(half));
    const { code, verifier } = await opened.travel(person(), half, ticket);
    const prove = async (verificationCode?: string) =>
      accounts.reauthenticate(
        await who(),
        { code, verifier, ...(verificationCode !== undefined && { verificationCode }) },
        caller,
      );
    expect(await rejectionOf(() => prove())).to.include({ kind: 'invalid', code: 'code_required' });
    expect(await rejectionOf(() => prove('000000'))).to.include({ code: 'invalid_two_factor_code' });
    expect(await rejectionOf(beginLink)).to.include({ code: 'fresh_authentication_needed' });
    expect(await prove(codeNow())).to.include({ success: true });
    expect((await who()).session.methods).to.deep.equal(['oidc', 'totp']);
    expect(await beginLink()).to.have.property('ticket');
    opened.pass(30_000);
    expect(await rejectionOf(() => prove(codeNow()))).to.include({ code: 'invalid_flow' });
  });

  it('is taken once by many calls, and a wrong verifier spends it', async () => {
    const opened = await openTravel();
    const token = tokenOf(await opened.signIn());
    const who = await opened.accounts.authenticate(token);
    const proofBy = async () => {
      const half = newHalf();
      const { ticket } = await opened.providers.beginProof(who, 'example', setOut(half));
      const { code, verifier } = await opened.travel(person(), half, ticket);
      return { code, verifier };
    };
    const proof = await proofBy();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => opened.accounts.reauthenticate(who, proof, caller)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);

    const other = await proofBy();
    for (const verifier of [newHalf().verifier, other.verifier])
      expect(
        await rejectionOf(() => opened.accounts.reauthenticate(who, { ...other, verifier }, caller)),
      ).to.include({ code: 'invalid_flow' });
  });

  it('is good in the session that asked for it', async () => {
    const opened = await openTravel();
    const [one, other] = [tokenOf(await opened.signIn()), tokenOf(await opened.signIn())];
    const half = newHalf();
    const { ticket } = await opened.providers.beginProof(
      await opened.accounts.authenticate(one),
      'example',
      setOut(half),
    );
    const { code, verifier } = await opened.travel(person(), half, ticket);
    const thief = await opened.accounts.authenticate(other);
    expect(
      await rejectionOf(() => opened.accounts.reauthenticate(thief, { code, verifier }, caller)),
    ).to.include({ code: 'invalid_flow' });
  });
});
