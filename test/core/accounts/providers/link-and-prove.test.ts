import { expect } from 'chai';
import type { CoreError, Principal } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { provider, providerIdentity } from '../../../support/scripted-providers.ts';
import { caller, codeOf, password } from '../open-core.ts';
import {
  authorizationRequest,
  linkTokenOf,
  newPkce,
  openProviderFlow,
  type ProviderFlow,
  tokenOf,
} from './provider-flow.ts';

const EMAIL = 'grace@example.com';

const linkIn = async (context: ProviderFlow, principal: Principal, claims = providerIdentity()) =>
  context.providers.confirmLink(principal, await context.linkFlow(principal, claims), caller);

describe('An identity of an account', () => {
  it('is linked by a flow of the session with a mail and an audit row, and opens the account', async () => {
    const context = await openProviderFlow();
    const { principal, id } = await context.signUp(EMAIL);
    const { oauthAccounts } = await linkIn(context, await principal());
    expect(oauthAccounts).to.have.length(1);
    expect(oauthAccounts[0]).to.deep.include({ provider: 'example', providerAccountId: 'subject-1' });
    expect((await context.mailsTo(EMAIL)).at(-1)?.subject).to.include('Example ID');
    expect(await context.actionsAbout(id)).to.deep.equal(['identity.linked']);
    expect((await context.accounts.authenticate(tokenOf(await context.signIn()))).user.id).to.equal(id);
  });

  it('is added and removed only in a fresh session (A13)', async () => {
    const context = await openProviderFlow();
    const { principal } = await context.signUp(EMAIL);
    await linkIn(context, await principal());
    const pkce = newPkce();
    const { ticket } = await context.providers.beginLink(
      await principal(),
      'example',
      authorizationRequest(pkce),
      caller,
    );
    expect(ticket).to.be.a('string');
    context.clock.advance(601_000);
    const currentPrincipal = await principal();
    const name = { provider: 'example', providerAccountId: 'subject-1' };
    const { beginLink, confirmLink, unlink } = context.providers;
    for (const call of [
      () => beginLink(currentPrincipal, 'example', authorizationRequest(pkce), caller),
      () => unlink(currentPrincipal, name, caller),
      () => confirmLink(currentPrincipal, { linkToken: 'any' }, caller),
    ])
      expect(await codeOf(call())).to.equal('fresh_authentication_needed');
  });

  it('is linked only by the session of the ticket, and only by a link flow (A6)', async () => {
    const context = await openProviderFlow();
    const [owner, otherUser] = [await context.signUp(EMAIL), await context.signUp('eve@example.com')];
    const link = async (
      { principal }: typeof owner,
      flow: { readonly code: string; readonly verifier: string },
    ) => codeOf(context.providers.confirmLink(await principal(), flow, caller));
    expect(await link(otherUser, await context.linkFlow(await owner.principal()))).to.equal('invalid_flow');
    const { code, verifier } = await context.runFlow(providerIdentity());
    expect(await link(owner, { code, verifier })).to.equal('invalid_flow');
    const flowCode = await context.linkFlow(await owner.principal());
    expect(await codeOf(context.providers.exchange(flowCode, caller))).to.equal('invalid_flow');
  });

  it('is linked by a ticket that begins one flow, within a minute, at its provider (A9)', async () => {
    const context = await openProviderFlow([provider(), provider({ id: 'other' })]);
    const { principal } = await context.signUp(EMAIL);
    const ticketOf = async () =>
      (
        await context.providers.beginLink(
          await principal(),
          'example',
          authorizationRequest(newPkce()),
          caller,
        )
      ).ticket;
    const usedTicket = await ticketOf();
    await context.providers.begin('example', { ticket: usedTicket });
    const otherTicket = await ticketOf();
    const lateTicket = await ticketOf();
    const expectInvalidTicket = async (id: string, ticket: string) =>
      expect(await codeOf(context.providers.begin(id, { ticket }))).to.equal('invalid_ticket');
    await expectInvalidTicket('example', usedTicket);
    await expectInvalidTicket('other', otherTicket);
    await expectInvalidTicket('example', 'made up');
    context.clock.advance(60_001);
    await expectInvalidTicket('example', lateTicket);
  });

  it('is not linked if its ticket is used again before or after the callback', async () => {
    for (const secondUse of ['before the answer', 'after the answer', 'a minute later']) {
      const context = await openProviderFlow();
      const { principal } = await context.signUp(EMAIL);
      const pkce = newPkce();
      const { ticket } = await context.providers.beginLink(
        await principal(),
        'example',
        authorizationRequest(pkce),
        caller,
      );
      const useAgain = async () =>
        expect(await codeOf(context.providers.begin('example', { ticket }))).to.equal('invalid_ticket');
      const { callback } = await context.askProvider(providerIdentity(), { ticket });
      if (secondUse === 'before the answer') await useAgain();
      if (secondUse === 'a minute later') context.clock.advance(60_001);
      const answer = () => context.providers.answer('example', callback, caller);
      if (secondUse === 'before the answer') {
        expect(await codeOf(answer())).to.equal('flow_lost');
      } else {
        const code = new URL((await answer()).location).searchParams.get('code') ?? '';
        await useAgain();
        const confirm = context.providers.confirmLink(
          await principal(),
          { code, verifier: pkce.verifier },
          caller,
        );
        expect(await codeOf(confirm), secondUse).to.equal('invalid_flow');
      }
      expect((await principal()).user.oauthAccounts).to.deep.equal([]);
      expect(context.lines.map(({ event }) => event)).to.include('oidc.ticket_used_again');
    }
  });

  it('is not linked by a ticket that was used twice, until the flow would expire', async () => {
    for (const after of [1, 599_000]) {
      const context = await openProviderFlow();
      const { principal } = await context.signUp(EMAIL);
      const { ticket } = await context.providers.beginLink(
        await principal(),
        'example',
        authorizationRequest(newPkce()),
        caller,
      );
      const { callback } = await context.askProvider(providerIdentity(), { ticket });
      expect(await codeOf(context.providers.begin('example', { ticket }))).to.equal('invalid_ticket');
      context.clock.advance(after);
      await context.accounts.background.sweep();
      expect(await codeOf(context.providers.answer('example', callback, caller))).to.equal('flow_lost');
    }
  });

  it('needs a new sign-in at the provider for a proof, but not for a sign-in or a link', async () => {
    const { providers, signUp } = await openProviderFlow();
    const { principal } = await signUp(EMAIL);
    const request = { ...authorizationRequest(newPkce()), challengeMethod: 'S256' };
    const { ticket: link } = await providers.beginLink(
      await principal(),
      'example',
      authorizationRequest(newPkce()),
      caller,
    );
    const { ticket: proof } = await providers.beginProof(
      await principal(),
      'example',
      authorizationRequest(newPkce()),
    );
    const prompts = [];
    for (const input of [request, { ticket: link }, { ticket: proof }]) {
      const { location } = await providers.begin('example', input);
      prompts.push(new URL(location).searchParams.get('prompt'));
    }
    expect(prompts).to.deep.equal([null, null, 'login']);
  });

  it('is linked by a flow that began before the email step of another sign-in (A16)', async () => {
    const context = await openProviderFlow();
    const { principal } = await context.signUp(EMAIL);
    const pkce = newPkce();
    const { ticket } = await context.providers.beginLink(
      await principal(),
      'example',
      authorizationRequest(pkce),
      caller,
    );
    const { code, verifier } = await context.runFlow(providerIdentity(), pkce, ticket);
    const emailStep = await context.signIn(
      providerIdentity({ subject: 'step', email: null, emailVerified: false }),
    );
    const signUpToken = 'signUpToken' in emailStep ? emailStep.signUpToken : '';
    await context.providers.signUp({ signUpToken, email: 'step@example.com' }, caller);
    const result = await context.providers.confirmLink(await principal(), { code, verifier }, caller);
    expect(result.oauthAccounts).to.have.length(1);
  });

  it('belongs to one account at a time (A12)', async () => {
    const context = await openProviderFlow();
    const [owner, otherUser] = [await context.signUp(EMAIL), await context.signUp('eve@example.com')];
    await linkIn(context, await owner.principal());
    expect(await rejectionOf(async () => linkIn(context, await otherUser.principal()))).to.include({
      kind: 'conflict',
      code: 'identity_taken',
    });
    const name = { provider: 'example', providerAccountId: 'subject-1' };
    await context.providers.unlink(await owner.principal(), name, caller);
    await context.settle();
    expect((await linkIn(context, await otherUser.principal())).oauthAccounts).to.have.length(1);
  });

  it('is listed once after a link of an imported identity', async () => {
    const context = await openProviderFlow();
    const { principal, id } = await context.signUp(EMAIL);
    const imported = { provider: 'example', providerAccountId: 'subject-1', email: null, createdAt: '' };
    await context.edit(id, { oauthAccounts: [imported] });
    expect((await linkIn(context, await principal())).oauthAccounts).to.have.length(1);
  });

  it('is not linked, mailed or logged again if it already opens the account', async () => {
    const context = await openProviderFlow();
    const { principal, id } = await context.signUp(EMAIL);
    const { oauthAccounts } = await linkIn(context, await principal());
    const mails = (await context.mailsTo(EMAIL)).length;
    expect(await linkIn(context, await principal())).to.deep.equal({ oauthAccounts });
    expect(await context.mailsTo(EMAIL)).to.have.length(mails);
    expect(await context.actionsAbout(id)).to.deep.equal(['identity.linked']);
    expect(context.lines.filter(({ event }) => event === 'identity.linked')).to.have.length(1);
  });

  it('replaces an equally named identity of a former issuer, which no longer opens the account', async () => {
    const context = await openProviderFlow();
    const { principal, id } = await context.signUp(EMAIL);
    await linkIn(context, await principal(), providerIdentity({ issuer: 'https://former.example' }));
    expect((await linkIn(context, await principal())).oauthAccounts).to.have.length(1);
    await context.settle();
    expect((await context.account(id)).loginKeys).to.have.length(1);
    const former = providerIdentity({ issuer: 'https://former.example', email: null });
    expect(await context.signIn(former)).to.include({ requiresEmail: true });
    expect((await context.accounts.authenticate(tokenOf(await context.signIn()))).user.id).to.equal(id);
  });

  it('is refused beyond the limit for each user', async () => {
    const context = await openProviderFlow([provider()], undefined, { identitiesPerUser: 2 });
    const { principal } = await context.signUp(EMAIL);
    const flowCode = await context.linkFlow(await principal(), providerIdentity({ subject: '3' }));
    for (const subject of ['1', '2']) await linkIn(context, await principal(), providerIdentity({ subject }));
    const { beginLink, confirmLink } = context.providers;
    for (const call of [
      async () => beginLink(await principal(), 'example', authorizationRequest(newPkce()), caller),
      async () => confirmLink(await principal(), flowCode, caller),
    ])
      expect(await codeOf(call())).to.equal('too_many_identities');
  });

  it('cannot be removed while it is the last sign-in method', async () => {
    const context = await openProviderFlow();
    const principal = await context.accounts.authenticate(tokenOf(await context.signIn()));
    const name = { provider: 'example', providerAccountId: 'subject-1' };
    expect(await rejectionOf(() => context.providers.unlink(principal, name, caller))).to.include({
      kind: 'conflict',
      code: 'last_sign_in_method',
    });
    await context.accounts.changePassword(principal, { newPassword: password }, caller);
    const tokens = await context.accounts.logIn({ email: 'ada@example.com', password }, caller);
    const owner = await context.accounts.authenticate(tokenOf(tokens));
    expect(await context.providers.unlink(owner, name, caller)).to.deep.equal({ oauthAccounts: [] });
    expect(await codeOf(context.providers.unlink(owner, name, caller))).to.equal('identity_not_found');
    await context.settle();
    expect(await codeOf(context.signIn())).to.equal('account_exists');
  });

  it('cannot be removed as the last method of a renamed provider, and is renamed at a sign-in', async () => {
    const context = await openProviderFlow();
    const principal = await context.accounts.authenticate(tokenOf(await context.signIn()));
    const [identity] = (await context.account(principal.user.id)).oauthAccounts;
    const imported = { provider: 'example', providerAccountId: 'subject-1', email: null, createdAt: '' };
    const former = { ...identity, ...imported, provider: 'former' };
    await context.edit(principal.user.id, { oauthAccounts: [imported, former] });
    expect(await codeOf(context.providers.unlink(principal, former, caller))).to.equal('last_sign_in_method');
    const owner = await context.accounts.authenticate(tokenOf(await context.signIn()));
    expect(owner.user.oauthAccounts.map(({ provider }) => provider)).to.deep.equal(['example']);
  });

  it('stays listed while it opens the account, also if providers have swapped their ids', async () => {
    const context = await openProviderFlow();
    const { principal, id } = await context.signUp(EMAIL);
    const renameProviders = async (...names: readonly string[]) => {
      const { oauthAccounts } = await context.account(id);
      await context.edit(id, {
        oauthAccounts: oauthAccounts.map((identity, at) => ({ ...identity, provider: names[at] ?? '' })),
      });
    };
    await linkIn(context, await principal(), providerIdentity({ issuer: 'https://other.example' }));
    await renameProviders('other');
    await linkIn(context, await principal());
    await renameProviders('example', 'other');
    await context.signIn();
    const { oauthAccounts, loginKeys } = await context.account(id);
    expect(oauthAccounts.map(({ key }) => key)).to.have.members(loginKeys.map(({ key }) => key));
    expect(loginKeys).to.have.length(2);
  });

  it('is linked by a link token only to the account of its email', async () => {
    const context = await openProviderFlow();
    const [owner, otherUser] = [await context.signUp('ada@example.com'), await context.signUp(EMAIL)];
    const linkToken = linkTokenOf(await rejectionOf(() => context.signIn()));
    expect(
      await rejectionOf(async () =>
        context.providers.confirmLink(await otherUser.principal(), { linkToken }, caller),
      ),
    ).to.include({ kind: 'forbidden', code: 'wrong_account' });
    await context.providers.confirmLink(await owner.principal(), { linkToken }, caller);
  });
});

