import { expect } from 'chai';
import type {
  AuthorizationRequest,
  CallbackParams,
  IdentityProviders,
} from '../../core/accounts/providers/identity-provider.ts';
import { openForEachTest } from './open-for-each-test.ts';
import { rejectionOf } from './rejection.ts';

/** An adapter with one provider, where one user has an account with the email `ada@example.com`. */
interface Opened {
  readonly port: IdentityProviders;
  /** The callback parameters that the provider sends after this user has agreed at the address. */
  agree(address: string): Promise<CallbackParams>;
  close(): Promise<void>;
}

const PROVIDER_TEXT = 'words-of-the-provider';

const textOf = (number: number, name: string) => `${name}-${number}-${'x'.repeat(43)}`;

export const identityProvidersContract = (name: string, open: () => Promise<Opened>): void => {
  describe(`${name} as an adapter of identity providers`, () => {
    let opened: Opened;
    let flows = 0;

    openForEachTest(open, (current) => {
      opened = current;
    });

    const only = () => {
      const [first, ...others] = opened.port.list;
      if (first === undefined || others.length > 0) throw new Error('Expected exactly one provider.');
      return first;
    };
    const begin = async (
      proof = false,
    ): Promise<{ readonly address: string; readonly request: AuthorizationRequest }> => {
      flows += 1;
      const [state, nonce, verifier] = [textOf(flows, 's'), textOf(flows, 'n'), textOf(flows, 'v')];
      const { address, issuer } = await opened.port.begin(only().id, { state, nonce, verifier, proof });
      return { address, request: { state, nonce, verifier, issuer, proof, at: Date.now() } };
    };
    const identify = (params: CallbackParams, request: AuthorizationRequest) =>
      opened.port.identify(only().id, params, request);

    it('names the provider for a sign-in page', () => {
      const { id, name: displayName, ...flags } = only();
      expect(id).to.match(/^[a-z][a-z0-9-]{0,31}$/);
      expect(displayName).not.to.equal('');
      expect(Object.values(flags).map((flag) => typeof flag)).to.deep.equal([
        'boolean',
        'boolean',
        'boolean',
      ]);
    });

    it('returns a different address for each flow, with its state and without its verifier', async () => {
      const [first, second] = [await begin(), await begin(true)];
      expect(first.address).not.to.equal(second.address);
      for (const { address, request } of [first, second]) {
        expect(new URL(address).searchParams.get('state')).to.equal(request.state);
        expect(address).not.to.include(request.verifier);
      }
      expect(first.request.issuer).to.equal(second.request.issuer);
    });

    it('returns the identity of the user, with the issuer of the request', async () => {
      const { address, request } = await begin();
      const identity = await identify(await opened.agree(address), request);
      expect(identity).to.have.all.keys(
        ...['provider', 'issuer', 'subject', 'email', 'emailVerified', 'name', 'picture', 'authenticatedAt'],
      );
      expect(identity).to.include({ provider: only().id, issuer: request.issuer, email: 'ada@example.com' });
      expect(identity.subject).to.have.length.within(1, 255);
      expect(identity.emailVerified).to.be.a('boolean');
      expect(opened.port.issuerOf(only().id, identity.subject)).to.equal(request.issuer);
    });

    it('finds no issuer of an unknown provider', () => {
      for (const id of ['nobody', '', 'constructor', '__proto__'])
        expect(opened.port.issuerOf(id, 'subject')).to.equal(undefined);
    });

    it("refuses a user who denied access, and does not repeat the provider's text", async () => {
      const { address, request } = await begin();
      const withoutCode = (await opened.agree(address)).filter(([part]) => part !== 'code');
      const refusal = await rejectionOf(() =>
        identify([...withoutCode, ['error', 'access_denied'], ['error_description', PROVIDER_TEXT]], request),
      );
      expect(refusal).to.include({ kind: 'refused', code: 'access_denied' });
      expect(`${String(refusal)} ${JSON.stringify(refusal)}`).not.to.include(PROVIDER_TEXT);
    });

    it('refuses a callback with an invalid code or without a code', async () => {
      for (const replacement of [[['code', PROVIDER_TEXT] as const], []]) {
        const { address, request } = await begin();
        const withoutCode = (await opened.agree(address)).filter(([part]) => part !== 'code');
        const refusal = await rejectionOf(() => identify([...withoutCode, ...replacement], request));
        expect(refusal).to.include({ kind: 'refused' });
        expect(`${String(refusal)} ${JSON.stringify(refusal)}`).not.to.include(PROVIDER_TEXT);
      }
    });
  });
};
