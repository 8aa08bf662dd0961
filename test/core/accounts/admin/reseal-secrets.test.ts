import { expect } from 'chai';
import { makeKeyRing, rotateKeyRing } from '../../../../adapters/kms/key-ring.ts';
import { makeLocalKms } from '../../../../adapters/kms/local.ts';
import { UnusableKey, unavailable } from '../../../../core/errors.ts';
import type { Kms } from '../../../../core/ports.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { NOW } from '../../../contracts/samples.ts';
import { openOwner } from '../email-change/open-owner.ts';
import { openAccounts } from '../open-accounts.ts';
import { caller, codeOf, password } from '../open-core.ts';

const DAY = 86_400_000;

type Progress = { readonly resealed: number; readonly failed: number };

describe('Resealing of second-factor secrets', () => {
  const open = async (change: (kms: Kms) => Partial<Kms> = () => ({})) => {
    let ring = makeKeyRing(NOW);
    const local = makeLocalKms({ current: () => ring, refresh: async () => undefined });
    const kms: Kms = { ...local, ...change(local) };
    const context = await openAccounts({}, () => ({ kms }));
    const sealedOf = async (id: string) => (await context.account(id)).twoFactor?.secret ?? '';
    const progress: Progress[] = [];
    return {
      ...context,
      kms,
      sealedOf,
      progress,
      rotate: () => {
        ring = rotateKeyRing(ring, NOW);
      },
      reseal: () => context.operate.resealSecrets((done) => progress.push(done)),
    };
  };

  it('moves secrets of older keys to the current key, and codes of their apps stay valid', async () => {
    const { accounts, kms, logIn, operate, progress, reseal, rotate, sealedOf, signUp, signUpWithFactor } =
      await open();
    const former = await kms.current();
    const ada = await signUpWithFactor('ada@example.com');
    const setUp = await signUp('grace@example.com');
    const setup = await accounts.configureTwoFactor(await setUp.principal(), { enable: true }, caller);
    await signUp('nobody@example.com');
    rotate();
    const linus = await signUpWithFactor('linus@example.com');
    const newSecret = await sealedOf(linus.id);
    const current = await kms.current();
    expect([...(await operate.countSealed())]).to.have.deep.members([
      [former, 2],
      [current, 1],
    ]);

    expect(await reseal()).to.deep.equal({ resealed: 2, failed: 0 });
    expect(progress.at(-1)).to.deep.equal({ resealed: 2, failed: 0 });
    expect(progress).to.have.length(3);
    expect([...(await operate.countSealed())]).to.deep.equal([[current, 3]]);
    expect(await sealedOf(linus.id)).to.equal(newSecret);
    expect(await logIn(ada.email, { verificationCode: ada.app.fresh() })).to.have.property('token');
    const secret = 'secret' in setup ? setup.secret : '';
    const confirm = { enable: true, secret, verificationCode: ada.app.wrong() };
    expect(await codeOf(accounts.configureTwoFactor(await setUp.principal(), confirm, caller))).to.equal(
      'invalid_two_factor_code',
    );
    expect(await reseal()).to.deep.equal({ resealed: 0, failed: 0 });
  });

  it('skips a secret that cannot be opened, logs its user, and continues', async () => {
    const { edit, account, lines, reseal, rotate, signUpWithFactor, kms, sealedOf } = await open();
    const [brokenUser, intactUser] = [
      await signUpWithFactor('ada@example.com'),
      await signUpWithFactor('grace@example.com'),
    ];
    const { twoFactor } = await account(brokenUser.id);
    if (twoFactor === null) throw new Error('There is no second factor.');
    const foreignSecret = await sealedOf(intactUser.id);
    await edit(brokenUser.id, { twoFactor: { ...twoFactor, secret: foreignSecret } });
    rotate();
    expect(await reseal()).to.deep.equal({ resealed: 1, failed: 1 });
    expect(await sealedOf(brokenUser.id)).to.equal(foreignSecret);
    expect(kms.keyOf(await sealedOf(intactUser.id))).to.equal(await kms.current());
    const warnings = lines.filter(({ event }) => event === 'accounts.unopenable');
    expect(warnings).to.deep.equal([
      {
        level: 'warn',
        event: 'accounts.unopenable',
        fields: { userId: brokenUser.id, keyId: kms.keyOf(foreignSecret) },
      },
    ]);
  });

  it('skips a secret whose key is unusable, and continues with the others', async () => {
    let unusableKey: string | undefined;
    const { reseal, rotate, signUpWithFactor, kms, sealedOf } = await open((local) => ({
      open: async (sealed, context) => {
        if (local.keyOf(sealed) === unusableKey) throw new UnusableKey();
        return local.open(sealed, context);
      },
    }));
    const firstUser = await signUpWithFactor('ada@example.com');
    const firstKey = await kms.current();
    rotate();
    const secondUser = await signUpWithFactor('grace@example.com');
    rotate();
    unusableKey = firstKey;
    expect(await reseal()).to.deep.equal({ resealed: 1, failed: 1 });
    expect(kms.keyOf(await sealedOf(firstUser.id))).to.equal(unusableKey);
    expect(kms.keyOf(await sealedOf(secondUser.id))).to.equal(await kms.current());
  });

  it('moves the secret of an account with a pending deletion, and it is valid after an undo', async () => {
    const context = await open();
    const { accounts, kms, logIn, operate, reseal, rotate, settle } = context;
    const owner = await openOwner(context);
    const { change, email, makeFactorOlder, undo, principal } = owner;
    const counts = async () => [...(await operate.countSealed())];
    const former = await kms.current();
    const app = await owner.turnOnFactor();
    await makeFactorOlder();
    const code = await change();
    await accounts.deleteAccount(await principal(), { password, verificationCode: app.fresh() }, caller);
    await settle();
    rotate();
    expect(await counts()).to.deep.equal([[former, 1]]);
    expect(await reseal()).to.deep.equal({ resealed: 1, failed: 0 });
    expect(await counts()).to.deep.equal([[await kms.current(), 1]]);

    expect((await undo(code)).removed.secondFactor).to.equal(false);
    expect(await counts()).to.deep.equal([[await kms.current(), 1]]);
    expect(await logIn(email)).to.have.property('pendingToken');
    expect(await logIn(email, { verificationCode: app.fresh() })).to.have.property('token');
  });

  it('counts the secret of an account with a pending deletion, but not the account as a user', async () => {
    const owner = await openOwner(await open());
    const { accounts, change, clock, operate, settle, principal } = owner;
    const app = await owner.turnOnFactor();
    await change();
    await accounts.deleteAccount(await principal(), { password, verificationCode: app.fresh() }, caller);
    await settle();
    expect([...(await operate.countSealed()).values()]).to.deep.equal([1]);
    expect((await operate.listDirectory({ flag: 'two_factor' })).users).to.deep.equal([]);
    expect(await operate.stats()).to.include({ total: 0, twoFactor: 0 });
    clock.advance(7 * DAY);
    await settle();
    expect([...(await operate.countSealed()).values()]).to.deep.equal([]);
  });

  it('stops without a change if the keys are unavailable', async () => {
    const outage = unavailable('kms_unavailable', 'The keys cannot be reached.');
    let isDown = false;
    const { reseal, rotate, sealedOf, signUpWithFactor } = await open(({ open }) => ({
      open: async (...input) => {
        if (isDown) throw outage;
        return open(...input);
      },
    }));
    const { id } = await signUpWithFactor();
    const before = await sealedOf(id);
    rotate();
    isDown = true;
    expect(await rejectionOf(reseal)).to.equal(outage);
    expect(await sealedOf(id)).to.equal(before);
  });

  it('counts a secret of an unknown form under no key', async () => {
    const { account, edit, operate, signUpWithFactor } = await open();
    const { id } = await signUpWithFactor();
    const { twoFactor } = await account(id);
    if (twoFactor === null) throw new Error('There is no second factor.');
    await edit(id, { twoFactor: { ...twoFactor, secret: 'of an earlier service' } });
    expect([...(await operate.countSealed())]).to.deep.equal([[null, 1]]);
  });
});