describe('A proof by a provider', () => {
  const prove = async (context: ProviderFlow, token: string, claims = providerIdentity()) => {
    const by = await context.accounts.authenticate(token, 'any');
    return context.accounts.reauthenticate(by, await context.proofFlow(by, claims), caller);
  };

  it('makes the session fresh, but only by an identity of the account', async () => {
    const context = await openProviderFlow();
    const token = tokenOf(await context.signIn());
    context.clock.advance(601_000);
    expect(await prove(context, token)).to.include({ success: true });
    const { session } = await context.accounts.authenticate(token);
    expect(session.methods).to.deep.equal(['oidc']);
    expect(await codeOf(prove(context, token, providerIdentity({ subject: 'another' })))).to.equal(
      'invalid_flow',
    );
  });

  it('is refused if the last authentication at the provider is too old', async () => {
    const context = await openProviderFlow();
    const token = tokenOf(await context.signIn());
    const now = context.clock.now();
    const proveBy = (authenticatedAt: number) =>
      codeOf(prove(context, token, providerIdentity({ authenticatedAt })));
    expect(await proveBy(now - 60_000)).to.equal('done');
    expect(await proveBy(now - 301_000)).to.equal('invalid_flow');
  });

  it('also requires a code of the authenticator app, and is not spent by a wrong code', async () => {
    const context = await openProviderFlow();
    const { accounts } = context;
    const token = tokenOf(await context.signIn());
    const principal = () => accounts.authenticate(token);
    const app = await context.turnOnFactor({ principal });
    context.clock.advance(601_000);
    const beginLink = async () =>
      context.providers.beginLink(await principal(), 'example', authorizationRequest(newPkce()), caller);
    const { facts } = (await rejectionOf(beginLink)) as CoreError;
    expect(facts.details?.methods).to.deep.equal(['oidc', 'totp', 'recovery']);

    const flowCode = await context.proofFlow(await principal());
    const prove = async (verificationCode?: string) =>
      accounts.reauthenticate(
        await principal(),
        { ...flowCode, ...(verificationCode !== undefined && { verificationCode }) },
        caller,
      );
    expect(await rejectionOf(() => prove())).to.include({ kind: 'invalid', code: 'code_required' });
    expect(await codeOf(prove(app.wrong()))).to.equal('invalid_two_factor_code');
    expect(await codeOf(beginLink())).to.equal('fresh_authentication_needed');
    expect(await prove(app.fresh())).to.include({ success: true });
    expect((await principal()).session.methods).to.deep.equal(['oidc', 'totp']);
    expect(await beginLink()).to.have.property('ticket');
    expect(await codeOf(prove(app.recoveryCodes[0]))).to.equal('invalid_flow');
  });

  it('is accepted once for 20 concurrent calls, and is spent by a wrong verifier', async () => {
    const context = await openProviderFlow();
    const token = tokenOf(await context.signIn());
    const principal = await context.accounts.authenticate(token);
    const proof = await context.proofFlow(principal);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => context.accounts.reauthenticate(principal, proof, caller)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);

    const otherProof = await context.proofFlow(principal);
    for (const verifier of [newPkce().verifier, otherProof.verifier])
      expect(
        await codeOf(context.accounts.reauthenticate(principal, { ...otherProof, verifier }, caller)),
      ).to.equal('invalid_flow');
  });

  it('is valid only in the session that requested it', async () => {
    const context = await openProviderFlow();
    const [token, otherToken] = [tokenOf(await context.signIn()), tokenOf(await context.signIn())];
    const proof = await context.proofFlow(await context.accounts.authenticate(token));
    const thief = await context.accounts.authenticate(otherToken);
    expect(await codeOf(context.accounts.reauthenticate(thief, proof, caller))).to.equal('invalid_flow');
  });
});
