import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { newEntitlement, SERVICE } from '../../../../core/accounts/entitlement.ts';
import { changeEntitlement, sameObject } from '../../../../core/accounts/entitlements/entitlement-rules.ts';
import { by, useAdminAccounts } from '../admin/open-admin-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const outlineOf = (json: string) =>
  `${Buffer.byteLength(json)} bytes, SHA-256 ${createHash('sha256').update(json).digest('base64url')}`;

describe('An entitlement', () => {
  const core = useAdminAccounts();

  const signUpUser = async () => {
    const { id, email, token } = await core().signUp('ada@example.com');
    const account = async () => {
      const account = await core().ports.accounts.find(id);
      return account ?? expect.fail('The account does not exist.');
    };
    return { id, email, account, principal: () => core().accounts.authenticate(token) };
  };

  /** Whether the call writes the account, which raises its version, with or without an audit row. */
  const writes = async (account: () => Promise<{ version: number }>, run: () => Promise<unknown>) => {
    await core().settle();
    const { version } = await account();
    await run();
    return (await account()).version !== version;
  };

  it('appears in the audit log with the size and digest of its metadata and flags', async () => {
    const { accounts, rowsAbout } = core();
    const { id, principal } = await signUpUser();
    const texts = ['Zoë 🦊'.repeat(800), 'x'.repeat(16_000)];
    for (const text of texts) {
      const input = { service: 'DROP', metadata: { text } };
      await accounts.setOwnEntitlement(await principal(), input, false, caller);
    }
    await accounts.setUserEntitlement(
      undefined,
      id,
      { service: 'DROP', accessFlags: { isOperatorTeam: true, operatorTeamRole: 'dev' } },
      caller,
    );
    const rows = await rowsAbout(id);
    const [first, second, third] = rows.filter(({ action }) => action === 'entitlement.changed');
    const outlines = texts.map((text) => outlineOf(JSON.stringify({ text })));
    expect(first?.after).to.include({ metadata: outlines[0], accessFlags: outlineOf('{}') });
    expect(second?.before).to.deep.equal({ metadata: outlines[0] });
    expect(second?.after).to.deep.equal({ metadata: outlines[1] });
    // The operator role is not free text, and is logged in full.
    expect(third?.before).to.deep.equal({ operatorRole: null, accessFlags: outlineOf('{}') });
    expect(third?.after).to.include({ operatorRole: 'dev' });
    for (const row of rows) expect(JSON.stringify(row).length).to.be.lessThan(800);
  });

  it('is not written for a repeated post, also with its members in another order', async () => {
    const { accounts, rowsAbout } = core();
    const { id, principal, account } = await signUpUser();
    const post = (metadata: object) => async () =>
      accounts.setOwnEntitlement(
        await principal(),
        { service: 'DROP', metadata: { ...metadata } },
        false,
        caller,
      );
    expect(await writes(account, post({ a: 1, b: { c: [1], d: null } }))).to.equal(true);
    const [entitlement] = (await account()).entitlements;
    for (const metadata of [
      { a: 1, b: { c: [1], d: null } },
      { b: { d: null, c: [1] }, a: 1 },
    ]) {
      expect(await writes(account, post(metadata))).to.equal(false);
    }
    expect((await account()).entitlements).to.deep.equal([entitlement]);
    expect(await rowsAbout(id)).to.have.length(1);
    expect(await writes(account, post({ a: 1, b: { c: [1] } }))).to.equal(true);
    expect(await writes(account, post({ a: 1, b: { c: [[1]] } }))).to.equal(true);
  });

  it('is not written for a repeated grant by the internal secret or a command', async () => {
    const { accounts, operate, rowsAbout } = core();
    const { id, email, account } = await signUpUser();
    const patch = (input: object) => () =>
      accounts.setUserEntitlement(undefined, id, { service: 'DROP', ...input }, caller);
    const limits = { customStorageLimit: 5, customApiKeyLimit: null };
    expect(await writes(account, patch({ tier: 'pro', ...limits }))).to.equal(true);
    expect(await writes(account, patch({ tier: 'pro', ...limits }))).to.equal(false);
    expect(await writes(account, patch({ ...limits, accessFlags: {} }))).to.equal(false);
    expect(await writes(account, patch({}))).to.equal(false);
    expect(await operate.setTier(email, { tier: 'pro', ...limits }, by())).to.include({ changed: false });
    expect(await writes(account, patch({ isPremium: false }))).to.equal(true);
    expect(await operate.setTier(email, { tier: 'pro' }, by())).to.include({ changed: true });
    expect(await writes(account, patch({ tier: null }))).to.equal(true);
    expect(await writes(account, patch({ tier: null }))).to.equal(false);
    expect(await rowsAbout(id)).to.have.length(4);
  });

  it('publishes an event for each change of access, and for no other change', async () => {
    const { accounts, events, settle } = core();
    const { id, principal } = await signUpUser();
    const eventsOf = async (run: () => Promise<unknown>) => {
      await settle();
      const before = events.length;
      await run();
      await settle();
      return events.slice(before).map(({ type, userId }) => [type, userId]);
    };
    const patch = (input: object) => () =>
      accounts.setUserEntitlement(undefined, id, { service: 'DROP', ...input }, caller);
    expect(await eventsOf(patch({ metadata: { a: 0 } })), 'the first entitlement').to.deep.equal([]);
    for (const input of [
      { tier: 'pro' },
      { tier: 'enterprise' },
      { isPremium: false },
      { customStorageLimit: 5 },
      { customApiKeyLimit: 0 },
      { customStorageLimit: null },
      { accessFlags: { beta: true, limits: { a: 1, b: 2 } } },
      { accessFlags: { isOperatorTeam: true } },
    ]) {
      expect(await eventsOf(patch(input)), JSON.stringify(input)).to.deep.equal([
        ['entitlement.changed', id],
      ]);
      const repeated = { ...input, metadata: input };
      expect(await eventsOf(patch(repeated)), `${JSON.stringify(input)} again`).to.deep.equal([]);
    }
    const ownEntitlement = async () =>
      accounts.setOwnEntitlement(await principal(), { service: 'DROP', tier: 'pro' }, false, caller);
    expect(await eventsOf(ownEntitlement), 'a claim below a grant').to.deep.equal([]);
  });

  it('is connected and disconnected once, with its access and a message in the result', async () => {
    const { accounts, operate, rowsAbout } = core();
    const { id, principal, account } = await signUpUser();
    const drop = { service: 'DROP' };
    const [none, access] = [{}, { tier: 'pro', isPremium: true }];
    const { checkConnection: check, connect, disconnect } = accounts;
    for (const call of [connect, disconnect])
      expect(await codeOf(call(await principal(), drop, caller))).to.equal('entitlement_not_found');
    expect(check(await principal(), drop))
      .to.deep.include({ connected: false, ...drop })
      .and.not.have.property('tier');
    await operate.setTier(id, { tier: 'pro' }, by());
    const messages: string[] = [];
    for (const [call, connected, expectedAccess, isWritten] of [
      [disconnect, false, access, false],
      [connect, true, access, true],
      [connect, true, none, false],
      [disconnect, false, access, true],
      [disconnect, false, access, false],
    ] as const) {
      let answer: object = {};
      const run = async () => {
        answer = await call(await principal(), drop, caller);
      };
      expect(await writes(account, run)).to.equal(isWritten);
      const { message, ...rest } = answer as { readonly message?: string };
      expect(rest).to.deep.equal({ connected, ...drop, ...expectedAccess });
      expect(message).to.match(/^The service is .*connected\.$/);
      messages.push(`${message}`);
      const { message: checkMessage, ...state } = check(await principal(), drop);
      expect(state).to.deep.equal({ connected, ...drop, ...access });
      expect(checkMessage === undefined).to.equal(connected);
    }
    expect(new Set(messages).size).to.equal(4);
    const rows = (await rowsAbout(id)).slice(1);
    expect(rows.map(({ action, before, after }) => [action, before, after])).to.deep.equal([
      ['service.connected', { connected: false }, { connected: true }],
      ['service.disconnected', { connected: true }, { connected: false }],
    ]);
  });

  it('of another service is refused with a rejected promise', async () => {
    const { accounts } = core();
    const { principal } = await signUpUser();
    const currentPrincipal = await principal();
    for (const call of [accounts.connect, accounts.disconnect]) {
      const result = call(currentPrincipal, { service: 'OTHER' }, caller);
      expect(await codeOf(result)).to.equal('unsupported_service');
    }
  });

  it('is not written again, nor its account, for an unchanged display name', async () => {
    const { accounts } = core();
    const { principal, account } = await signUpUser();
    const name = (displayName: string | null) => async () =>
      accounts.updateProfile(await principal(), { displayName });
    expect(await writes(account, name('Ada'))).to.equal(true);
    expect(await writes(account, name('Ada'))).to.equal(false);
    expect(await writes(account, name(null))).to.equal(true);
  });
});

