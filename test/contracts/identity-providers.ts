import { expect } from 'chai';
import type {
  AuthorizationRequest,
  CallbackParams,
  IdentityProviders,
} from '../../core/accounts/providers/identity-provider.ts';
import { openForEachTest } from './opened.ts';
import { rejectionOf } from './rejection.ts';

/** An adapter with one provider, at which somebody has an account with the email `ada@example.com`. */
interface Opened {
  readonly port: IdentityProviders;
  /** What the provider sends back once this person has agreed at the address. */
  agree(address: string): Promise<CallbackParams>;
  close(): Promise<void>;
}

const SAID = 'words-of-the-provider';

const named = (number: number, what: string) => `${what}-${number}-${'x'.repeat(43)}`;

export const identityProvidersContract = (name: string, open: () => Promise<Opened>): void => {
  describe(`${name} as identity providers`, () => {
    let opened: Opened;
    let trips = 0;

    openForEachTest(open, (current) => {
      opened = current;
    });

    const only = () => {
      const [first, ...others] = opened.port.list;
      if (first === undefined || others.length > 0) throw new Error('There is not one provider.');
      return first;
    };
    const begin = async (
      proof = false,
    ): Promise<{ readonly address: string; readonly trip: AuthorizationRequest }> => {
      trips += 1;
      const [state, nonce, verifier] = [named(trips, 's'), named(trips, 'n'), named(trips, 'v')];
      const { address, issuer } = await opened.port.begin(only().id, { state, nonce, verifier, proof });
      return { address, trip: { state, nonce, verifier, issuer, proof, at: Date.now() } };
    };
    const identify = (answer: CallbackParams, trip: AuthorizationRequest) =>
      opened.port.identify(only().id, answer, trip);

    it('name the provider as a login page shows it', () => {
      const { id, name: shown, ...flags } = only();
      expect(id).to.match(/^[a-z][a-z0-9-]{0,31}$/);
      expect(shown).not.to.equal('');
      expect(Object.values(flags).map((flag) => typeof flag)).to.deep.equal([
        'boolean',
        'boolean',
        'boolean',
      ]);
    });

    it('send each trip to an address of its own, which has its state and not its verifier', async () => {
      const [one, other] = [await begin(), await begin(true)];
      expect(one.address).not.to.equal(other.address);
      for (const { address, trip } of [one, other]) {
        expect(new URL(address).searchParams.get('state')).to.equal(trip.state);
        expect(address).not.to.include(trip.verifier);
      }
      expect(one.trip.issuer).to.equal(other.trip.issuer);
    });

    it('say who came back, by the issuer to which they were sent', async () => {
      const { address, trip } = await begin();
      const identity = await identify(await opened.agree(address), trip);
      expect(identity).to.have.all.keys(
        ...['provider', 'issuer', 'subject', 'email', 'emailVerified', 'name', 'picture', 'authenticatedAt'],
      );
      expect(identity).to.include({ provider: only().id, issuer: trip.issuer, email: 'ada@example.com' });
      expect(identity.subject).to.have.length.within(1, 255);
      expect(identity.emailVerified).to.be.a('boolean');
      expect(opened.port.issuerOf(only().id, identity.subject)).to.equal(trip.issuer);
    });

    it('know nothing of a provider that is not there', () => {
      for (const id of ['nobody', '', 'constructor', '__proto__'])
        expect(opened.port.issuerOf(id, 'subject')).to.equal(undefined);
    });

    it('refuse a person who did not agree, in words of ours', async () => {
      const { address, trip } = await begin();
      const without = (await opened.agree(address)).filter(([part]) => part !== 'code');
      const refusal = await rejectionOf(() =>
        identify([...without, ['error', 'access_denied'], ['error_description', SAID]], trip),
      );
      expect(refusal).to.include({ kind: 'refused', code: 'access_denied' });
      expect(`${String(refusal)} ${JSON.stringify(refusal)}`).not.to.include(SAID);
    });

    it('refuse an answer with a code that the provider did not give, or with none', async () => {
      for (const change of [[['code', SAID] as const], []]) {
        const { address, trip } = await begin();
        const without = (await opened.agree(address)).filter(([part]) => part !== 'code');
        const refusal = await rejectionOf(() => identify([...without, ...change], trip));
        expect(refusal).to.include({ kind: 'refused' });
        expect(`${String(refusal)} ${JSON.stringify(refusal)}`).not.to.include(SAID);
      }
    });
  });
};
