import { expect } from 'chai';
import { useService } from '../../../support/service.ts';
import { logInAgain } from '../second-factor/factor.ts';
import { useStores } from '../stores.ts';
import { makePasskeyCalls, outcome, PASSKEYS_ON } from './passkey-calls.ts';

const MINUTE = 60_000;
const BAD = [400, 'invalid_passkey'];
const INVALID_FLOW = [401, 'invalid_flow'];

describe('A new passkey', () => {
  const service = useService(PASSKEYS_ON);
  const stores = useStores(service);
  const { add, begin, created, list, post } = makePasskeyCalls(service);

  it('is requested with the options of the policy', async () => {
    const user = await service().signUp();
    const { credential } = await add(user);
    const { status, body } = await begin(user);
    expect(status).to.equal(200);
    const { options } = body;
    expect(options).to.deep.equal({
      rp: { id: 'example.com', name: 'Gatehouse' },
      user: { id: options?.user?.id, name: user.email, displayName: user.email },
      challenge: options?.challenge,
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [{ type: 'public-key', id: credential.id, transports: ['hybrid', 'internal'] }],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
      extensions: { credProps: true },
    });
    expect(String(options?.challenge)).to.have.length(43);
    const handle = Buffer.from(String(options?.user?.id), 'base64url');
    expect(handle).to.have.length(32);
    expect(handle.toString()).not.to.include(user.id);
  });

  it('is listed without its key, mailed to the owner and written to the audit log', async () => {
    const user = await service().signUp();
    const { credential, id } = await add(user, { backupEligible: true, backedUp: true });
    const { body } = await list(user);
    const { passkeys, userHandle, rpId } = body;
    expect([userHandle, rpId]).to.deep.equal([credential.userHandle, 'example.com']);
    expect(passkeys).to.deep.equal([
      {
        id,
        credentialId: credential.id,
        name: `Passkey ${new Date(service().clock.now()).toISOString().slice(0, 10)}`,
        createdAt: passkeys?.[0 as never]?.['createdAt' as never],
        lastUsedAt: null,
        transports: ['hybrid', 'internal'],
        backedUp: true,
        userVerified: true,
        rpId: 'example.com',
        aaguid: '00000000-0000-0000-0000-000000000000',
      },
    ]);
    const mail = await service().mailTo(user.email, 2);
    expect(mail.subject).to.equal('A passkey was added to your Gatehouse account');
    expect(mail.text).to.include('"Passkey 20');
    await stores().settled();
    expect(await stores().actionsAbout(user.id)).to.deep.equal(['passkey.added']);
  });

  it('has a name that is trimmed, validated and changeable', async () => {
    const user = await service().signUp();
    const { body } = created(await begin(user));
    for (const name of ['', ' ', 'a'.repeat(65), 'a\nb', 'a\u202eb'])
      expect(outcome(await post('passkeys', { ...body, name }, user))).to.deep.equal([400, 'invalid_name']);
    const added = await post('passkeys', { ...body, name: ' Phone ' }, user);
    expect([added.status, added.body.passkey?.name]).to.deep.equal([200, 'Phone']);
    const rename = (id: string, name: string) =>
      service().request('PATCH', `/api/auth/passkeys/${id}`, { token: user.token, body: { name } });
    const id = String(added.body.passkey?.id);
    expect((await rename(id, 'Tablet')).body.passkey?.name).to.equal('Tablet');
    expect(outcome(await rename(id, ''))).to.deep.equal([400, 'invalid_name']);
    expect(outcome(await rename('other', 'Tablet'))).to.deep.equal([404, 'passkey_not_found']);
  });

  it('requires a fresh proof to begin (B5), but not to finish', async () => {
    const user = await service().signUp();
    service().clock.advance(8 * MINUTE);
    const begun = await begin(user);
    service().clock.advance(4 * MINUTE);
    expect(outcome(await begin(user))).to.deep.equal([403, 'fresh_authentication_needed']);
    expect((await post('passkeys', created(begun).body, user)).status).to.equal(200);
  });

  it('is registered once, within 5 minutes, in the session that began it (B2)', async () => {
    const user = await service().signUp();
    const otherSession = await logInAgain(service(), user);
    const stranger = await service().signUp();
    const begun = await begin(user);
    const { body } = created(begun);
    expect(outcome(await post('passkeys', body, otherSession))).to.deep.equal(INVALID_FLOW);
    expect(outcome(await post('passkeys', body, stranger))).to.deep.equal(INVALID_FLOW);
    expect(outcome(await post('passkeys', { ...body, flow: 'other' }, user))).to.deep.equal(INVALID_FLOW);
    expect((await post('passkeys', body, user)).status).to.equal(200);
    expect(outcome(await post('passkeys', created(begun).body, user))).to.deep.equal(INVALID_FLOW);
    const late = created(await begin(user));
    service().clock.advance(5 * MINUTE);
    expect(outcome(await post('passkeys', late.body, user))).to.deep.equal(INVALID_FLOW);
  });

  it('is refused with the flow of a login or a proof (B2, B7)', async () => {
    const user = await service().signUp();
    await add(user);
    const begun = await begin(user);
    for (const path of ['login/passkey/begin', 'reauthenticate/passkey/begin']) {
      const { body } = await post(path, {}, user);
      const mixed = { ...begun, body: { ...begun.body, flow: body.flow } } as typeof begun;
      expect(outcome(await post('passkeys', created(mixed as never).body, user))).to.deep.equal(INVALID_FLOW);
    }
  });

  it('is refused with another origin, RP ID or challenge, in a frame, or without presence (B1)', async () => {
    const user = await service().signUp();
    for (const behaviour of [
      { origin: 'https://evil.example' },
      { rpId: 'example.org' },
      { crossOrigin: true },
      { challenge: 'AAAA' },
      { userPresent: false },
    ]) {
      const begun = await begin(user);
      expect(outcome(await post('passkeys', created(begun, behaviour).body, user))).to.deep.equal(BAD);
      // The refusal does not spend the challenge.
      expect((await post('passkeys', created(begun).body, user)).status).to.equal(200);
    }
  });

  it('is accepted from related origins', async () => {
    const user = await service().signUp();
    expect(await add(user, { origin: 'https://example.org' })).to.have.property('id');
    const { status, body } = await service().request('GET', '/.well-known/webauthn');
    expect([status, body]).to.deep.equal([200, { origins: ['https://example.org'] }]);
  });

  it('is refused if this account or another one has it already (B4)', async () => {
    const [first, second] = [await service().signUp(), await service().signUp()];
    const { credential } = await add(first);
    const again = { id: Buffer.from(credential.id, 'base64url') };
    for (const user of [first, second]) {
      const { body } = created(await begin(user), again);
      expect(outcome(await post('passkeys', body, user))).to.deep.equal([409, 'passkey_taken']);
    }
    expect((await list(second)).body.passkeys).to.deep.equal([]);
  });

  it('is refused beyond 20 passkeys', async () => {
    const user = await service().signUp();
    for (let count = 0; count < 19; count += 1) await add(user);
    const begun = await begin(user);
    await add(user);
    const limitReached = [409, 'too_many_passkeys'];
    expect(outcome(await post('passkeys', created(begun).body, user))).to.deep.equal(limitReached);
    expect(outcome(await begin(user))).to.deep.equal(limitReached);
  });

  it('is refused if another first passkey set the user handle of the account meanwhile', async () => {
    const user = await service().signUp();
    const [first, second] = [await begin(user), await begin(user)];
    expect((await post('passkeys', created(first).body, user)).status).to.equal(200);
    expect(outcome(await post('passkeys', created(second).body, user))).to.deep.equal(INVALID_FLOW);
    expect((await begin(user)).body.options?.user?.id).to.equal(first.body.options?.user?.id);
  });
});
