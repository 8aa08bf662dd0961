import { expect } from 'chai';
import type { CoreError, Principal } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { person, provider } from '../../../support/scripted-providers.ts';
import { caller, codeOf, password } from '../open-core.ts';
import { linkTokenOf, newHalf, openTravel, setOut, type Travel, tokenOf } from './provider-flow.ts';

const EMAIL = 'grace@example.com';

const linkIn = async (opened: Travel, who: Principal, said = person()) =>
  opened.providers.confirmLink(who, await opened.tripToLink(who, said), caller);

describe('An identity of an account', () => {
  it('is linked by a trip of the session, told by mail, logged, and opens the account', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.signUp(EMAIL);
    const { oauthAccounts } = await linkIn(opened, await who());
    expect(oauthAccounts).to.have.length(1);
    expect(oauthAccounts[0]).to.deep.include({ provider: 'example', providerAccountId: 'subject-1' });
    expect((await opened.mailsTo(EMAIL)).at(-1)?.subject).to.include('Example ID');
    expect(await opened.actionsAbout(id)).to.deep.equal(['identity.linked']);
    expect((await opened.accounts.authenticate(tokenOf(await opened.signIn()))).user.id).to.equal(id);
  });

  it('needs a fresh proof to be added or removed (A13)', async () => {
    const opened = await openTravel();
    const { who } = await opened.signUp(EMAIL);
    await linkIn(opened, await who());
    const half = newHalf();
    const { ticket } = await opened.providers.beginLink(await who(), 'example', setOut(half), caller);
    expect(ticket).to.be.a('string');
    opened.clock.advance(601_000);
    const principal = await who();
    const name = { provider: 'example', providerAccountId: 'subject-1' };
    const { beginLink, confirmLink, unlink } = opened.providers;
    for (const call of [
      () => beginLink(principal, 'example', setOut(half), caller),
      () => unlink(principal, name, caller),
      () => confirmLink(principal, { linkToken: 'any' }, caller),
    ])
      expect(await codeOf(call())).to.equal('fresh_authentication_needed');
  });

  it('is linked by the session of the ticket alone, and by a trip that was made to link (A6)', async () => {
    const opened = await openTravel();
    const [one, other] = [await opened.signUp(EMAIL), await opened.signUp('eve@example.com')];
    const confirm = async ({ who }: typeof one, trip: { readonly code: string; readonly verifier: string }) =>
      codeOf(opened.providers.confirmLink(await who(), trip, caller));
    expect(await confirm(other, await opened.tripToLink(await one.who()))).to.equal('invalid_flow');
    const { code, verifier } = await opened.travel(person());
    expect(await confirm(one, { code, verifier })).to.equal('invalid_flow');
    const back = await opened.tripToLink(await one.who());
    expect(await codeOf(opened.providers.exchange(back, caller))).to.equal('invalid_flow');
  });

  it('is begun by a ticket once, within a minute, at its provider (A9)', async () => {
    const opened = await openTravel([provider(), provider({ id: 'other' })]);
    const { who } = await opened.signUp(EMAIL);
    const ticketOf = async () =>
      (await opened.providers.beginLink(await who(), 'example', setOut(newHalf()), caller)).ticket;
    const used = await ticketOf();
    await opened.providers.begin('example', { ticket: used });
    const elsewhere = await ticketOf();
    const late = await ticketOf();
    const refused = async (id: string, ticket: string) =>
      expect(await codeOf(opened.providers.begin(id, { ticket }))).to.equal('invalid_ticket');
    await refused('example', used);
    await refused('other', elsewhere);
    await refused('example', 'made up');
    opened.clock.advance(60_001);
    await refused('example', late);
  });

  it('is not linked by the trip of a ticket that was used a second time, before its answer or after it', async () => {
    for (const secondUse of ['before the answer', 'after the answer', 'a minute later']) {
      const opened = await openTravel();
      const { who } = await opened.signUp(EMAIL);
      const half = newHalf();
      const { ticket } = await opened.providers.beginLink(await who(), 'example', setOut(half), caller);
      const useAgain = async () =>
        expect(await codeOf(opened.providers.begin('example', { ticket }))).to.equal('invalid_ticket');
      const { callback } = await opened.askProvider(person(), { ticket });
      if (secondUse === 'before the answer') await useAgain();
      if (secondUse === 'a minute later') opened.clock.advance(60_001);
      const answer = () => opened.providers.answer('example', callback, caller);
      if (secondUse === 'before the answer') {
        expect(await codeOf(answer())).to.equal('flow_lost');
      } else {
        const code = new URL((await answer()).location).searchParams.get('code') ?? '';
        await useAgain();
        const confirm = opened.providers.confirmLink(await who(), { code, verifier: half.verifier }, caller);
        expect(await codeOf(confirm), secondUse).to.equal('invalid_flow');
      }
      expect((await who()).user.oauthAccounts).to.deep.equal([]);
      expect(opened.lines.map(({ event }) => event)).to.include('oidc.ticket_used_again');
    }
  });

  it('is not linked by the trip of a ticket that was used twice, as long as the trip may take', async () => {
    for (const after of [1, 599_000]) {
      const opened = await openTravel();
      const { who } = await opened.signUp(EMAIL);
      const { ticket } = await opened.providers.beginLink(await who(), 'example', setOut(newHalf()), caller);
      const { callback } = await opened.askProvider(person(), { ticket });
      expect(await codeOf(opened.providers.begin('example', { ticket }))).to.equal('invalid_ticket');
      opened.clock.advance(after);
      await opened.accounts.background.sweep();
      expect(await codeOf(opened.providers.answer('example', callback, caller))).to.equal('flow_lost');
    }
  });

  it('asks people to sign in again at the provider where they prove who they are, and else not', async () => {
    const { providers, signUp } = await openTravel();
    const { who } = await signUp(EMAIL);
    const request = { ...setOut(newHalf()), challengeMethod: 'S256' };
    const { ticket: link } = await providers.beginLink(await who(), 'example', setOut(newHalf()), caller);
    const { ticket: proof } = await providers.beginProof(await who(), 'example', setOut(newHalf()));
    const prompts = [];
    for (const input of [request, { ticket: link }, { ticket: proof }]) {
      const { location } = await providers.begin('example', input);
      prompts.push(new URL(location).searchParams.get('prompt'));
    }
    expect(prompts).to.deep.equal([null, null, 'login']);
  });

  it('is linked by a trip that was begun before the email step of another sign-in (A16)', async () => {
    const opened = await openTravel();
    const { who } = await opened.signUp(EMAIL);
    const half = newHalf();
    const { ticket } = await opened.providers.beginLink(await who(), 'example', setOut(half), caller);
    const { code, verifier } = await opened.travel(person(), half, ticket);
    const asked = await opened.signIn(person({ subject: 'step', email: null, emailVerified: false }));
    const signUpToken = 'signUpToken' in asked ? asked.signUpToken : '';
    await opened.providers.signUp({ signUpToken, email: 'step@example.com' }, caller);
    const linked = await opened.providers.confirmLink(await who(), { code, verifier }, caller);
    expect(linked.oauthAccounts).to.have.length(1);
  });

  it('belongs to one account alone (A12)', async () => {
    const opened = await openTravel();
    const [one, other] = [await opened.signUp(EMAIL), await opened.signUp('eve@example.com')];
    await linkIn(opened, await one.who());
    expect(await rejectionOf(async () => linkIn(opened, await other.who()))).to.include({
      kind: 'conflict',
      code: 'identity_taken',
    });
    const name = { provider: 'example', providerAccountId: 'subject-1' };
    await opened.providers.unlink(await one.who(), name, caller);
    await opened.settle();
    expect((await linkIn(opened, await other.who())).oauthAccounts).to.have.length(1);
  });

  it('that was imported is bound by linking, and stands once', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.signUp(EMAIL);
    const imported = { provider: 'example', providerAccountId: 'subject-1', email: null, createdAt: '' };
    await opened.edit(id, { oauthAccounts: [imported] });
    expect((await linkIn(opened, await who())).oauthAccounts).to.have.length(1);
  });

  it('that opens the account already is linked no second time, in no mail and no line of the log', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.signUp(EMAIL);
    const { oauthAccounts } = await linkIn(opened, await who());
    const mails = (await opened.mailsTo(EMAIL)).length;
    expect(await linkIn(opened, await who())).to.deep.equal({ oauthAccounts });
    expect(await opened.mailsTo(EMAIL)).to.have.length(mails);
    expect(await opened.actionsAbout(id)).to.deep.equal(['identity.linked']);
    expect(opened.lines.filter(({ event }) => event === 'identity.linked')).to.have.length(1);
  });

  it('that takes the name of one at a former issuer is the only one of the two that opens the account', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.signUp(EMAIL);
    await linkIn(opened, await who(), person({ issuer: 'https://former.example' }));
    expect((await linkIn(opened, await who())).oauthAccounts).to.have.length(1);
    await opened.settle();
    expect((await opened.account(id)).loginKeys).to.have.length(1);
    const former = person({ issuer: 'https://former.example', email: null });
    expect(await opened.signIn(former)).to.include({ requiresEmail: true });
    expect((await opened.accounts.authenticate(tokenOf(await opened.signIn()))).user.id).to.equal(id);
  });

  it('is refused beyond twenty', async () => {
    const opened = await openTravel([provider()], undefined, { identitiesPerUser: 2 });
    const { who } = await opened.signUp(EMAIL);
    const trip = await opened.tripToLink(await who(), person({ subject: '3' }));
    for (const subject of ['1', '2']) await linkIn(opened, await who(), person({ subject }));
    const { beginLink, confirmLink } = opened.providers;
    for (const call of [
      async () => beginLink(await who(), 'example', setOut(newHalf()), caller),
      async () => confirmLink(await who(), trip, caller),
    ])
      expect(await codeOf(call())).to.equal('too_many_identities');
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
    expect(await codeOf(opened.providers.unlink(owner, name, caller))).to.equal('identity_not_found');
    await opened.settle();
    expect(await codeOf(opened.signIn())).to.equal('account_exists');
  });

  it('is kept as the last way to sign in where its provider has another id by now, which it takes at a sign-in', async () => {
    const opened = await openTravel();
    const who = await opened.accounts.authenticate(tokenOf(await opened.signIn()));
    const [one] = (await opened.account(who.user.id)).oauthAccounts;
    const imported = { provider: 'example', providerAccountId: 'subject-1', email: null, createdAt: '' };
    const former = { ...one, ...imported, provider: 'former' };
    await opened.edit(who.user.id, { oauthAccounts: [imported, former] });
    expect(await codeOf(opened.providers.unlink(who, former, caller))).to.equal('last_sign_in_method');
    const again = await opened.accounts.authenticate(tokenOf(await opened.signIn()));
    expect(again.user.oauthAccounts.map(({ provider }) => provider)).to.deep.equal(['example']);
  });

  it('stays to be seen while it opens the account, also where providers have swapped their ids', async () => {
    const opened = await openTravel();
    const { who, id } = await opened.signUp(EMAIL);
    const renamed = async (...names: readonly string[]) => {
      const { oauthAccounts } = await opened.account(id);
      await opened.edit(id, {
        oauthAccounts: oauthAccounts.map((one, at) => ({ ...one, provider: names[at] ?? '' })),
      });
    };
    await linkIn(opened, await who(), person({ issuer: 'https://other.example' }));
    await renamed('other');
    await linkIn(opened, await who());
    await renamed('example', 'other');
    await opened.signIn();
    const { oauthAccounts, loginKeys } = await opened.account(id);
    expect(oauthAccounts.map(({ key }) => key)).to.have.members(loginKeys.map(({ key }) => key));
    expect(loginKeys).to.have.length(2);
  });

  it('waits for the account of its own email, not for another', async () => {
    const opened = await openTravel();
    const [one, other] = [await opened.signUp('ada@example.com'), await opened.signUp(EMAIL)];
    const linkToken = linkTokenOf(await rejectionOf(() => opened.signIn()));
    expect(
      await rejectionOf(async () => opened.providers.confirmLink(await other.who(), { linkToken }, caller)),
    ).to.include({ kind: 'forbidden', code: 'wrong_account' });
    await opened.providers.confirmLink(await one.who(), { linkToken }, caller);
  });
});

