import { expect } from 'chai';
import { CoreError } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { person, provider } from '../../../support/scripted-providers.ts';
import { caller } from '../open-core.ts';
import { newHalf, openTravel, REDIRECT, STATE } from './provider-flow.ts';

const begin = {
  redirectUri: REDIRECT,
  challenge: newHalf().challenge,
  challengeMethod: 'S256',
  state: STATE,
};

describe('A trip to a provider', () => {
  it('brings the client its own state and a code, and to the browser nothing else', async () => {
    const { travel, keep } = await openTravel().then(async (opened) => {
      const came = await opened.travel(person());
      return { travel: came, keep: came.keep };
    });
    expect([...travel.back.keys()]).to.deep.equal(['code', 'state']);
    expect(travel.back.get('state')).to.equal(STATE);
    expect(keep).to.include({ seconds: 600, crossSite: false });
    expect(keep?.value).not.to.include(STATE);
  });

  it('needs the browser that began it (A5)', async () => {
    const { travel, providers } = await openTravel();
    const { brought } = await travel(person());
    const { parameters } = brought;
    const other = await travel(person());
    for (const kept of [undefined, '', 'made up', other.brought.kept])
      expect(
        await rejectionOf(() =>
          providers.answer('example', { parameters, ...(kept !== undefined && { kept }) }, caller),
        ),
      ).to.include({ kind: 'invalid', code: 'flow_lost' });
  });

  it('needs the client that began it, and is spent by the first who presents the code (A6, A8)', async () => {
    const { travel, providers } = await openTravel();
    const { code, verifier } = await travel(person());
    expect(
      await rejectionOf(() => providers.exchange({ code, verifier: newHalf().verifier }, caller)),
    ).to.include({ kind: 'unauthenticated', code: 'invalid_flow' });
    expect(await rejectionOf(() => providers.exchange({ code, verifier }, caller))).to.include({
      code: 'invalid_flow',
    });
  });

  it('takes an answer once, and a code within its minute (A9)', async () => {
    const { travel, providers, pass } = await openTravel();
    const { brought, code, verifier } = await travel(person());
    expect(await rejectionOf(() => providers.answer('example', brought, caller))).to.include({
      code: 'flow_lost',
    });
    pass(60_001);
    expect(await rejectionOf(() => providers.exchange({ code, verifier }, caller))).to.include({
      code: 'invalid_flow',
    });
  });

  it('is over ten minutes after it began', async () => {
    const { providers, scripted, pass } = await openTravel();
    const { location, keep } = await providers.begin('example', begin);
    const state = new URL(location).searchParams.get('state') ?? '';
    pass(600_001);
    const parameters = [['state', state] as const, ['code', scripted.script(person())] as const];
    expect(
      await rejectionOf(() =>
        providers.answer('example', { parameters, ...(keep && { kept: keep.value }) }, caller),
      ),
    ).to.include({ code: 'flow_lost' });
  });

  it('ends at the provider that it began with (A7)', async () => {
    const { providers, scripted } = await openTravel([provider(), provider({ id: 'other' })]);
    const { location, keep } = await providers.begin('example', begin);
    const state = new URL(location).searchParams.get('state') ?? '';
    const parameters = [['state', state] as const, ['code', scripted.script(person())] as const];
    expect(
      await rejectionOf(() =>
        providers.answer('other', { parameters, ...(keep && { kept: keep.value }) }, caller),
      ),
    ).to.include({ code: 'flow_lost' });
  });

  it('says in words of ours what went wrong, and stores nothing then', async () => {
    const { travel, ports, scripted, providers } = await openTravel();
    for (const code of [
      'access_denied',
      'provider_error',
      'provider_unavailable',
      'provider_answer_invalid',
    ]) {
      const { back } = await travel(new CoreError('refused', code, 'Not this time.'));
      expect(Object.fromEntries(back)).to.deep.equal({ error: code, state: STATE });
    }
    expect(await ports.flows.sweep(Number.MAX_SAFE_INTEGER, 100)).to.equal(0);
    scripted.fail();
    const { location, keep } = await providers.begin('example', begin);
    expect(location).to.equal(`${REDIRECT}?error=provider_unavailable&state=${STATE}`);
    expect(keep).to.equal(null);
  });

  it('stores nothing when it begins, however often, nor for an answer to none that has begun (A14)', async () => {
    const { providers, ports } = await openTravel();
    for (let count = 0; count < 100; count += 1) await providers.begin('example', begin);
    const parameters = [['state', 'x'.repeat(43)] as const, ['code', 'y'] as const];
    const lost = await rejectionOf(() => providers.answer('example', { parameters }, caller));
    expect(lost).to.include({ code: 'flow_lost' });
    expect(await ports.flows.sweep(Number.MAX_SAFE_INTEGER, 1_000)).to.equal(0);
  });

  it('needs a challenge by S256 and a state of the client', async () => {
    const { providers } = await openTravel();
    const wrong = [
      [{ challengeMethod: 'plain' }, 'invalid_challenge'],
      [{ challengeMethod: '' }, 'invalid_challenge'],
      [{ challenge: '' }, 'invalid_challenge'],
      [{ challenge: `${begin.challenge}=` }, 'invalid_challenge'],
      [{ state: 'too short' }, 'invalid_state'],
      [{ state: 'x'.repeat(513) }, 'invalid_state'],
      [{ state: 'a state of sixteen\n' }, 'invalid_state'],
    ] as const;
    for (const [change, code] of wrong)
      expect(await rejectionOf(() => providers.begin('example', { ...begin, ...change }))).to.include({
        code,
      });
    expect(await rejectionOf(() => providers.begin('nobody', begin))).to.include({
      code: 'provider_not_found',
    });
  });
});