describe('A repeated change of an entitlement', () => {
  it('returns the entitlement unchanged in every mode', () => {
    for (const self of ['trust', 'ignore', 'reject'] as const) {
      const rules = { self, tiers: ['free', 'pro'], objectLongest: 16_384 };
      const billing = { tier: 'free', isPremium: false, at: 5 };
      const before = { ...newEntitlement('id', SERVICE, 0), billing };
      for (const kind of ['self', 'internal'] as const) {
        const input = { metadata: { a: 1 }, ...((kind !== 'self' || self === 'trust') && { tier: 'pro' }) };
        const once = changeEntitlement(before, input, { kind }, rules, 10);
        expect(once, kind).to.not.equal(before);
        expect(changeEntitlement(once, input, { kind }, rules, 20), `${self} ${kind}`).to.equal(once);
      }
    }
  });
});

describe('sameObject', () => {
  it('returns true only for objects with equal members in any order', () => {
    expect(sameObject({ a: [1, { b: 2, c: 3 }] }, { a: [1, { c: 3, b: 2 }] })).to.equal(true);
    for (const [left, right] of [
      [{ a: [1, 2] }, { a: [2, 1] }],
      [{ a: {} }, { a: [] }],
      [{ a: { b: 1 } }, { a: [['b', 1]] }],
      [{ a: 1 }, { a: '1' }],
      [{ a: null }, {}],
    ] as const) {
      expect(sameObject(left, right), JSON.stringify([left, right])).to.equal(false);
    }
  });
});