describe('A proof by a provider', () => {
  const prove = async (opened: Travel, token: string, said = person()) => {
    const who = await opened.accounts.authenticate(token, 'any');
    return opened.accounts.reauthenticate(who, await opened.tripToProve(who, said), caller);
  };

  it('makes the session fresh, by an identity of the account alone', async () => {
    const opened = await openTravel();
    const token = tokenOf(await opened.signIn());
    opened.clock.advance(601_000);
    expect(await prove(opened, token)).to.include({ success: true });
    const { session } = await opened.accounts.authenticate(token);
    expect(session.methods).to.deep.equal(['oidc']);
    expect(await codeOf(prove(opened, token, person({ subject: 'another' })))).to.equal('invalid_flow');
  });

  it('is refused where the provider last asked the person long ago', async () => {
    const opened = await openTravel();
    const token = tokenOf(await opened.signIn());
    const now = opened.clock.now();
    const proveBy = (authenticatedAt: number) => codeOf(prove(opened, token, person({ authenticatedAt })));
    expect(await proveBy(now - 60_000)).to.equal('done');
    expect(await proveBy(now - 301_000)).to.equal('invalid_flow');
  });

  it('takes the code of an authenticator app besides, and is not spent by a wrong one', async () => {
    const opened = await openTravel();
    const { accounts } = opened;
    const token = tokenOf(await opened.signIn());
    const who = () => accounts.authenticate(token);
    const app = await opened.turnOnFactor({ who });
    opened.clock.advance(601_000);
    const beginLink = async () =>
      opened.providers.beginLink(await who(), 'example', setOut(newHalf()), caller);
    const { facts } = (await rejectionOf(beginLink)) as CoreError;
    expect(facts.details?.methods).to.deep.equal(['oidc', 'totp', 'recovery']);

    const trip = await opened.tripToProve(await who());
    const prove = async (verificationCode?: string) =>
      accounts.reauthenticate(
        await who(),
        { ...trip, ...(verificationCode !== undefined && { verificationCode }) },
        caller,
      );
    expect(await rejectionOf(() => prove())).to.include({ kind: 'invalid', code: 'code_required' });
    expect(await codeOf(prove(app.wrong()))).to.equal('invalid_two_factor_code');
    expect(await codeOf(beginLink())).to.equal('fresh_authentication_needed');
    expect(await prove(app.fresh())).to.include({ success: true });
    expect((await who()).session.methods).to.deep.equal(['oidc', 'totp']);
    expect(await beginLink()).to.have.property('ticket');
    expect(await codeOf(prove(app.recoveryCodes[0]))).to.equal('invalid_flow');
  });

  it('is taken once by many calls, and a wrong verifier spends it', async () => {
    const opened = await openTravel();
    const token = tokenOf(await opened.signIn());
    const who = await opened.accounts.authenticate(token);
    const proof = await opened.tripToProve(who);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => opened.accounts.reauthenticate(who, proof, caller)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);

    const other = await opened.tripToProve(who);
    for (const verifier of [newHalf().verifier, other.verifier])
      expect(await codeOf(opened.accounts.reauthenticate(who, { ...other, verifier }, caller))).to.equal(
        'invalid_flow',
      );
  });

  it('is good in the session that asked for it', async () => {
    const opened = await openTravel();
    const [one, other] = [tokenOf(await opened.signIn()), tokenOf(await opened.signIn())];
    const proof = await opened.tripToProve(await opened.accounts.authenticate(one));
    const thief = await opened.accounts.authenticate(other);
    expect(await codeOf(opened.accounts.reauthenticate(thief, proof, caller))).to.equal('invalid_flow');
  });
});
