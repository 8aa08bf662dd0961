import { expect } from 'chai';
import { CoreError } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { provider, providerIdentity } from '../../../support/scripted-providers.ts';
import { caller, codeOf } from '../open-core.ts';
import { authorizationRequest, newPkce, openProviderFlow, REDIRECT, STATE } from './provider-flow.ts';

const begin = { ...authorizationRequest(newPkce()), challengeMethod: 'S256' };

describe('A sign-in flow with a provider', () => {
  it('redirects to the client with its state and a code, and sets a cookie without the state', async () => {
    const { runFlow } = await openProviderFlow();
    const { back, cookie } = await runFlow(providerIdentity());
    expect([...back.keys()]).to.deep.equal(['code', 'state']);
    expect(back.get('state')).to.equal(STATE);
    expect(cookie).to.include({ seconds: 600, crossSite: false });
    expect(cookie?.value).not.to.include(STATE);
  });

  it('is refused in a browser that did not begin it (A5)', async () => {
    const { runFlow, providers } = await openProviderFlow();
    const { callback } = await runFlow(providerIdentity());
    const { parameters } = callback;
    const otherFlow = await runFlow(providerIdentity());
    for (const cookie of [undefined, '', 'made up', otherFlow.callback.cookie])
      expect(
        await rejectionOf(() =>
          providers.answer('example', { parameters, ...(cookie !== undefined && { cookie }) }, caller),
        ),
      ).to.include({ kind: 'invalid', code: 'flow_lost' });
  });

  it('is refused for another verifier, which spends the code (A6, A8)', async () => {
    const { runFlow, providers } = await openProviderFlow();
    const { code, verifier } = await runFlow(providerIdentity());
    expect(
      await rejectionOf(() => providers.exchange({ code, verifier: newPkce().verifier }, caller)),
    ).to.include({ kind: 'unauthenticated', code: 'invalid_flow' });
    expect(await codeOf(providers.exchange({ code, verifier }, caller))).to.equal('invalid_flow');
  });

  it('accepts a callback once, and a code within one minute (A9)', async () => {
    const { clock, runFlow, providers } = await openProviderFlow();
    const { callback, code, verifier } = await runFlow(providerIdentity());
    expect(await codeOf(providers.answer('example', callback, caller))).to.equal('flow_lost');
    clock.advance(60_001);
    expect(await codeOf(providers.exchange({ code, verifier }, caller))).to.equal('invalid_flow');
  });

  it('expires ten minutes after its start', async () => {
    const { askProvider, clock, providers } = await openProviderFlow();
    const { callback } = await askProvider(providerIdentity(), begin);
    clock.advance(600_001);
    expect(await codeOf(providers.answer('example', callback, caller))).to.equal('flow_lost');
  });

  it('is refused at the callback of another provider (A7)', async () => {
    const { askProvider, providers } = await openProviderFlow([provider(), provider({ id: 'other' })]);
    const { callback } = await askProvider(providerIdentity(), begin);
    expect(await codeOf(providers.answer('other', callback, caller))).to.equal('flow_lost');
  });

  it('redirects with an error code after a failure, and stores nothing', async () => {
    const { runFlow, ports, scripted, providers } = await openProviderFlow();
    for (const code of [
      'access_denied',
      'provider_error',
      'provider_unavailable',
      'provider_answer_invalid',
    ] as const) {
      const { back } = await runFlow(new CoreError('refused', code, 'Not this time.'));
      expect(Object.fromEntries(back)).to.deep.equal({ error: code, state: STATE });
    }
    expect(await ports.flows.sweep(Number.MAX_SAFE_INTEGER, 100)).to.equal(0);
    scripted.fail();
    const { location, cookie } = await providers.begin('example', begin);
    expect(location).to.equal(`${REDIRECT}?error=provider_unavailable&state=${STATE}`);
    expect(cookie).to.equal(null);
  });

  it('stores nothing at its start, nor for a callback with an unknown state (A14)', async () => {
    const { providers, ports } = await openProviderFlow();
    for (let count = 0; count < 100; count += 1) await providers.begin('example', begin);
    const parameters = [['state', 'x'.repeat(43)] as const, ['code', 'y'] as const];
    expect(await codeOf(providers.answer('example', { parameters }, caller))).to.equal('flow_lost');
    expect(await ports.flows.sweep(Number.MAX_SAFE_INTEGER, 1_000)).to.equal(0);
  });

  it('requires an S256 challenge, a valid state and a known provider', async () => {
    const { providers } = await openProviderFlow();
    const invalidRequests = [
      [{ challengeMethod: 'plain' }, 'invalid_challenge'],
      [{ challengeMethod: '' }, 'invalid_challenge'],
      [{ challenge: '' }, 'invalid_challenge'],
      [{ challenge: `${begin.challenge}=` }, 'invalid_challenge'],
      [{ state: 'too short' }, 'invalid_state'],
      [{ state: 'x'.repeat(513) }, 'invalid_state'],
      [{ state: 'a state of sixteen\n' }, 'invalid_state'],
    ] as const;
    for (const [change, code] of invalidRequests)
      expect(await codeOf(providers.begin('example', { ...begin, ...change }))).to.equal(code);
    expect(await codeOf(providers.begin('nobody', begin))).to.equal('provider_not_found');
  });
});
