import { expect } from 'chai';
import { useOtherServices } from '../../servers/verify/other-services.ts';
import { until } from '../../support/until.ts';

/** Tests a service that verifies tokens by the public keys; `line` starts it in the folder. */
export const itVerifies = (line: string, folder: string): void => {
  const { signUp, logIn, keys, serve, forge } = useOtherServices();
  let notes: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    notes = await serve(line, folder);
  });

  it('accepts a valid token', async () => {
    const { token, userId } = await signUp();
    const { status, body } = await notes('GET', token);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ owner: userId });
  });

  it('accepts tokens of a new key after a rotation, and still those of the old key', async () => {
    const { email, token } = await signUp();
    await keys('rotate', '--now');
    const newer = await logIn(email);
    expect(newer.split('.')[0]).not.to.equal(token.split('.')[0]);
    // At least 5 s lie between its fetches.
    await until(async () => (await notes('GET', newer)).status === 200);
    expect((await notes('GET', token)).status).to.equal(200);
  });

  it('refuses every other token', async () => {
    expect((await notes('GET')).status).to.equal(401);
    const { token } = await signUp();
    for (const [what, forged] of Object.entries(forge(token))) {
      const { status, headers } = await notes('GET', forged);
      expect([status, headers.get('www-authenticate')], what).to.deep.equal([
        401,
        'Bearer error="invalid_token"',
      ]);
    }
  });
};
